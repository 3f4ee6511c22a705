import type { SignInMethods } from "@/lib/features/account/google/schema";
import type { UserOut } from "@/lib/features/account/schema";
import type { ChangeAccountInput } from "@/lib/features/account/settings/schema";

/** Unsaved sign-in details. */
export type AccountDraft = { username: string; email: string };

export function draftOf({ username, email }: UserOut): AccountDraft {
  return { username, email: email ?? "" };
}

/** The draft with texts stored in this browser when the session ended. */
export function restoreDraft(stored: unknown, draft: AccountDraft): AccountDraft {
  const { username, email } = (stored ?? {}) as Record<string, unknown>;
  return {
    username: typeof username === "string" ? username : draft.username,
    email: typeof email === "string" ? email : draft.email,
  };
}

/** Returns only the changed fields; an empty e-mail address removes the stored one. Only usernames are case-sensitive. */
export function editedFields(draft: AccountDraft, user: UserOut): Pick<ChangeAccountInput, "username" | "email"> {
  const stored = draftOf(user);
  const isSameEmail = draft.email.trim().toLowerCase() === stored.email.toLowerCase();
  return {
    ...(draft.username.trim() === stored.username ? {} : { username: draft.username }),
    ...(isSameEmail ? {} : { email: draft.email }),
  };
}

/** The hint below the e-mail field. `canMail`: this server can send mail. */
export function emailHint(
  draft: AccountDraft,
  user: UserOut,
  { methods, canMail }: { methods: SignInMethods; canMail: boolean },
): string | undefined {
  if (!canMail) return undefined;
  const isChanged = editedFields(draft, user).email !== undefined;
  if (draft.email.trim() === "") return "Optional. Without an address you cannot reset a forgotten password.";
  if (isChanged) return user.email ? "The address you have now gets a mail about the change." : undefined;
  if (methods.isEmailVerified) return undefined;
  if (!user.email) return undefined;
  return `Not confirmed yet. ${methods.isGoogleEnabled && !methods.isGoogleConnected ? GOOGLE : ""}The link that we send confirms it, and lets you choose a new password.`;
}

const GOOGLE = "Until it is, signing in with Google does not lead to this account. ";
