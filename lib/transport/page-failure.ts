import "server-only";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";

/**
 * A page, or a layout, whose failure carries the request's id as its digest: Next sends nothing else of an error to the
 * browser, so what a person reads on the error page is what stands in the log.
 */
export function withRequestId<A extends unknown[], R>(render: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await render(...args);
    } catch (error) {
      // Redirects and not-found travel as errors too.
      unstable_rethrow(error);
      const requestId = (await headers()).get("x-request-id");
      if (requestId && error instanceof Error) Object.assign(error, { digest: requestId });
      throw error;
    }
  };
}
