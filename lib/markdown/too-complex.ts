import { isAppError } from "@/lib/errors";

/**
 * Messages for texts that cannot be rendered; see also complexity.ts and tree-size.ts. Used on the server and in the
 * browser.
 */
export const TOO_MUCH_MEMORY =
  "This text needs more than 256 MB of memory to turn into HTML: it has too many tiny elements. Divide the text, then try again.";

export function tooSlow(seconds: number): string {
  return `This text takes longer than ${seconds} seconds to turn into HTML: it repeats or nests brackets, quotes or emphasis marks too often. Remove them or divide the text, then try again.`;
}

/** Returns null for an error of ours. */
export function tooComplexMessage(error: unknown): string | null {
  if (isAppError(error, "TOO_COMPLEX")) return error.message;
  // "Maximum call stack size exceeded" from recursion over the tree.
  return error instanceof RangeError ? TOO_DEEP : null;
}

const TOO_DEEP =
  "This text has formatting nested too deeply (emphasis, links or images inside each other thousands of times). Remove the nested marks, then try again.";
