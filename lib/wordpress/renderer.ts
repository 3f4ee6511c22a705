/**
 * The version of our Markdown renderer (lib/markdown and blocks.ts), stored with each post. Raise it when the same text
 * gives other HTML, as the snapshots of whole posts show. 1 was remark.
 */
export const RENDERER_VERSION = 5;
