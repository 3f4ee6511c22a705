import { emailChangedMail, googleChangedMail, passwordChangedMail, resetMail } from "@/lib/email/account-mails";

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

  it("escapes the name in the HTML", () => {
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

  it("says when it happened and what to do if it was someone else", () => {
    const { text, subject } = passwordChangedMail({ ...facts, by: "link" });
    expect(subject).toBe("Your password was changed");
    expect(text).toMatch(/November 21, 2026 at 4:05\sPM UTC/);
    expect(text).toContain("If this was not you");
    expect(text).toContain("https://planner.example/auth");
    expect(text).not.toContain("disconnected");
  });

  it("says that other sign-ins were disconnected", () => {
    expect(passwordChangedMail({ ...facts, by: "link", disconnected: true }).text).toContain("were disconnected");
  });

  it("warns of a stolen mailbox after a mailed link, and of a stolen session after a change in the settings", () => {
    const byLink = passwordChangedMail({ ...facts, by: "link" });
    const bySettings = passwordChangedMail({ ...facts, by: "settings" });
    for (const part of ["text", "html"] as const) {
      expect(byLink[part]).toContain("Every device was signed out");
      expect(byLink[part]).toContain("secure your mailbox");
      expect(bySettings[part]).toContain("Every other device was signed out");
      expect(bySettings[part]).toContain("somebody was signed in as you");
      expect(bySettings[part]).not.toContain("mailbox");
    }
  });
});

describe("the mail about a changed e-mail address", () => {
  const facts = {
    to: "maren@example.com",
    username: "maren",
    at: new Date("2026-11-21T16:05:00Z"),
    settings: "https://planner.example/settings",
  };

  it("goes to the old address and says the same in plain text and in HTML", () => {
    const mail = emailChangedMail({ ...facts, became: "another" });
    expect(mail).toMatchObject({ to: "maren@example.com", subject: "Your e-mail address was changed" });
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain("Hello maren,");
      expect(part).toMatch(/was changed to another one on November 21, 2026 at 4:05\sPM UTC/);
      expect(part).toContain("If this was not you");
      expect(part).toContain("https://planner.example/settings");
      expect(part).toContain("If you cannot sign in any more");
    }
  });

  it("says that the address was removed", () => {
    const { subject, text } = emailChangedMail({ ...facts, became: "none" });
    expect(subject).toBe("Your e-mail address was removed");
    expect(text).toContain("was removed on November 21");
    expect(text).not.toContain("another one");
  });

  it("escapes the name in the HTML", () => {
    const { html } = emailChangedMail({ ...facts, became: "another", username: `<b onclick="a">&'` });
    expect(html).toContain("Hello &lt;b onclick=&quot;a&quot;&gt;&amp;&#39;,");
    expect(html).not.toContain("<b ");
  });
});

describe("the mail about Google as a way to sign in", () => {
  const facts = { to: "maren@example.com", username: "<b>maren", at: new Date("2026-11-21T16:05:00Z") };
  const settings = "https://planner.example/settings";

  it.each([
    ["connected", "connected to", "can be used to sign in from now on"],
    ["disconnected", "disconnected from", "cannot be used to sign in any more"],
  ] as const)("says that it was %s, what that means and what to do", (became, what, effect) => {
    const mail = googleChangedMail({ ...facts, became, settings });
    expect(mail).toMatchObject({ to: facts.to, subject: `Google was ${became}` });
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`A Google account was ${what} your Content Planner account on November 21, 2026`);
      expect(part).toContain(effect);
      expect(part).toContain("If this was not you");
      expect(part).toContain(settings);
    }
    expect(mail.html).toContain("Hello &lt;b&gt;maren,");
  });
});
