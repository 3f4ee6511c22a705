import { draftOf, editedFields, emailHint } from "@/components/account/settings/account-draft";
import { someUser } from "@/tests/support/user";

const maren = someUser({ email: "maren@example.com" });
const methods = { hasPassword: true, isGoogleEnabled: true, isGoogleConnected: false, isEmailVerified: false };

describe("what is sent", () => {
  it("leaves out what is already stored, whatever the spaces or the case of the address", () => {
    expect(editedFields(draftOf(maren), maren)).toEqual({});
    expect(editedFields({ username: " maren.holt ", email: " Maren@Example.com" }, maren)).toEqual({});
    expect(editedFields(draftOf(someUser()), someUser())).toEqual({});
  });

  it("includes each changed field, even a username's case, and an empty address to remove it", () => {
    expect(editedFields({ ...draftOf(maren), username: "Maren.Holt" }, maren)).toEqual({ username: "Maren.Holt" });
    expect(editedFields({ ...draftOf(maren), email: "" }, maren)).toEqual({ email: "" });
    expect(editedFields({ username: "", email: "m@example.com" }, maren)).toEqual({
      username: "",
      email: "m@example.com",
    });
  });
});

describe("the hint at the address", () => {
  const hint = (email: string, about = { methods, canMail: true }, user = maren) =>
    emailHint({ ...draftOf(user), email }, user, about);

  it("says that it is not confirmed, what that prevents, and how to confirm it", () => {
    expect(hint("maren@example.com")).toMatch(
      /^Not confirmed yet\. Until it is, signing in with Google .*The link that we send/,
    );
    for (const google of [{ isGoogleEnabled: false }, { isGoogleConnected: true }]) {
      const about = { methods: { ...methods, ...google }, canMail: true };
      expect(hint("maren@example.com", about)).toMatch(/^Not confirmed yet\. The link that we send confirms it/);
      expect(hint("maren@example.com", about)).not.toContain("Google");
    }
  });

  it("is absent for a confirmed address", () => {
    expect(
      hint("maren@example.com", { methods: { ...methods, isEmailVerified: true }, canMail: true }),
    ).toBeUndefined();
  });

  it("says that the previous address, if any, gets a mail about the change", () => {
    expect(hint("new@example.com")).toBe("The address you have now gets a mail about the change.");
    expect(hint("new@example.com", undefined, someUser())).toBeUndefined();
  });

  it("says what does not work without an address", () => {
    expect(hint(" ")).toMatch(/cannot reset a forgotten password/);
    expect(hint("", undefined, someUser())).toMatch(/cannot reset a forgotten password/);
  });

  it("promises no mail when none can be sent", () => {
    for (const email of ["maren@example.com", "new@example.com", ""]) {
      expect(hint(email, { methods, canMail: false })).toBeUndefined();
    }
  });
});
