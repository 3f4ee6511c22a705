"use client";

import { useId, useState } from "react";
import { Button } from "@/components/ui/button";

/** Entries shown before "Show all". */
const INITIAL_COUNT = 8;

/** Shortens a list, and lengthens it with a button. */
export function useShowAll<T>(entries: T[]) {
  const [isExpanded, setExpanded] = useState(false);
  const listId = useId();
  const button =
    entries.length > INITIAL_COUNT ? (
      <Button
        variant="outline"
        className="w-fit"
        aria-expanded={isExpanded}
        aria-controls={listId}
        onClick={() => setExpanded(!isExpanded)}
      >
        {isExpanded ? "Show fewer" : `Show all ${entries.length}`}
      </Button>
    ) : null;
  return { listId, isExpanded, button, shown: isExpanded ? entries : entries.slice(0, INITIAL_COUNT) };
}
