import type { Query, QueryClient } from "@tanstack/react-query";
import { ApiError, whenCalled } from "@/lib/client/api";
import { type Changed, changesOf, shows, verbOf } from "@/lib/client/changes";
import { followOtherTabs, type OtherTabs } from "@/lib/client/other-tabs";
import type { ErrorType } from "@/lib/errors";

/** Queries on screen are fetched again at most this often: fifty pieces may be published one after the other. */
const FETCH_EVERY_MS = 1_000;
/** A page's data may have been read this long before it arrives, and so before a change that is told here meanwhile. */
const RECENT_MS = 30_000;
/** How often the screens look at what a long call has done so far. */
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
 * Marks everything that shows these changes as old: what is on screen is fetched again, the rest when it is opened. A fetch
 * that is under way was begun before the change and does not count.
 */
export function markChanged(client: QueryClient, changes: Changed[]): void {
  if (changes.length === 0) return;
  const memory = memoryOf(client);
  const now = Date.now();
  memory.recent = [...memory.recent.filter(({ at }) => now - at < RECENT_MS), { changes, at: now }];
  for (const query of client.getQueryCache().findAll({ predicate: (each) => shows(withData(each), changes) })) {
    query.invalidate();
    if (query.isActive()) memory.due.add(query);
    // A first fetch is not begun again by itself, and one that nobody waits for would clear the mark.
    const isReplaced = query.isActive() && query.state.data !== undefined;
    if (query.state.fetchStatus === "fetching" && !isReplaced) void query.cancel({ revert: true, silent: true });
  }
  if (memory.due.size > 0) schedule(client, memory);
}

/** Was something of this query changed a moment ago, so that what a page brings of it may be older? */
export function isJustChanged(client: QueryClient, query: { queryKey: readonly unknown[]; data?: unknown }): boolean {
  const now = Date.now();
  return memoryOf(client).recent.some(({ changes, at }) => now - at < RECENT_MS && shows(query, changes));
}

/** Puts what a call answered into the query that shows it, which need not be fetched again for that change. */
export function putAnswer<T>(client: QueryClient, queryKey: readonly unknown[], answer: T): void {
  client.setQueryData(queryKey, answer);
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query) return;
  memoryOf(client).due.delete(query);
  // Still marked: a page that is on its way may bring what was before.
  query.invalidate();
}

/** Fetches a query at once that a call has marked; resolves when it is there, or has failed with its own sentence. */
export async function refetched(client: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query) memoryOf(client).due.delete(query);
  await client.refetchQueries({ queryKey, exact: true, type: "active" }, { cancelRefetch: true });
}

function withData({ queryKey, state }: Query) {
  return { queryKey, data: state.data };
}

/** The first at once, after the one who asked has put the answer in its place; more of them together. */
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

/** Not listened to any longer, or the connection broke, as it does when the page goes: the server works on. */
function isOnlyUnheard(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}

/** Refused for what was sent, or for who sent it: whatever is on the screen is as true as before. */
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
]);

/**
 * Keeps every screen true while this runs: each call of our API marks what it changed, in this tab and in the others, and a
 * call whose page is gone is followed until it must have ended. A refused call marks too: its answer may be the only thing
 * that was lost, or what it was about is no longer there.
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
