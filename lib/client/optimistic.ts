"use client";

import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  replaceEqualDeep,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutationState,
  useQuery,
} from "@tanstack/react-query";
import { useCallback } from "react";

/** What a mutation does to the data of every query under a key. Pure: it runs on each render while the mutation is pending. */
export type Edit = { queryKey: QueryKey; apply: (data: never, queryKey: QueryKey) => unknown };

export function edit<T>(queryKey: QueryKey, apply: (data: T, queryKey: QueryKey) => T): Edit {
  return { queryKey, apply };
}

/** Every optimistic mutation carries this key, and its edits as its context (useOptimisticMutation). */
export const OPTIMISTIC = ["optimistic"] as const;

const PENDING = { mutationKey: OPTIMISTIC, status: "pending" } as const;

/**
 * useQuery with the edits of pending mutations on top. The cache holds only what the server has confirmed, so nothing is rolled
 * back: a mutation that fails is no longer pending, and its own edits disappear.
 */
export function useOptimisticQuery<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>) {
  const withPending = usePendingEdits();
  return useQuery({ ...options, select: (data: T) => withPending(options.queryKey, data) });
}

/** Does what useOptimisticQuery does, for a list that comes page by page. */
export function useOptimisticInfiniteQuery<Page, K extends QueryKey, Param>(
  options: UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, K, Param>,
) {
  const withPending = usePendingEdits();
  return useInfiniteQuery({
    ...options,
    select: (data: InfiniteData<Page>) => withPending(options.queryKey, data),
  });
}

/** Returns a function that applies the edits of pending mutations to a query's data; a new one whenever they change. */
export function usePendingEdits(): <T>(queryKey: QueryKey, data: T) => T {
  const edits = useMutationState({ filters: PENDING, select: ({ state }) => (state.context ?? []) as Edit[] });
  return useCallback((queryKey, data) => applyEdits(edits.flat(), queryKey, data), [edits]);
}

/** What the screen shows of a query, outside of rendering. */
export function optimisticData<T>(client: QueryClient, queryKey: QueryKey): T | undefined {
  const mutations = client.getMutationCache().findAll(PENDING);
  const edits = mutations.flatMap(({ state }) => (state.context ?? []) as Edit[]);
  return applyEdits(edits, queryKey, client.getQueryData<T>(queryKey));
}

/** The server agreed: the edits stay in the cache until the lists have been fetched again. */
export function commitEdits(client: QueryClient, edits: Edit[]): void {
  for (const each of edits) {
    for (const [queryKey, data] of client.getQueriesData({ queryKey: each.queryKey })) {
      const edited = replaceEqualDeep(data, applyEdits([each], queryKey, data));
      if (edited === data) continue;
      // A fetch that is in flight may have been answered before the edit.
      void client.cancelQueries({ queryKey, exact: true }, { silent: true });
      client.setQueryData(queryKey, edited);
      // setQueryData counts as a fetch, and this list has yet to be fetched.
      void client.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
    }
  }
}

function applyEdits<T>(edits: Edit[], queryKey: QueryKey, data: T): T {
  if (data === undefined) return data;
  const own = edits.filter((each) => each.queryKey.every((part, index) => part === queryKey[index]));
  return own.reduce<T>((edited, { apply }) => apply(edited as never, queryKey) as T, data);
}
