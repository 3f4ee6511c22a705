import { type Call, operationOf } from "@/lib/client/changes";
import { randomId } from "@/lib/client/random-id";

/**
 * A call keeps its Idempotency-Key until it has succeeded, so that a retry after a lost answer does not do it twice. The
 * server does a failed call again.
 */
const open = new Map<string, { key: string; since: number }>();

/** After this long without an answer a repeated call is a new one; the server knows a key for 24 hours. */
const REUSE_MS = 3_600_000;

/** The key of this call; undefined for one that neither creates anything nor costs money. */
export function idempotencyKey(call: Call, now = Date.now()): string | undefined {
  if (!operationOf(call)?.idempotent) return undefined;
  const name = nameOf(call);
  const known = open.get(name);
  if (known && now - known.since < REUSE_MS) return known.key;
  const key = randomId();
  open.set(name, { key, since: now });
  return key;
}

/** The call has succeeded: the next one like it gets a new key. */
export function releaseIdempotencyKey(call: Call): void {
  open.delete(nameOf(call));
}

export function clearIdempotencyKeys(): void {
  open.clear();
}

function nameOf({ method, url, body }: Call): string {
  return JSON.stringify([method, url, body ?? null]);
}
