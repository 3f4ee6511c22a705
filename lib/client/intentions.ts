import { type Call, verbOf } from "@/lib/client/changes";

/**
 * One Idempotency-Key for each thing a person means to do once: the same call again has the same key until one has
 * succeeded, so that what was done, and its answer lost, is not done twice. What failed the server does again.
 */
const open = new Map<string, { key: string; since: number }>();

/** After so long without an answer the same call is another intention; the server knows a key for 24 hours. */
const MEANT_MS = 3_600_000;

/** The key of this call; undefined for one that neither creates nor costs money. */
export function keyOf(call: Call, now = Date.now()): string | undefined {
  if (!verbOf(call)?.once) return undefined;
  const name = nameOf(call);
  const known = open.get(name);
  if (known && now - known.since < MEANT_MS) return known.key;
  const key = newKey();
  open.set(name, { key, since: now });
  return key;
}

/** The call has succeeded and its answer is here: the same one again is meant again. */
export function endIntention(call: Call): void {
  open.delete(nameOf(call));
}

/** Somebody else's intentions are others. */
export function forgetIntentions(): void {
  open.clear();
}

/** Not crypto.randomUUID: on plain http a browser has none. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function nameOf({ method, url, body }: Call): string {
  return JSON.stringify([method, url, body ?? null]);
}
