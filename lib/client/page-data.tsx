"use client";

import { type DehydratedState, HydrationBoundary, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { isJustChanged } from "@/lib/client/live";

/**
 * Hands a page's first data to React Query, as HydrationBoundary does, but by the browser's clock alone and never over
 * something newer: a page may have been read before a change that is told here while it is on its way, and the router keeps
 * pages for the back button long after their data is old.
 */
export function PageData({ state, children }: { state: DehydratedState; children: ReactNode }) {
  const client = useQueryClient();
  const trusted = useMemo(() => withOwnClock(client, state), [client, state]);
  return <HydrationBoundary state={trusted}>{children}</HydrationBoundary>;
}

/** When a page came here first. The router hands out the very same object each time it shows that page again. */
const arrivals = new WeakMap<DehydratedState, number>();
/** A page is drawn more than once while it arrives. */
const ARRIVING_MS = 30_000;

function withOwnClock(client: QueryClient, state: DehydratedState): DehydratedState {
  const now = Date.now();
  const arrivedAt = arrivals.get(state) ?? now;
  arrivals.set(state, arrivedAt);
  const isKept = now - arrivedAt > ARRIVING_MS;
  const queries = state.queries.map((query) => {
    const isOld = isKept || isJustChanged(client, { queryKey: query.queryKey, data: query.state.data });
    // At 0 it loses against anything that is here already, and is fetched again where nothing is.
    return { ...query, state: { ...query.state, dataUpdatedAt: isOld ? 0 : arrivedAt, isInvalidated: isOld } };
  });
  return { ...state, queries };
}
