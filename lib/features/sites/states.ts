/** The statuses that publishing gives a piece; a trashed or deleted post leaves it unpublished. */
export const POST_STATUSES = ["unpublished", "wp_draft", "wp_published", "wp_failed"] as const;
export type PostStatus = (typeof POST_STATUSES)[number];
