import type { UserOut } from "@/lib/features/account/schema";
import type { SettingsInput } from "@/lib/features/account/settings/schema";
import { normalizeSiteUrl } from "@/lib/features/sites/rules";

/** A change of a stored secret: undefined keeps it, null removes it, a string replaces it. */
export type SecretChange = string | null | undefined;

export type SettingsDraft = {
  openaiApiKey: SecretChange;
  wordpressUrl: string;
  wordpressUsername: string;
  wordpressPassword: SecretChange;
};

export function draftOf(user: UserOut): SettingsDraft {
  return {
    openaiApiKey: undefined,
    wordpressUrl: user.wordpressUrl ?? "",
    wordpressUsername: user.wordpressUsername ?? "",
    wordpressPassword: undefined,
  };
}

/** The draft with texts stored in this browser when the session ended; never a secret. */
export function restoreDraft(stored: unknown, draft: SettingsDraft): SettingsDraft {
  const { wordpressUrl, wordpressUsername } = (stored ?? {}) as Record<string, unknown>;
  return {
    ...draft,
    ...(typeof wordpressUrl === "string" ? { wordpressUrl } : {}),
    ...(typeof wordpressUsername === "string" ? { wordpressUsername } : {}),
  };
}

/** The draft once something else has changed the account: what the user has not edited is what is stored `now`. */
export function rebaseDraft(draft: SettingsDraft, before: UserOut, now: UserOut): SettingsDraft {
  const [old, stored] = [draftOf(before), draftOf(now)];
  const isEdited = (field: "wordpressUrl" | "wordpressUsername") => draft[field] !== old[field];
  return {
    ...draft,
    ...(isEdited("wordpressUrl") ? {} : { wordpressUrl: stored.wordpressUrl }),
    ...(isEdited("wordpressUsername") ? {} : { wordpressUsername: stored.wordpressUsername }),
  };
}

/** Returns only the changed fields: an empty secret is no change, an empty URL or username removes the stored one. */
export function changedSettings(draft: SettingsDraft, user: UserOut): SettingsInput {
  const stored = draftOf(user);
  return {
    ...(draft.openaiApiKey === undefined || draft.openaiApiKey === "" ? {} : { openaiApiKey: draft.openaiApiKey }),
    ...(draft.wordpressUrl.trim() === stored.wordpressUrl ? {} : { wordpressUrl: draft.wordpressUrl }),
    ...(draft.wordpressUsername.trim() === stored.wordpressUsername
      ? {}
      : { wordpressUsername: draft.wordpressUsername }),
    ...(draft.wordpressPassword === undefined || draft.wordpressPassword === ""
      ? {}
      : { wordpressPassword: draft.wordpressPassword }),
  };
}

/** The stored password is never sent to another address: a new URL needs it again. */
export function needsPasswordAgain(draft: SettingsDraft, user: UserOut): boolean {
  if (!user.hasWordpressPassword || !user.wordpressUrl || draft.wordpressUrl.trim() === "") return false;
  try {
    return normalizeSiteUrl(draft.wordpressUrl.trim()) !== user.wordpressUrl;
  } catch {
    // The URL is invalid; saving reports that.
    return false;
  }
}
