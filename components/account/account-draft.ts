import type { ChangeAccountInput, SignInMethods, UserOut } from "@/lib/features/account/schema";

/** The sign-in details as they are being typed. */
export type AccountDraft = { username: string; email: string };

export function draftOf({ username, email }: UserOut): AccountDraft {
  return { username, email: email ?? "" };
}

/** The fields with what this browser kept while nobody was signed in. */
export function draftFromKept(kept: unknown, draft: AccountDraft): AccountDraft {
  const { username, email } = (kept ?? {}) as Record<string, unknown>;
  return {
    username: typeof username === "string" ? username : draft.username,
    email: typeof email === "string" ? email : draft.email,
  };
}

/** The changed fields alone; an empty e-mail address removes it. Case counts in usernames only. */
export function changesOf(draft: AccountDraft, user: UserOut): Pick<ChangeAccountInput, "username" | "email"> {
  const stored = draftOf(user);
  const isSameEmail = draft.email.trim().toLowerCase() === stored.email.toLowerCase();
  return {
    ...(draft.username.trim() === stored.username ? {} : { username: draft.username }),
    ...(isSameEmail ? {} : { email: draft.email }),
  };
}

/** What to know about the address in the field. `canMail`: mails can be sent from this server. */
export function emailHint(
  draft: AccountDraft,
  user: UserOut,
  { methods, canMail }: { methods: SignInMethods; canMail: boolean },
): string | undefined {
  if (!canMail) return undefined;
  const isChanged = changesOf(draft, user).email !== undefined;
  if (draft.email.trim() === "") return "Optional. Without an address you cannot reset a forgotten password.";
  if (isChanged) return user.email ? "The address you have now gets a mail about the change." : undefined;
  if (methods.isEmailVerified) return undefined;
  return `Not confirmed yet. ${methods.isGoogleOn && !methods.isGoogleConnected ? GOOGLE : ""}To confirm it, sign out, choose “Forgot password?” and use the link we send you.`;
}

const GOOGLE = "Until it is, signing in with Google does not lead to this account. ";
