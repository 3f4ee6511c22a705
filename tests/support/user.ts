import type { UserOut } from "@/lib/features/account/schema";

export const USER_ID = "6f0c6a0e-0f0b-4e5c-9a51-0c9b1d6c7a11";

/** A signed-in user with nothing stored. */
export function someUser(parts: Partial<UserOut> = {}): UserOut {
  return {
    id: USER_ID,
    username: "maren.holt",
    email: null,
    displayName: null,
    photoURL: null,
    wordpressUrl: null,
    wordpressUsername: null,
    hasOpenaiApiKey: false,
    openaiApiKeyHint: null,
    hasWordpressPassword: false,
    createdAt: "2026-11-03T10:00:00.000Z",
    updatedAt: "2026-11-03T10:00:00.000Z",
    ...parts,
  };
}
