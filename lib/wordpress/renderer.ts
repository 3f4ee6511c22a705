/**
 * The version of what makes a post's HTML of Markdown (lib/markdown and blocks.ts), noted with each post. Raise it whenever
 * the same text becomes other HTML; the golden corpus in tests/support/golden says when that is. 1 was remark.
 */
export const RENDERER = 2;
