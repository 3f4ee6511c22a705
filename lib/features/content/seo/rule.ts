import type { Material, Place } from "@/lib/features/content/seo/material";

/** How a rule judges a piece: all of its points, half of them, none, or it says nothing. */
export type Mark = "good" | "fair" | "poor" | "unknown";

/** What a rule says of a piece. `value` is the figure that it judges, as record 0201 defines it. */
export type Verdict = {
  mark: Mark;
  value: number | null;
  /** What the rule has found, as a sentence. */
  what: string;
  /** How to mend it, as a sentence; null where nothing is to be done. */
  mend: string | null;
  /** Where in the body it is. */
  places: Place[];
};

export type Rule = {
  name: string;
  /** Why it matters, as a sentence. */
  why: string;
  judge: (material: Material) => Verdict;
};

export function good(value: number | null, what: string): Verdict {
  return { mark: "good", value, what, mend: null, places: [] };
}

export function fair(value: number | null, what: string, mend: string, places: Place[] = []): Verdict {
  return { mark: "fair", value, what, mend, places };
}

export function poor(value: number | null, what: string, mend: string, places: Place[] = []): Verdict {
  return { mark: "poor", value, what, mend, places };
}

/** `what` is the reason. A value may be known all the same. */
export function unknown(what: string, value: number | null = null): Verdict {
  return { mark: "unknown", value, what, mend: null, places: [] };
}

/** A value as examples and screens have it: one decimal. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
