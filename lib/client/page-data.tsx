"use client";

import { type DehydratedState, HydrationBoundary, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { isJustChanged } from "@/lib/client/live";

/**
 * HydrationBoundary that goes by the browser's clock alone and never overwrites newer data: a page may have been read on the
 * server before a change that was reported while it was in flight, and the router keeps pages for the back button.
 */
export function PageData({ state, children }: { state: DehydratedState; children: ReactNode }) {
  const client = useQueryClient();
  const trusted = useMemo(() => withOwnClock(client, state), [client, state]);
  return <HydrationBoundary state={trusted}>{children}</HydrationBoundary>;
}

/** When each page first arrived. The router passes the same object whenever it shows that page again. */
const arrivals = new WeakMap<DehydratedState, number>();
/** A page may render more than once while it arrives. */
const ARRIVING_MS = 30_000;

function withOwnClock(client: QueryClient, state: DehydratedState): DehydratedState {
  const now = Date.now();
  const arrivedAt = arrivals.get(state) ?? now;
  arrivals.set(state, arrivedAt);
  const isKept = now - arrivedAt > ARRIVING_MS;
  const queries = state.queries.map((query) => {
    const isOld = isKept || isJustChanged(client, { queryKey: query.queryKey, data: query.state.data });
    // At 0 it loses to whatever is cached; where nothing is, it shows and is refetched.
    return { ...query, state: { ...query.state, dataUpdatedAt: isOld ? 0 : arrivedAt, isInvalidated: isOld } };
  });
  return { ...state, queries };
}
