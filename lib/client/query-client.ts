import { type QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, api } from "@/lib/client/api";
import { keys, LOCAL_STATE } from "@/lib/client/query-keys";

/**
 * Data never goes stale by itself: lib/client/invalidation.ts marks what each call changes. There is no polling, no refetch
 * on focus and no retry, except where a query says so. Without a network a call fails at once instead of waiting silently.
 */
export function createQueryClient(queryCache?: QueryCache): QueryClient {
  const client = new QueryClient({
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
  // Local state has no observers, and must not be garbage-collected while its screen is closed.
  client.setQueryDefaults([LOCAL_STATE], { gcTime: Number.POSITIVE_INFINITY });
  return client;
}

/** GETs the address. For the current user a 401 means that nobody is signed in and is not an error. */
async function fetchKey(url: string): Promise<unknown> {
  try {
    return await api("GET", url);
  } catch (error) {
    if (url === keys.user()[0] && error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
