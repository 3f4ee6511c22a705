import { createStore, delMany, get, getMany, keys, set, type UseStore } from "idb-keyval";
import { randomId } from "@/lib/client/random-id";
import { boundedSet } from "@/lib/utils/bounded";
import { oneAtATime } from "@/lib/utils/one-at-a-time";

/**
 * Copies of what a user has typed and the server does not have yet, in this browser's IndexedDB: they outlive a crash, a
 * forced reload and days without a network. Each belongs to an account, a subject such as a piece, and the page that wrote it.
 * A browser that blocks storage has none, and nothing here fails for it.
 */

export type LocalCopy<T = unknown> = { at: number; label: string; value: T };
export type FoundCopy<T = unknown> = LocalCopy<T> & { key: string; subject: string };

const DAY_MS = 86_400_000;
/** A copy older than this is removed when any copy is looked for. */
export const COPY_DAYS = 60;

export type CopyWriter = {
  /** Replaces the copy of this page; null erases it. Resolves to false if the browser has no room or stores nothing. */
  write: (copy: LocalCopy | null) => Promise<boolean>;
  /** This page has left the subject. What it has not erased is an orphan, which the next page finds. */
  release: () => void;
};

/** Keeps one subject's copy for this page. While it does, other pages do not find the copy. */
export function openCopy(userId: string, subject: string): CopyWriter {
  const key = [userId, subject, randomId()].join(SEPARATOR);
  const release = holdLock(key);
  // An older text never replaces a newer one.
  const enqueue = oneAtATime();
  async function write(copy: LocalCopy | null): Promise<boolean> {
    const result = await enqueue(() => attempt((store) => (copy ? set(key, copy, store) : delMany([key], store))));
    return result !== FAILED;
  }
  return { write, release };
}

/** The copies of one subject that no living page keeps; the newest first. */
async function orphanedCopies<T>(userId: string, subject: string): Promise<FoundCopy<T>[]> {
  await removeOld();
  const prefix = keyPrefix(userId, subject);
  return foundAmong<T>((key) => key.startsWith(prefix), await heldLocks());
}

/**
 * Calls back with the orphaned copies of one subject: now, and whenever another page has left a copy that it keeps now. Returns
 * what ends this.
 */
export function watchOrphans<T>(
  userId: string,
  subject: string,
  onFound: (copies: FoundCopy<T>[]) => void,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const waitingFor = boundedSet<string>("pages with this piece", 10_000, "More tabs than a browser opens.");

  async function look(): Promise<void> {
    const found = await orphanedCopies<T>(userId, subject);
    if (signal.aborted) return;
    onFound(found);
    const prefix = `${PREFIX}${keyPrefix(userId, subject)}`;
    for (const name of await heldLockNames()) {
      if (!name.startsWith(prefix) || own.has(name) || waitingFor.has(name)) continue;
      waitingFor.add(name);
      // The lock is granted when the other page ends or has saved.
      void locks()
        ?.request(name, { signal }, () => undefined)
        .then(look)
        .catch(() => undefined);
    }
  }

  void look();
  return () => ending.abort();
}

/** All copies of this user. */
export async function copiesOf<T>(userId: string): Promise<FoundCopy<T>[]> {
  return foundAmong<T>((key) => key.startsWith(`${userId}${SEPARATOR}`), new Set());
}

export async function eraseCopies(found: { key: string }[]): Promise<void> {
  await attempt((store) =>
    delMany(
      found.map(({ key }) => key),
      store,
    ),
  );
}

async function foundAmong<T>(isMeant: (key: string) => boolean, except: Set<string>): Promise<FoundCopy<T>[]> {
  const found = await attempt(async (store) => {
    const meant = (await keys<string>(store)).filter((key) => isMeant(key) && !except.has(key));
    const copies = await getMany<LocalCopy<T> | undefined>(meant, store);
    return meant.flatMap((key, index) => {
      const copy = copies[index];
      return copy ? [{ ...copy, key, subject: key.split(SEPARATOR)[1] ?? "" }] : [];
    });
  });
  return found === FAILED ? [] : found.sort((a, b) => b.at - a.at);
}

async function removeOld(): Promise<void> {
  const oldest = Date.now() - COPY_DAYS * DAY_MS;
  await attempt(async (store) => {
    for (const key of await keys<string>(store)) {
      const copy = await get<LocalCopy>(key, store);
      if (copy && copy.at < oldest) await delMany([key], store);
    }
  });
}

function keyPrefix(userId: string, subject: string): string {
  return [userId, subject, ""].join(SEPARATOR);
}

const SEPARATOR = "|";
const FAILED = Symbol("failed");

let opened: UseStore | undefined;

async function attempt<R>(work: (store: UseStore) => Promise<R>): Promise<R | typeof FAILED> {
  try {
    opened ??= createStore("content-planner", "copies");
    return await work(opened);
  } catch {
    // Storage is full, blocked, or was cleared under our feet: the next attempt opens it again.
    opened = undefined;
    return FAILED;
  }
}

/** Web Locks end with their page, however it ends. Browsers have them on https only. */
function locks(): LockManager | undefined {
  return typeof navigator === "undefined" ? undefined : (navigator.locks as LockManager | undefined);
}

function holdLock(key: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const name = PREFIX + key;
  own.add(name);
  void locks()
    ?.request(name, () => released)
    .catch(() => undefined)
    .finally(() => own.delete(name));
  return release;
}

const PREFIX = "content-planner-copy:";

/** The locks of this page. */
const own = boundedSet<string>(
  "copies of this page",
  10_000,
  "Each belongs to an editor that has unsaved text or is open.",
);

async function heldLocks(): Promise<Set<string>> {
  return new Set((await heldLockNames()).map((name) => name.slice(PREFIX.length)));
}

async function heldLockNames(): Promise<string[]> {
  const state = await locks()
    ?.query()
    .catch(() => undefined);
  return (state?.held ?? []).flatMap(({ name }) => name ?? []);
}
