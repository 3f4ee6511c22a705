import "server-only";
import { Reply } from "@/lib/transport/reply";
import type { CursorPage } from "@/lib/utils/cursor-page";

/** A plain JSON array; the next page is in `Link: <…>; rel="next"` (RFC 8288). */
export function pageReply<T>(request: Request, page: CursorPage<T>): Reply<T[]> {
  if (!page.nextCursor) return new Reply(page.items);
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("cursor", page.nextCursor);
  return new Reply(page.items, { headers: { link: `<${pathname}?${searchParams}>; rel="next"` } });
}
