import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/client/query-keys";

/** The id of the user who is signed in, as far as this page knows. */
export function currentUserId(client: QueryClient): string | undefined {
  return client.getQueryData<{ id: string } | null>(keys.user())?.id;
}
