const UNREACHABLE = "Google could not be reached or did not finish the sign-in. Try again in a moment.";

/** What next-auth sends back to the sign-in page as `error`: https://next-auth.js.org/configuration/pages#sign-in-page */
const SENTENCES: Record<string, string> = {
  OAuthSignin: UNREACHABLE,
  OAuthCallback: "The sign-in with Google was cancelled or took too long. Try again.",
  OAuthAccountNotLinked:
    "There is an account with this e-mail already. Sign in the way you did before; the accounts are not joined by e-mail alone.",
  AccessDenied:
    "Google has not confirmed your e-mail address. Confirm it there, or sign in with username and password.",
  Callback: UNREACHABLE,
  Configuration: "Google sign-in is not set up rightly on this server. Sign in with username and password.",
};

const OTHERS = "The sign-in did not work. Try again, or sign in with username and password.";

/** The sentence for a code of next-auth; undefined when nothing has failed. */
export function signInFailure(code: unknown): string | undefined {
  if (typeof code !== "string" || code === "") return undefined;
  return Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : OTHERS;
}
