import { type QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, api } from "@/lib/client/api";

/**
 * Data never goes stale by itself, nothing is fetched again on focus or by a clock, and nothing is tried twice: a mutation
 * refreshes exactly what it touches. Without a network a call fails at once and says so, instead of waiting silently.
 * The queue's status and the site's categories say otherwise where they are asked for.
 */
export function createQueryClient(queryCache?: QueryCache): QueryClient {
  return new QueryClient({
    ...(queryCache ? { queryCache } : {}),
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey }) => fetchKey(String(queryKey[0])),
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** GETs the address; for the current user a 401 means nobody, not an error. */
async function fetchKey(url: string): Promise<unknown> {
  try {
    return await api("GET", url);
  } catch (error) {
    if (url === "/api/user" && error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
