import { passwordChangedMail, resetMail } from "@/lib/email/account-mails";

const link = `https://planner.example/auth/reset#token=${"t".repeat(43)}`;

describe("the mail with a reset link", () => {
  it("says the same in plain text and in HTML", () => {
    const mail = resetMail({ to: "maren@example.com", username: "maren", link });
    expect(mail).toMatchObject({ to: "maren@example.com", subject: "Reset your password" });
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain("Hello maren,");
      expect(part).toContain(link);
      expect(part).toContain("once and for one hour");
    }
    expect(mail.html).toContain(`<a href="${link}"`);
  });

  it("writes a name as text into the HTML", () => {
    const { html, text } = resetMail({ to: "m@example.com", username: `<img src=x onerror="a">&'`, link });
    expect(html).toContain("Hello &lt;img src=x onerror=&quot;a&quot;&gt;&amp;&#39;,");
    expect(html).not.toContain("<img");
    expect(text).toContain(`Hello <img src=x onerror="a">&',`);
  });
});

describe("the mail about a changed password", () => {
  const facts = {
    to: "maren@example.com",
    username: "maren",
    at: new Date("2026-11-21T16:05:00Z"),
    signIn: "https://planner.example/auth",
  };

  it("says when it was and what to do if it was somebody else", () => {
    const { text, subject } = passwordChangedMail({ ...facts, disconnected: false });
    expect(subject).toBe("Your password was changed");
    expect(text).toMatch(/November 21, 2026 at 4:05\sPM UTC/);
    expect(text).toContain("If this was not you");
    expect(text).toContain("https://planner.example/auth");
    expect(text).not.toContain("disconnected");
  });

  it("says when other sign-ins were disconnected", () => {
    expect(passwordChangedMail({ ...facts, disconnected: true }).text).toContain("were disconnected");
  });
});
