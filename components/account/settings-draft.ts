import { normalizeSiteUrl } from "@/lib/features/account/rules";
import type { SettingsInput, UserOut } from "@/lib/features/account/schema";

/** What becomes of a stored secret: undefined leaves it, null removes it, a text replaces it. */
export type SecretChange = string | null | undefined;

/** The form as it stands. */
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

/** The form with what this browser kept while nobody was signed in: never a secret. */
export function draftFromKept(kept: unknown, draft: SettingsDraft): SettingsDraft {
  const { wordpressUrl, wordpressUsername } = (kept ?? {}) as Record<string, unknown>;
  return {
    ...draft,
    ...(typeof wordpressUrl === "string" ? { wordpressUrl } : {}),
    ...(typeof wordpressUsername === "string" ? { wordpressUsername } : {}),
  };
}

/** The changed fields alone: an empty secret is unchanged, an empty URL or username clears. */
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

/** A stored password belongs to the stored address: another one needs it typed again. */
export function needsPasswordAgain(draft: SettingsDraft, user: UserOut): boolean {
  if (!user.hasWordpressPassword || !user.wordpressUrl || draft.wordpressUrl.trim() === "") return false;
  try {
    return normalizeSiteUrl(draft.wordpressUrl.trim()) !== user.wordpressUrl;
  } catch {
    // Not an address yet; the save says so.
    return false;
  }
}
