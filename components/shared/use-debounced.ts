"use client";

import { useEffect, useState } from "react";

/** Short enough to feel instant, long enough to search once a word rather than once a letter. */
const DEBOUNCE_MS = 200;

/** The text once typing pauses. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
