"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";

/** Texts that the server rejected, by the id of what they belong to. */
type Texts = Readonly<Record<string, string>>;

const NONE: Texts = {};

/** Keeps a rejected text for its field, also while the field is not on the screen. It is gone with the tab or the session. */
export function saveRejectedText(client: QueryClient, place: string, id: string | number, text: string): void {
  client.setQueryData<Texts>(keys.rejectedTexts(place), (texts = NONE) => ({ ...texts, [id]: text }));
}

/** The rejected texts of a place. `drop` one when the user saves it again or discards it. */
export function useRejectedText(place: string): [Texts, drop: (id: string | number) => void] {
  const client = useQueryClient();
  const texts = useQueryData<Texts>(keys.rejectedTexts(place)) ?? NONE;
  const drop = (id: string | number) =>
    client.setQueryData<Texts>(keys.rejectedTexts(place), (now) => {
      if (!now || !(id in now)) return now;
      const { [id]: _, ...rest } = now;
      return rest;
    });
  return [texts, drop];
}
