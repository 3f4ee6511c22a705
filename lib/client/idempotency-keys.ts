import { type Call, contentIdOf, operationOf } from "@/lib/client/changes";
import { randomId } from "@/lib/client/random-id";
import { boundedCache } from "@/lib/utils/bounded";

/**
 * A call whose answer was lost keeps its Idempotency-Key, so that a retry does not do it twice: on the same screen, while the
 * piece is as it was, and for five minutes. Any answer of ours ends that, since it says what became of the call.
 */
const open = boundedCache<string, { key: string; since: number; version: number | null }>(
  "idempotency keys",
  1_000,
  "The next call would be made twice if it were repeated, so it is refused until an answer comes or five minutes have passed.",
  ({ since }) => Date.now() - since < REUSE_MS,
);

/** Later a user who repeats a call means it; the server knows a key for 24 hours. */
const REUSE_MS = 5 * 60_000;

type VersionOf = (contentId: string) => number | undefined;
let versionOf: VersionOf = () => undefined;

/** Says which version of a piece the screens show; the providers do so once. */
export function setVersionReader(read: VersionOf): void {
  versionOf = read;
}

/** The key of this call; undefined for one that neither creates anything nor costs money. */
export function idempotencyKey(call: Call, now = Date.now()): string | undefined {
  if (!operationOf(call)?.idempotent) return undefined;
  const id = contentIdOf(call);
  const version = id ? (versionOf(id) ?? null) : null;
  const name = nameOf(call);
  const known = open.get(name);
  if (known && known.version === version && now - known.since < REUSE_MS) return known.key;
  const key = randomId();
  open.set(name, { key, since: now, version });
  return key;
}

/** The call was answered, or given up: the next one like it gets a new key. */
export function releaseIdempotencyKey(call: Call): void {
  open.delete(nameOf(call));
}

/** Another screen, or another user: calls there are new ones. */
export function clearIdempotencyKeys(): void {
  open.clear();
}

function nameOf({ method, url, body }: Call): string {
  return JSON.stringify([method, url, body ?? null]);
}
