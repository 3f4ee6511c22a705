import "server-only";
import { z } from "zod";
import { encodeTitle } from "@/lib/wordpress/entities";
import type { MetaField } from "@/lib/wordpress/meta";
import { type Requester, unexpectedAnswer } from "@/lib/wordpress/request";

/** By this the index of a site shows that SEOPress is active. */
export const SEOPRESS_NAMESPACE = "seopress/v1";

const success = z.object({ code: z.literal("success") });

export function seoPressCalls(request: Requester) {
  return { writeSeoPress };

  /**
   * Gives a post those of these fields that have a text, by SEOPress' own routes. They need the same permission: after a refusal of
   * the first, the second is not asked. Source: https://www.seopress.org/support/guides/get-started-with-the-seopress-rest-api/
   */
  async function writeSeoPress(id: number, fields: Partial<Record<MetaField, string>>): Promise<void> {
    const { metaTitle, metaDescription, focusKeyword } = fields;
    if (metaTitle || metaDescription)
      await put(id, "title-description-metas", { title: encoded(metaTitle), description: encoded(metaDescription) });
    if (focusKeyword) await put(id, "target-keywords", { _seopress_analysis_target_kw: encoded(focusKeyword) });
  }

  async function put(id: number, route: string, body: Record<string, string | undefined>): Promise<void> {
    // WordPress takes such a POST for a PUT, which many firewalls block.
    const path = `${SEOPRESS_NAMESPACE}/posts/${id}/${route}`;
    const reply = await request({ path, query: { _method: "PUT" }, body });
    if (!reply.read(success).success) throw unexpectedAnswer(true);
  }
}

/** SEOPress removes what looks like tags, and deletes a field that is given an empty text. */
function encoded(text: string | undefined): string | undefined {
  return text ? encodeTitle(text) : undefined;
}
