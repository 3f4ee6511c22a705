"use client";

import {
  type DehydratedState,
  dehydrate,
  HydrationBoundary,
  hydrate,
  QueryClient,
  useQueryClient,
} from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { isRecentlyInvalidated } from "@/lib/client/invalidation";

/**
 * HydrationBoundary that goes by the browser's clock and never overwrites newer data: a page may have been read on the server
 * before a change that was made while it was in flight, and the router keeps pages for the back button.
 */
export function PageData({ state, children }: { state: DehydratedState; children: ReactNode }) {
  const client = useQueryClient();
  const dated = useMemo(() => withBrowserDates(client, state), [client, state]);
  return <HydrationBoundary state={dated}>{children}</HydrationBoundary>;
}

/** When each page first arrived. The router passes the same object whenever it shows that page again. */
const arrivals = new WeakMap<DehydratedState, number>();
/** A page may render more than once while it arrives. */
const ARRIVING_MS = 30_000;

function withBrowserDates(client: QueryClient, state: DehydratedState): DehydratedState {
  const now = Date.now();
  const arrivedAt = arrivals.get(state) ?? now;
  arrivals.set(state, arrivedAt);
  const isFromRouter = now - arrivedAt > ARRIVING_MS;
  const page = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } });
  hydrate(page, state);
  for (const [queryKey, data] of page.getQueriesData({})) {
    const isOld = isFromRouter || isRecentlyInvalidated(client, { queryKey, data });
    // With 0 it loses to whatever is cached; where nothing is, it shows and is refetched.
    page.setQueryData(queryKey, data, { updatedAt: isOld ? 0 : arrivedAt });
    if (isOld) void page.invalidateQueries({ queryKey, exact: true });
  }
  return dehydrate(page);
}
