export const MAX_SUGGESTED = 100;
