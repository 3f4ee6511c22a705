import "server-only";
import { z } from "zod";
import { isTooLarge, WordPressError } from "@/lib/wordpress/failures";
import { META_QUERY, type PostMeta } from "@/lib/wordpress/meta";
import { READ_FIELDS } from "@/lib/wordpress/posts";
import { type Requester, unexpectedAnswer } from "@/lib/wordpress/request";
import { LIST_MAX, markedPost, post, removedPost, type WordPressPost } from "@/lib/wordpress/schema";

/** `isEmpty`: it has neither a text nor an excerpt. */
export type MarkedPost = { id: number; status: string; isEmpty: boolean; meta: PostMeta };

/** WordPress' own limit. */
const PAGE_SIZE = 100;
const MAX_MARKERS = 50;
/** Many servers refuse a request line of more than 8,000 characters. */
const MAX_SLUGS_LENGTH = 6_000;

export function manyPostCalls(request: Requester) {
  return { readPosts, findByMarkers, removePost };

  /**
   * Reads posts as the editor sees them, the trash included: a request for each hundred, for fewer where their texts are too
   * much for one answer. An absent post is not known to be gone: plugins filter lists, and WordPress leaves out what the
   * account may not edit. Only `readPost` can tell.
   */
  async function readPosts(ids: number[]): Promise<Map<number, WordPressPost>> {
    const found = new Map<number, WordPressPost>();
    let waiting = [...new Set(ids)];
    let size = PAGE_SIZE;
    while (waiting.length > 0) {
      const asked = waiting.slice(0, size);
      // One that is no post does not spoil the others.
      const items = await list(post.nullable().catch(null), {
        include: asked.join(","),
        orderby: "include",
        context: "edit",
        _fields: READ_FIELDS,
      }).catch(nullIfTooLarge);
      if (!items && asked.length > 1) {
        size = Math.ceil(asked.length / 2);
        continue;
      }
      for (const item of items ?? []) if (item && asked.includes(item.id)) found.set(item.id, item);
      waiting = waiting.slice(asked.length);
    }
    return found;
  }

  /** Every post under each of these markers that the account may edit, oldest first. */
  async function findByMarkers(markers: string[]): Promise<Map<string, MarkedPost[]>> {
    const found = new Map<string, MarkedPost[]>(markers.map((marker) => [marker, []]));
    for (const asked of inRequests([...found.keys()])) await look(asked, found);
    return found;
  }

  async function look(markers: string[], found: Map<string, MarkedPost[]>): Promise<void> {
    const markerOf = new Map(markers.flatMap((marker) => slugsOf(marker).map((slug) => [slug, marker] as const)));
    const asked = list(markedPost, {
      slug: [...markerOf.keys()].join(","),
      orderby: "id",
      order: "asc",
      context: "edit",
      _fields: `id,status,slug,content.raw,excerpt.raw,${META_QUERY}`,
    });
    const half = Math.ceil(markers.length / 2);
    const posts = half < markers.length ? await asked.catch(nullIfTooLarge) : await asked;
    if (half < markers.length && (!posts || posts.length >= PAGE_SIZE)) {
      await look(markers.slice(0, half), found);
      await look(markers.slice(half), found);
      return;
    }
    for (const { slug, ...rest } of posts ?? []) {
      const marker = markerOf.get(slug);
      // The site ignores what it was asked for, so its answer cannot show that a post is missing.
      if (marker === undefined) throw unexpectedAnswer(false);
      found.get(marker)?.push(rest);
    }
  }

  async function list<Shape extends z.ZodType>(shape: Shape, filter: Record<string, string>) {
    const query = { ...filter, per_page: PAGE_SIZE, status: "any,trash" };
    const reply = await request({ path: "wp/v2/posts", query });
    const items = reply.read(z.array(shape).max(LIST_MAX));
    if (!items.success) throw unexpectedAnswer(false);
    return items.data;
  }

  /** Removes the post for good, past the trash. A post that is gone already counts as removed. */
  async function removePost(id: number): Promise<void> {
    try {
      const reply = await request({ remove: true, path: `wp/v2/posts/${id}`, query: { force: "true" } });
      if (!reply.read(removedPost).success) throw unexpectedAnswer(true);
    } catch (error) {
      const answer = error instanceof WordPressError ? error.answer : undefined;
      if (answer?.code !== "rest_post_invalid_id" && answer?.status !== 410) throw error;
    }
  }
}

/** WordPress numbers a slug that is taken, a draft's too, and renames it in the trash, where it may be taken as well. */
function slugsOf(marker: string): string[] {
  const slug = marker.toLowerCase();
  return ["", "-2", "-3", "__trashed", "-2__trashed", "__trashed-2"].map((ending) => slug + ending);
}

function inRequests(markers: string[]): string[][] {
  const requests: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const marker of markers) {
    const added = encodeURIComponent(`,${slugsOf(marker).join(",")}`).length;
    const last = requests.at(-1);
    if (last && last.length < MAX_MARKERS && length + added <= MAX_SLUGS_LENGTH) {
      last.push(marker);
      length += added;
    } else {
      requests.push([marker]);
      length = added;
    }
  }
  return requests;
}

function nullIfTooLarge(error: unknown): null {
  if (!isTooLarge(error)) throw error;
  return null;
}
