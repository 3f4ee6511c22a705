import "server-only";
import { type Requester, unexpectedAnswer } from "@/lib/wordpress/request";
import { type SiteIndex, siteIdentity } from "@/lib/wordpress/schema";

export function siteIndexCall(request: Requester) {
  /** What the site says of itself. We send the login, except `asVisitor`: a members-only site says nothing to visitors. */
  return async function readIndex({ asVisitor = false } = {}): Promise<SiteIndex> {
    const reply = await request({ path: "", query: { _fields: FIELDS }, anonymous: asVisitor });
    const index = reply.read(siteIdentity);
    if (!index.success) throw unexpectedAnswer(false);
    return index.data;
  };
}

/** One route of some hundred: 1 KB instead of the whole index's 160. */
const FIELDS = "name,url,home,namespaces,authentication,routes./batch/v1";
