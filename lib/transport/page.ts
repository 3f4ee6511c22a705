import "server-only";
import { Reply } from "@/lib/transport/reply";
import type { Page } from "@/lib/utils/page";

/** A page as a plain JSON array; where the next one begins stands in `Link: <…>; rel="next"` (RFC 8288). */
export function pageReply<T>(request: Request, page: Page<T>): Reply<T[]> {
  if (!page.nextCursor) return new Reply(page.items);
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("cursor", page.nextCursor);
  return new Reply(page.items, { headers: { link: `<${pathname}?${searchParams}>; rel="next"` } });
}
