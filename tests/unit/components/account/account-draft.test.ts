import { changesOf, draftOf, emailHint } from "@/components/account/account-draft";
import { someUser } from "@/tests/support/user";

const maren = someUser({ email: "maren@example.com" });
const methods = { hasPassword: true, isGoogleOn: true, isGoogleConnected: false, isEmailVerified: false };

describe("what is sent", () => {
  it("is nothing that stands there already, whatever the spaces and the case of an address", () => {
    expect(changesOf(draftOf(maren), maren)).toEqual({});
    expect(changesOf({ username: " maren.holt ", email: " Maren@Example.com" }, maren)).toEqual({});
    expect(changesOf(draftOf(someUser()), someUser())).toEqual({});
  });

  it("is each changed field, the case of a username among them, and an empty address to remove it", () => {
    expect(changesOf({ ...draftOf(maren), username: "Maren.Holt" }, maren)).toEqual({ username: "Maren.Holt" });
    expect(changesOf({ ...draftOf(maren), email: "" }, maren)).toEqual({ email: "" });
    expect(changesOf({ username: "", email: "m@example.com" }, maren)).toEqual({
      username: "",
      email: "m@example.com",
    });
  });
});

describe("what is said of the address", () => {
  const hint = (email: string, about = { methods, canMail: true }, user = maren) =>
    emailHint({ ...draftOf(user), email }, user, about);

  it("is that it is not confirmed, what that keeps from working, and how to confirm it", () => {
    expect(hint("maren@example.com")).toMatch(/^Not confirmed yet\. Until it is, signing in with Google .*“Forgot/);
    for (const google of [{ isGoogleOn: false }, { isGoogleConnected: true }]) {
      const about = { methods: { ...methods, ...google }, canMail: true };
      expect(hint("maren@example.com", about)).toMatch(/^Not confirmed yet\. To confirm it/);
      expect(hint("maren@example.com", about)).not.toContain("Google");
    }
  });

  it("is nothing of a confirmed one", () => {
    expect(
      hint("maren@example.com", { methods: { ...methods, isEmailVerified: true }, canMail: true }),
    ).toBeUndefined();
  });

  it("is who is told when it changes, and nobody when there was none", () => {
    expect(hint("new@example.com")).toBe("The address you have now gets a mail about the change.");
    expect(hint("new@example.com", undefined, someUser())).toBeUndefined();
  });

  it("is what one does without when there is none", () => {
    expect(hint(" ")).toMatch(/cannot reset a forgotten password/);
    expect(hint("", undefined, someUser())).toMatch(/cannot reset a forgotten password/);
  });

  it("promises no mail where none can be sent", () => {
    for (const email of ["maren@example.com", "new@example.com", ""]) {
      expect(hint(email, { methods, canMail: false })).toBeUndefined();
    }
  });
});
