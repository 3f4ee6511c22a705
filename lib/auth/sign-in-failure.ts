/** Why a Google sign-in failed and what to do next, by the `error` code in the URL. */
const SENTENCES = {
  Off: "Google sign-in is not set up on this server. Sign in with username and password.",
  Cancelled: "The sign-in with Google was cancelled. Nothing was changed; try again whenever you like.",
  Refused: "Google refused the sign-in. Try again, or sign in with username and password.",
  State:
    "This sign-in with Google took too long or was started in another window or browser. Start again here, in one window.",
  Unreachable: "Google could not be reached. Check again in a moment, or sign in with username and password.",
  Unconfirmed: "Google has not confirmed your e-mail address. Confirm it there, or sign in with username and password.",
  Exists: "An account with this e-mail exists: sign in with your password and connect Google in Settings",
  Disabled: "This account has been disabled. Ask the operator of this server.",
  TooMany: "Too many accounts were created from your address. Please try again in an hour.",
  TooOften: "Too many Google sign-ins were started from your address. Please try again in an hour.",
  AnotherAccount: "That Google account is not the one connected to this account. Choose the connected one.",
  ConnectedElsewhere: "That Google account is connected to another account here. Disconnect it there first.",
  ConnectedAlready: "Another Google account is connected to your account. Disconnect it first, then connect this one.",
  SessionEnded: "Your session ended before Google answered. Sign in, then start again in Settings.",
  Cookies:
    "Your browser sent a cookie that could be mistaken for your sign-in here. Delete this site's cookies, then sign in.",
  Failed: "The sign-in did not work. Try again, or sign in with username and password.",
} as const;

export type SignInFailure = keyof typeof SENTENCES;

export function failureSentence(code: SignInFailure): string {
  return SENTENCES[code];
}

/** Returns undefined when there is no code; an unknown code gets the general message. */
export function signInFailure(code: unknown): string | undefined {
  if (typeof code !== "string" || code === "") return undefined;
  return Object.hasOwn(SENTENCES, code) ? SENTENCES[code as SignInFailure] : SENTENCES.Failed;
}
