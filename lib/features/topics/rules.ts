/** Suggestions added in one call. */
export const MAX_SUGGESTED = 100;
