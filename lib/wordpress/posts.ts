import "server-only";
import { z } from "zod";
import { hasCode } from "@/lib/wordpress/failures";
import { META_QUERY, type PostMeta } from "@/lib/wordpress/meta";
import { type Requester, unexpectedAnswer } from "@/lib/wordpress/request";
import { LIST_MAX, post, publicPost, type WordPressPost } from "@/lib/wordpress/schema";

/** Omitted fields stay as they are; `categories: []` clears them. */
export type PostFields = {
  title: string;
  /** Block markup, see `renderPost`. */
  content: string;
  slug?: string;
  excerpt?: string;
  categories?: number[];
  status?: "draft" | "publish";
  /** Null dates the post now, by the site's clock: WordPress schedules one whose date is in the future. */
  date_gmt?: string | null;
  /** Keys that the site has not shown are dropped there in silence. */
  meta?: PostMeta;
};

export type ReadPost = ({ state: "found" } & WordPressPost) | { state: "gone" };

export function postCalls(request: Requester) {
  return { readPost, readPublicPost, findBySlug };

  /** Reads the post as the editor sees it, including the trash (`status: "trash"`). */
  async function readPost(id: number): Promise<ReadPost> {
    try {
      const reply = await request({ path: `wp/v2/posts/${id}`, query: { context: "edit", _fields: READ_FIELDS } });
      const found = reply.read(post);
      if (!found.success || found.data.id !== id) throw unexpectedAnswer(false);
      return { state: "found", ...found.data };
    } catch (error) {
      if (hasCode(error, "rest_post_invalid_id")) return { state: "gone" };
      throw error;
    }
  }

  /** Reads the post as any visitor sees it; null if it is not public. */
  async function readPublicPost(id: number): Promise<z.infer<typeof publicPost> | null> {
    try {
      const reply = await request({ path: `wp/v2/posts/${id}`, query: { _fields: "id,guid.rendered,date_gmt,slug" } });
      const found = reply.read(publicPost);
      if (!found.success || found.data.id !== id) throw unexpectedAnswer(false);
      return found.data;
    } catch (error) {
      if (hasCode(error, "rest_forbidden", "rest_post_invalid_id")) return null;
      throw error;
    }
  }

  /** The oldest post under this slug that the account may edit. */
  async function findBySlug(slug: string): Promise<WordPressPost | null> {
    const query = {
      slug,
      status: "any",
      context: "edit",
      orderby: "id",
      order: "asc",
      per_page: 1,
      _fields: READ_FIELDS,
    };
    const reply = await request({ path: "wp/v2/posts", query });
    const found = reply.read(z.array(post).max(LIST_MAX));
    if (!found.success) throw unexpectedAnswer(false);
    return found.data.find((each) => each.slug === slug) ?? null;
  }
}

/** What a write answers, without the categories: WordPress looks them up for each post. */
export const POST_FIELDS = `id,status,link,slug,title.raw,content.raw,guid.raw,date_gmt,modified_gmt,${META_QUERY}`;
/** What a post is read with: an update sends the categories that others gave it too, and replaces no excerpt that others wrote. */
export const READ_FIELDS = `${POST_FIELDS},categories,excerpt.raw`;
