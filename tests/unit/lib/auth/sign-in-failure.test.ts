import { signInFailure } from "@/lib/auth/sign-in-failure";

it("has a sentence for a known code, a general one for an unknown code, and none without a code", () => {
  expect(signInFailure("Cancelled")).toMatch(/^The sign-in with Google was cancelled\./);
  for (const unknown of ["Failed", "NoSuchCode", "constructor", "toString"]) {
    expect(signInFailure(unknown)).toBe("The sign-in did not work. Try again, or sign in with username and password.");
  }
  for (const none of [undefined, null, "", 7, ["Cancelled"]]) expect(signInFailure(none)).toBeUndefined();
});
