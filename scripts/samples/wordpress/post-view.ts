import { decodeEntities } from "@/lib/utils/plain-text";
import type { RestContext } from "@/scripts/samples/wordpress/rest-answers";
import type { StoredPost } from "@/scripts/samples/wordpress/store";
import { escapeHtml, renderedBlocks } from "@/scripts/samples/wordpress/text";

/** A post's permalink, or its address by id while it is not public. */
export function postLink(
  { siteUrl, permalinks }: Pick<RestContext, "siteUrl" | "permalinks">,
  post: StoredPost,
): string {
  const isPretty = permalinks === "pretty" && post.status === "publish";
  return isPretty ? `${siteUrl}/${post.slug}/` : `${siteUrl}/?p=${post.id}`;
}

/** A post as in the REST API, with raw texts in the edit context. */
export function shownPost(context: RestContext, post: StoredPost, isEdit: boolean) {
  const { id, status, slug, date, modified, author, categories } = post;
  const title = escapeHtml(post.title);
  const content = renderedBlocks(post.content);
  const raw = (text: string) => (isEdit ? { raw: text } : {});
  return {
    id,
    date,
    date_gmt: date,
    guid: { ...raw(post.guid), rendered: escapeHtml(post.guid) },
    modified,
    modified_gmt: modified,
    slug,
    status,
    type: "post",
    link: postLink(context, post),
    title: { ...raw(post.title), rendered: title },
    content: { ...raw(post.content), rendered: content, protected: false },
    excerpt: { ...raw(post.excerpt), rendered: escapeHtml(shortText(post)), protected: false },
    author,
    featured_media: 0,
    comment_status: "open",
    ping_status: "open",
    sticky: false,
    template: "",
    format: "standard",
    meta: shownMeta(context, post),
    categories,
    tags: [],
  };
}

/** PHP encodes an empty record as a list. */
function shownMeta({ meta: { keys } }: RestContext, { meta = {} }: StoredPost) {
  return keys.length === 0 ? [] : Object.fromEntries(keys.map((key) => [key, meta[key] ?? ""]));
}

/** The excerpt, or the first 55 words. */
export function shortText({ excerpt, content }: Pick<StoredPost, "excerpt" | "content">): string {
  if (excerpt !== "") return excerpt;
  const words = decodeEntities(
    renderedBlocks(content)
      .replace(/<\/(?:p|h\d|li|t[dh]|pre)>|<br \/>/g, " ")
      .replace(/<[^>]*>/g, ""),
  )
    .trim()
    .split(/\s+/);
  return words.length > 55 ? `${words.slice(0, 55).join(" ")} …` : words.join(" ");
}
