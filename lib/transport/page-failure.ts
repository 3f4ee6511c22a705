import "server-only";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";

/**
 * Sets the request's id as the digest of a page's or layout's error. Next sends the browser nothing else, so the id on
 * the error page is the one in the log.
 */
export function withRequestId<A extends unknown[], R>(render: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await render(...args);
    } catch (error) {
      // Redirects and not-found are errors too.
      unstable_rethrow(error);
      const requestId = (await headers()).get("x-request-id");
      if (requestId && error instanceof Error) Object.assign(error, { digest: requestId });
      throw error;
    }
  };
}
