import "server-only";
import { z } from "zod";
import { hasCode, WordPressWriteError } from "@/lib/wordpress/failures";
import { type createRequester, unexpectedAnswer } from "@/lib/wordpress/request";
import { createdPost, foundPosts, LIST_MAX, post, type WordPressPost } from "@/lib/wordpress/schema";

export type PostStatus = "draft" | "publish";

/** Omitted fields stay as they are; `categories: []` clears them. */
export type PostFields = {
  title: string;
  /** Block markup, see `renderPost`. */
  content: string;
  slug?: string;
  categories?: number[];
  status?: PostStatus;
  excerpt?: string;
};

export type NewPost = {
  /** A unique slug such as `<prefix>-<id>`, which finds a post whose creation went unanswered. */
  marker: string;
  post: PostFields;
  /** Stores the id before the post changes further. */
  onDraft(id: number): Promise<void>;
  /** An earlier attempt went unanswered: look for its post first. */
  mayExist?: boolean;
};

export type ReadPost = ({ state: "found" } & WordPressPost) | { state: "gone" };

export function postCalls(request: ReturnType<typeof createRequester>) {
  return { publishNew, createDraft, updatePost, setStatus, readPost, findByMarker, findBySlug };

  /**
   * Creates a post in two phases, so that a lost response never creates a second one: first an invisible draft under
   * the marker, whose id is stored, then its text, slug and status ("publish" by default). A draft whose creation went
   * unanswered is found and adopted. At worst one draft is left over.
   */
  async function publishNew({ marker, post: fields, onDraft, mayExist = false }: NewPost): Promise<WordPressPost> {
    const known = mayExist ? await findByMarker(marker) : null;
    const { id } = known ?? (await createOrAdopt(marker, fields.title));
    await onDraft(id);
    // An empty slug lets WordPress make one from the title; the marker never stays.
    return updatePost(id, { status: "publish", slug: "", ...fields });
  }

  async function createOrAdopt(marker: string, title: string): Promise<{ id: number }> {
    try {
      return await createDraft({ slug: marker, title });
    } catch (error) {
      if (!(error instanceof WordPressWriteError) || error.outcome !== "unknown") throw error;
      // If the lookup fails too, report the write's failure.
      const adopted = await findByMarker(marker).catch(() => null);
      if (!adopted) throw error;
      return adopted;
    }
  }

  /** Phase one. WordPress requires a title or a text. */
  async function createDraft(draft: { slug: string; title: string }): Promise<{ id: number }> {
    const body = { ...draft, status: "draft" };
    const reply = await request({ path: "wp/v2/posts", query: { _fields: "id" }, body });
    const created = createdPost.safeParse(reply.json);
    // A site without WordPress answers an unknown POST with 200 and its home page.
    if (reply.status !== 201 || !created.success) throw unexpectedAnswer(true);
    return created.data;
  }

  /** Returns the post as WordPress stored it. Throws REMOTE_GONE when it was deleted. */
  async function updatePost(id: number, fields: Partial<PostFields>): Promise<WordPressPost> {
    const reply = await request({
      path: `wp/v2/posts/${id}`,
      query: { context: "edit", _fields: POST_FIELDS },
      body: fields,
    });
    const updated = post.safeParse(reply.json);
    if (!updated.success || updated.data.id !== id) throw unexpectedAnswer(true);
    return updated.data;
  }

  /** Publishes or withdraws; slug and date stay. */
  async function setStatus(id: number, status: PostStatus): Promise<WordPressPost> {
    return updatePost(id, { status });
  }

  /** As the editor sees it, including the trash (`status: "trash"`). */
  async function readPost(id: number): Promise<ReadPost> {
    try {
      const reply = await request({ path: `wp/v2/posts/${id}`, query: { context: "edit", _fields: POST_FIELDS } });
      const found = post.safeParse(reply.json);
      if (!found.success || found.data.id !== id) throw unexpectedAnswer(false);
      return { state: "found", ...found.data };
    } catch (error) {
      if (hasCode(error, "rest_post_invalid_id")) return { state: "gone" };
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
      _fields: POST_FIELDS,
    };
    const reply = await request({ path: "wp/v2/posts", query });
    const found = z.array(post).max(LIST_MAX).safeParse(reply.json);
    if (!found.success) throw unexpectedAnswer(false);
    return found.data.find((each) => each.slug === slug) ?? null;
  }

  /** The oldest post under this slug, the trash included. */
  async function findByMarker(marker: string): Promise<{ id: number; status: string } | null> {
    const query = {
      slug: `${marker},${marker}__trashed`,
      status: "any,trash",
      context: "edit",
      orderby: "id",
      order: "asc",
      _fields: "id,status",
    };
    const reply = await request({ path: "wp/v2/posts", query });
    const found = foundPosts.safeParse(reply.json);
    if (!found.success) throw unexpectedAnswer(false);
    return found.data[0] ?? null;
  }
}

export const POST_FIELDS = "id,status,link,slug,title.raw,content.raw,categories,guid.raw,date_gmt";
