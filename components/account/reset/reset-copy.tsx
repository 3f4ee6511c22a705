/** Describes the reset, on a server that sends mail and on one that does not. */
export function aboutReset(canReset: boolean): string {
  return canReset
    ? "We send a link to set a new password to the e-mail address of your account."
    : "Password reset by e-mail is not set up on this server.";
}

/** The answer to a request, shown whether or not there is an account. */
export const MAILED = {
  title: "Password reset email sent",
  description: "Please check your email for instructions to reset your password.",
};

/** Advice for users of a server that sends no mail. */
export function NoMailAdvice() {
  return (
    <p>
      Ask the operator of this server to help you back in. Your projects and content stay as they are, and you can keep
      trying the passwords you remember.
    </p>
  );
}
