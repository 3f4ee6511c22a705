import { hashKey, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError, onApiCall } from "@/lib/client/api";
import { type Change, changesOf, isAffected, operationOf } from "@/lib/client/changes";
import { connectTabs } from "@/lib/client/other-tabs";
import type { ErrorType } from "@/lib/errors";
import { boundedSet, listenerSet } from "@/lib/utils/bounded";

/** Active queries are refetched at most this often: fifty pieces may be published one after another. */
const REFETCH_INTERVAL_MS = 1_000;
/** How long a page may travel from its reads on the server to the browser; a change meanwhile is not in it. */
const PAGE_TRANSIT_MS = 30_000;
/** How often the progress of an incremental call is shown. */
const PROGRESS_INTERVAL_MS = 10_000;

const MAX_RECENT = 10_000;

type State = {
  listeners: Set<(changes: Change[]) => void>;
  recent: { changes: Change[]; at: number }[];
  /** Hashes of the queries that the next refetch takes. */
  due: Set<string>;
  lastRefetch: number;
  timer: ReturnType<typeof setTimeout> | undefined;
};

const states = new WeakMap<QueryClient, State>();

function stateOf(client: QueryClient): State {
  const known = states.get(client);
  if (known) return known;
  const state: State = {
    listeners: listenerSet("listeners to changes"),
    recent: [],
    due: boundedSet("queries to read again", 100_000, "Each is shown on the page; they are read after a second."),
    lastRefetch: Number.NEGATIVE_INFINITY,
    timer: undefined,
  };
  states.set(client, state);
  return state;
}

/** Invalidates every query that shows these changes, and refetches the active ones, throttled. */
export function invalidate(client: QueryClient, changes: Change[]): void {
  if (changes.length === 0) return;
  const state = stateOf(client);
  for (const listener of state.listeners) listener(changes);
  const now = Date.now();
  const recent = state.recent.filter(({ at }) => now - at < PAGE_TRANSIT_MS);
  // Nobody makes more calls in half a minute. A page that arrives then may show what it was before the first of them.
  state.recent = [...recent, { changes, at: now }].slice(-MAX_RECENT);
  const affected = ({ queryKey, state: { data } }: Query) => isAffected({ queryKey, data }, changes);
  // A fetch in flight may predate the change. The refetch below replaces it only where the query is active and has data.
  const isReplaced = (query: Query) => query.isActive() && query.state.data !== undefined;
  const outdated = (query: Query) => affected(query) && !isReplaced(query);
  void client.cancelQueries({ fetchStatus: "fetching", predicate: outdated }, { silent: true });
  void client.invalidateQueries({ predicate: affected, refetchType: "none" });
  for (const { queryHash } of client.getQueryCache().findAll({ type: "active", predicate: affected })) {
    state.due.add(queryHash);
  }
  if (state.due.size > 0) scheduleRefetch(client, state);
}

/** Every query that shows these changes is read again by the next screen that shows it; what is on screen stays. */
export function markOutdated(client: QueryClient, changes: Change[]): void {
  const affected = ({ queryKey, state: { data } }: Query) => isAffected({ queryKey, data }, changes);
  void client.invalidateQueries({ predicate: affected, refetchType: "none" });
}

/** Calls `listener` with the changes of every call, in this tab and the others. Returns the unsubscribe function. */
export function onChanges(client: QueryClient, listener: (changes: Change[]) => void): () => void {
  const { listeners } = stateOf(client);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The first refetch runs at once, after the caller has stored its answer; later ones are batched. */
function scheduleRefetch(client: QueryClient, state: State): void {
  if (state.timer !== undefined) return;
  const wait = Math.max(0, state.lastRefetch + REFETCH_INTERVAL_MS - Date.now());
  state.timer = setTimeout(() => {
    state.timer = undefined;
    state.lastRefetch = Date.now();
    const due = new Set(state.due);
    state.due.clear();
    void client.refetchQueries({ type: "active", predicate: ({ queryHash }) => due.has(queryHash) });
  }, wait);
}

/** Did this query change so recently that a page arriving now may hold older data? */
export function isRecentlyInvalidated(client: QueryClient, query: { queryKey: QueryKey; data?: unknown }): boolean {
  const now = Date.now();
  return stateOf(client).recent.some(({ changes, at }) => now - at < PAGE_TRANSIT_MS && isAffected(query, changes));
}

/** Stores a call's answer as the data of a query, which then needs no refetch for that call. */
export function setAnswer<T>(client: QueryClient, queryKey: QueryKey, answer: T): void {
  client.setQueryData(queryKey, answer);
  stateOf(client).due.delete(hashKey(queryKey));
  // It is still stale when it is next opened: other changes may not be in the answer.
  void client.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
}

/** Refetches an active query without waiting for the next batch. Its failure is toasted as usual, not thrown. */
export async function refetchNow(client: QueryClient, queryKey: QueryKey): Promise<void> {
  stateOf(client).due.delete(hashKey(queryKey));
  await client.refetchQueries({ queryKey, exact: true, type: "active" });
}

/**
 * Invalidates what each call of our API changes, in this tab and the others, and follows a call whose page is gone until its
 * deadline. Failed calls count too: perhaps only the answer was lost.
 */
export function invalidateOnApiCalls(client: QueryClient): () => void {
  const tabs = connectTabs((changes) => invalidate(client, changes));
  const unsubscribe = onApiCall((call) => {
    const expected = changesOf(call);
    if (expected.length === 0) return () => undefined;
    const { maxSeconds, isIncremental } = operationOf(call) ?? {};
    const running = maxSeconds === undefined ? undefined : tabs.startCall(expected, maxSeconds);
    const timer = isIncremental ? setInterval(() => report(expected), PROGRESS_INTERVAL_MS) : undefined;
    return (answer, error) => {
      clearInterval(timer);
      if (isAnswerLost(error)) running?.abandon();
      else running?.end();
      if (!error) report(changesOf({ ...call, answer }));
      else if (!changedNothing(error)) report(expected);
    };
  });

  function report(changes: Change[]) {
    invalidate(client, changes);
    tabs.broadcast(changes);
  }

  return () => {
    unsubscribe();
    tabs.disconnect();
  };
}

/** Was the call aborted, or disconnected as when the page unloads? The server carries on. */
function isAnswerLost(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}

/** Was the call rejected because of its input or its sender, before anything was written? */
function changedNothing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || REJECTIONS.has(error.type ?? "INTERNAL");
}

const REJECTIONS: ReadonlySet<ErrorType> = new Set([
  "VALIDATION_ERROR",
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "PAYLOAD_TOO_LARGE",
  "RATE_LIMITED",
  "STORAGE_FULL",
]);
