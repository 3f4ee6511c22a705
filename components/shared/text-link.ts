/** Classes of a link within text. */
export const textLink = "rounded-xs text-link underline decoration-link/40 underline-offset-3 hover:decoration-current";
