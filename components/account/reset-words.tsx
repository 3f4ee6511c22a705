/** What asking for a link does, on a server that mails and on one that does not. */
export function aboutReset(canReset: boolean): string {
  return canReset
    ? "We send a link to set a new password to the e-mail address of your account."
    : "Password reset by e-mail is not set up on this server.";
}

/** Told when the link was asked for, whether or not there is an account. */
export const MAILED = {
  title: "Password reset email sent",
  description: "Please check your email for instructions to reset your password.",
};

/** What a person can do who lost their password on a server that sends no mail. */
export function NoMailAdvice() {
  return (
    <p>
      Ask whoever runs this server to help you back in. Your projects and content stay as they are, and you can go on
      trying the passwords you remember.
    </p>
  );
}
