import type { Query, QueryClient } from "@tanstack/react-query";
import { ApiError, whenCalled } from "@/lib/client/api";
import { type Changed, changesOf, shows, verbOf } from "@/lib/client/changes";
import { followOtherTabs, type OtherTabs } from "@/lib/client/other-tabs";
import type { ErrorType } from "@/lib/errors";

/** Refetch what is on screen at most this often: fifty pieces may be published one after another. */
const FETCH_EVERY_MS = 1_000;
/** A page may take this long from its reads on the server to its arrival here; a change in between is not in it. */
const RECENT_MS = 30_000;
/** How often screens look at what a long call has done so far. */
const AS_IT_GOES_MS = 10_000;

type Memory = {
  recent: { changes: Changed[]; at: number }[];
  due: Set<Query>;
  lastFetch: number;
  timer: ReturnType<typeof setTimeout> | undefined;
};

const memories = new WeakMap<QueryClient, Memory>();

function memoryOf(client: QueryClient): Memory {
  const known = memories.get(client);
  if (known) return known;
  const memory: Memory = { recent: [], due: new Set(), lastFetch: Number.NEGATIVE_INFINITY, timer: undefined };
  memories.set(client, memory);
  return memory;
}

/**
 * Marks every query that shows these changes as stale. Those on screen are refetched, the others when they are opened. A
 * fetch already in flight may predate the change, so it does not count.
 */
export function markChanged(client: QueryClient, changes: Changed[]): void {
  if (changes.length === 0) return;
  const memory = memoryOf(client);
  const now = Date.now();
  memory.recent = [...memory.recent.filter(({ at }) => now - at < RECENT_MS), { changes, at: now }];
  for (const query of client.getQueryCache().findAll({ predicate: (each) => shows(withData(each), changes) })) {
    query.invalidate();
    if (query.isActive()) memory.due.add(query);
    // React Query does not restart a first fetch, and one that nobody waits for would clear the mark.
    const isReplaced = query.isActive() && query.state.data !== undefined;
    if (query.state.fetchStatus === "fetching" && !isReplaced) void query.cancel({ revert: true, silent: true });
  }
  if (memory.due.size > 0) schedule(client, memory);
}

/** Did this query change so recently that a page arriving now may hold older data? */
export function isJustChanged(client: QueryClient, query: { queryKey: readonly unknown[]; data?: unknown }): boolean {
  const now = Date.now();
  return memoryOf(client).recent.some(({ changes, at }) => now - at < RECENT_MS && shows(query, changes));
}

/** Puts a call's answer into the query that shows it, so that it is not refetched for that change. */
export function putAnswer<T>(client: QueryClient, queryKey: readonly unknown[], answer: T): void {
  client.setQueryData(queryKey, answer);
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query) return;
  memoryOf(client).due.delete(query);
  // Still marked: a page in flight may bring the state before it.
  query.invalidate();
}

/** Refetches a marked query now. Resolves when it has settled; failures are notified as usual. */
export async function refetched(client: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query) memoryOf(client).due.delete(query);
  await client.refetchQueries({ queryKey, exact: true, type: "active" }, { cancelRefetch: true });
}

function withData({ queryKey, state }: Query) {
  return { queryKey, data: state.data };
}

/** The first refetch runs at once, after the caller has stored its answer; later ones are batched. */
function schedule(client: QueryClient, memory: Memory): void {
  if (memory.timer !== undefined) return;
  const wait = Math.max(0, memory.lastFetch + FETCH_EVERY_MS - Date.now());
  memory.timer = setTimeout(() => {
    memory.timer = undefined;
    memory.lastFetch = Date.now();
    const due = [...memory.due];
    memory.due.clear();
    void client.refetchQueries({ type: "active", predicate: (query) => due.includes(query) }, { cancelRefetch: true });
  }, wait);
}

/** Aborted, or the connection broke, as it does when the page unloads: the server works on. */
function isOnlyUnheard(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}

/** Refused because of the input or the sender: the screen is as true as before. */
function changedNothing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || NOTHING_CHANGED.has(error.type ?? "INTERNAL");
}

const NOTHING_CHANGED: ReadonlySet<ErrorType> = new Set([
  "VALIDATION_ERROR",
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "PAYLOAD_TOO_LARGE",
  "RATE_LIMITED",
  "STORAGE_FULL",
]);

/**
 * Keeps every screen true: each call of our API marks what it changed, in this tab and in the others, and a call whose page
 * is gone is followed until its deadline. Failed calls mark too: perhaps only the answer was lost, or the thing is gone.
 */
export function followCalls(client: QueryClient): () => void {
  const tabs: OtherTabs = followOtherTabs((changes) => markChanged(client, changes));
  const stop = whenCalled((call) => {
    const verb = verbOf(call);
    if (!verb || verb.changes.length === 0) return () => undefined;
    const before = changesOf(call);
    const work = verb.upTo === undefined ? undefined : tabs.begin(before, verb.upTo);
    const timer = verb.asItGoes ? setInterval(() => tell(before), AS_IT_GOES_MS) : undefined;
    return (answer, error) => {
      clearInterval(timer);
      if (isOnlyUnheard(error)) work?.leave();
      else work?.end();
      if (!error) tell(changesOf({ ...call, answer }));
      else if (!changedNothing(error)) tell(before);
    };
  });

  function tell(changes: Changed[]) {
    markChanged(client, changes);
    tabs.tell(changes);
  }

  return () => {
    stop();
    tabs.stop();
  };
}
