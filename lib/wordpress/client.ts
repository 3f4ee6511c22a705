import "server-only";
import { categoryCalls } from "@/lib/wordpress/categories";
import { connectionCheck } from "@/lib/wordpress/connection-check";
import { postCalls } from "@/lib/wordpress/posts";
import { createRequester, type WordPressLogin } from "@/lib/wordpress/request";

export type WordPressClient = ReturnType<typeof createWordPressClient>;

/**
 * One site through its REST API, for one login. Every call throws an AppError whose sentence says what to do next:
 * CONNECTION_ERROR (nothing usable answered), WORDPRESS_FORBIDDEN (the account may not), WORDPRESS_REJECTED (the site's own
 * reason, or a wrong login), REMOTE_GONE (the post is no more). A write that was sent throws a WordPressWriteError of those
 * types, whose `outcome` is "refused" or "unknown".
 */
export function createWordPressClient(login: WordPressLogin) {
  const request = createRequester(login);
  return { checkConnection: connectionCheck(request, login), ...categoryCalls(request), ...postCalls(request) };
}
