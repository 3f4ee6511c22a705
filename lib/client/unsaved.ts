"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/client/query-keys";
import { useCached } from "@/lib/client/use-cached";

/** What a person typed and the server refused, by what it belongs to. */
type Texts = Readonly<Record<string, string>>;

const NONE: Texts = {};

/**
 * Keeps a refused text, so that its field can show it again, also when the field is not on the screen any more. It goes with
 * the tab, and with the rest of the cache when somebody else signs in.
 */
export function keepUnsaved(client: QueryClient, place: string, id: string | number, text: string): void {
  // Nothing watches it as a query, and it must not end while somebody corrects it.
  client.setQueryDefaults(keys.allUnsaved(), { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<Texts>(keys.unsaved(place), (texts = NONE) => ({ ...texts, [id]: text }));
}

/** The refused texts of a place, and how one is dropped when the person saves it again or lets it go. */
export function useUnsaved(place: string): [Texts, drop: (id: string | number) => void] {
  const client = useQueryClient();
  const texts = useCached<Texts>(keys.unsaved(place)) ?? NONE;
  const drop = (id: string | number) =>
    client.setQueryData<Texts>(keys.unsaved(place), (now) => {
      if (!now || !(id in now)) return now;
      const { [id]: _, ...left } = now;
      return left;
    });
  return [texts, drop];
}
