import "server-only";
import { open, SecretBoxError, seal } from "@/lib/crypto/secret-box";

/** Seals a site's password. The seal opens for no other site, not even one of the same owner. */
export function sealPassword(siteId: string, password: string): string {
  return seal(password, { owner: siteId, field: "sitePassword" });
}

/** Seals it for a user's settings, where the release before looks for the default site's. */
export function sealForSettings(userId: string, password: string): string {
  return seal(password, { owner: userId, field: "wordpressPassword" });
}

/**
 * Opens a site's password; undefined if there is none, or none that opens. `isOld`: the release before sealed it, without the site,
 * so it should be replaced.
 */
export function openPassword(
  userId: string,
  { id, password }: { id: string; password: string | null },
): { password: string; isOld: boolean } | undefined {
  if (!password) return undefined;
  for (const [isOld, place] of [
    [false, { owner: id, field: "sitePassword" }],
    [true, { owner: userId, field: "wordpressPassword" }],
  ] as const) {
    try {
      return { password: open(password, place), isOld };
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
    }
  }
  return undefined;
}
