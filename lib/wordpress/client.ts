import "server-only";
import { batchCalls } from "@/lib/wordpress/batch-writes";
import { categoryCalls } from "@/lib/wordpress/categories";
import { connectionCheck } from "@/lib/wordpress/connection-check";
import { manyPostCalls } from "@/lib/wordpress/many-posts";
import { postCalls } from "@/lib/wordpress/posts";
import { batchSizeOf, createRequester, type WordPressLogin } from "@/lib/wordpress/request";
import { seoPressCalls } from "@/lib/wordpress/seopress";
import { siteIndexCall } from "@/lib/wordpress/site-index";
import { siteReportCall } from "@/lib/wordpress/site-report";

export type WordPressClient = ReturnType<typeof createWordPressClient>;

/**
 * One site's REST API for one login. Every call throws an AppError that says what to do: CONNECTION_ERROR (no usable
 * answer), WORDPRESS_FORBIDDEN (missing permission), WORDPRESS_REJECTED (the site's reason, or a wrong login),
 * REMOTE_GONE (post deleted). A write that was sent throws a WordPressWriteError of those types, with `outcome`
 * "refused" or "unknown".
 */
export function createWordPressClient(login: WordPressLogin) {
  const request = createRequester(login);
  const readIndex = siteIndexCall(request);
  return {
    checkConnection: connectionCheck(request, login),
    readIndex,
    reportSite: siteReportCall(login, readIndex),
    batchSize: batchSizeOf(login),
    ...categoryCalls(request),
    ...postCalls(request),
    ...manyPostCalls(request),
    ...batchCalls(request, login, readIndex),
    ...seoPressCalls(request),
  };
}
