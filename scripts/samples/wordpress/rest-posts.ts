import { can, type User } from "@/scripts/samples/wordpress/accounts";
import { shownPost } from "@/scripts/samples/wordpress/post-view";
import {
  forbidden,
  invalidParam,
  notFound,
  pageOf,
  type RestAnswer,
  type RestContext,
  RestError,
  type RestRequest,
} from "@/scripts/samples/wordpress/rest-answers";
import type { Store, StoredPost } from "@/scripts/samples/wordpress/store";
import { filteredHtml, filteredTitle, slugOf, storedMeta } from "@/scripts/samples/wordpress/text";

const STATUSES = ["publish", "future", "draft", "pending", "private"] as const;

/** `/wp/v2/posts`. */
export function posts(context: RestContext, request: RestRequest): RestAnswer {
  return request.method === "GET" ? listPosts(context, request) : createPost(context, request);
}

/** `/wp/v2/posts/{id}`. */
export function post(context: RestContext, request: RestRequest, id: number): RestAnswer {
  const found = context.store.posts.get(id);
  if (!found) throw notFound();
  if (request.method === "GET") return readPost(context, request, found);
  return request.method === "DELETE" ? deletePost(context, request, found) : updatePost(context, request, found);
}

function listPosts(context: RestContext, { query, user }: RestRequest): RestAnswer {
  const isEdit = query.get("context") === "edit";
  if (isEdit && !can(user, "edit_posts")) {
    throw forbidden(user, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.");
  }
  const statuses = (query.get("status") ?? "publish").split(",");
  if (statuses.some((status) => status !== "publish") && !can(user, "edit_posts")) {
    throw invalidParam("status", "Status is forbidden.", "rest_forbidden_status", { status: user ? 403 : 401 });
  }
  const slugs = query.get("slug")?.split(",");
  const ids = query.get("include")?.split(",").map(Number);
  const direction = query.get("order") === "asc" ? 1 : -1;
  const order: Record<string, (a: StoredPost, b: StoredPost) => number> = {
    id: (a, b) => direction * (a.id - b.id),
    include: (a, b) => (ids ?? []).indexOf(a.id) - (ids ?? []).indexOf(b.id),
    date: (a, b) => direction * (a.date.localeCompare(b.date) || a.id - b.id),
  };
  const found = [...context.store.posts.values()]
    .filter((each) => statuses.includes(each.status) || (statuses.includes("any") && each.status !== "trash"))
    .filter((each) => (!slugs || slugs.includes(each.slug)) && (!ids || ids.includes(each.id)))
    .filter((each) => (!isEdit && each.status === "publish") || mayEdit(user, each))
    .sort(order[query.get("orderby") ?? "date"]);
  return pageOf(found, query, (each) => shownPost(context, each, isEdit));
}

function readPost(context: RestContext, { query, user }: RestRequest, found: StoredPost): RestAnswer {
  const isEdit = query.get("context") === "edit";
  if (isEdit && !mayEdit(user, found)) {
    throw forbidden(user, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
  }
  if (found.status !== "publish" && !mayEdit(user, found)) {
    throw forbidden(user, "rest_forbidden", "Sorry, you are not allowed to do that.");
  }
  return { status: 200, body: shownPost(context, found, isEdit) };
}

function createPost(context: RestContext, { body, user }: RestRequest): RestAnswer {
  const { store } = context;
  if (!user || !can(user, "edit_posts")) {
    throw forbidden(user, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.");
  }
  const fields = readFields(body, user);
  if (!fields.title && !fields.content && !fields.excerpt) {
    throw new RestError(400, "empty_content", "Content, title, and excerpt are empty.");
  }
  const now = store.now();
  const id = store.nextPostId();
  const created: StoredPost = {
    id,
    author: user.id,
    status: "draft",
    slug: "",
    title: "",
    content: "",
    excerpt: "",
    categories: [1],
    isDated: false,
    date: now,
    modified: now,
    guid: `${context.siteUrl}/?p=${id}`,
  };
  write(context, created, fields);
  writeMeta(context, created, body.meta);
  const headers = { Location: `${context.restRoot}wp/v2/posts/${created.id}` };
  return { status: 201, body: shownPost(context, created, true), headers };
}

function updatePost(context: RestContext, { body, user }: RestRequest, found: StoredPost): RestAnswer {
  if (!user || !mayEdit(user, found)) {
    throw forbidden(user, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
  }
  write(context, found, readFields(body, user));
  writeMeta(context, found, body.meta);
  return { status: 200, body: shownPost(context, found, true) };
}

function deletePost(context: RestContext, { query, user }: RestRequest, found: StoredPost): RestAnswer {
  const isOwn = user?.id === found.author;
  const needed = found.status === "publish" ? "delete_published_posts" : "delete_posts";
  if (!can(user, needed) || (!isOwn && !can(user, "delete_others_posts"))) {
    throw forbidden(user, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
  }
  if (query.get("force") === "true") {
    const previous = shownPost(context, found, true);
    context.store.posts.delete(found.id);
    context.store.save();
    return { status: 200, body: { deleted: true, previous } };
  }
  trashPost(context, found);
  return { status: 200, body: shownPost(context, found, true) };
}

export function trashPost({ store }: RestContext, found: StoredPost): void {
  if (found.status === "trash") {
    throw new RestError(410, "rest_already_trashed", "The post has already been deleted.");
  }
  const slug = freeSlug(store, found, `${found.slug}__trashed`);
  Object.assign(found, { status: "trash", slug, modified: store.now() });
  store.save();
}

/** A null date is now. */
type Fields = Partial<Pick<StoredPost, "title" | "content" | "excerpt" | "status" | "slug" | "categories">> & {
  date?: string | null;
};

/** A partial post: only the given fields change. */
function readFields(body: Record<string, unknown>, user: User): Fields {
  const raw = (value: unknown) => (typeof value === "object" && value !== null ? Reflect.get(value, "raw") : value);
  const isTrusted = can(user, "unfiltered_html");
  const fields: Fields = {};
  if (body.title !== undefined) fields.title = String(raw(body.title));
  if (body.content !== undefined) fields.content = String(raw(body.content));
  if (body.excerpt !== undefined) fields.excerpt = String(raw(body.excerpt));
  if (!isTrusted) {
    if (fields.title !== undefined) fields.title = filteredTitle(fields.title);
    if (fields.content !== undefined) fields.content = filteredHtml(fields.content);
  }
  if (body.slug !== undefined) fields.slug = slugOf(String(body.slug));
  if (body.date_gmt !== undefined) fields.date = body.date_gmt === null ? null : String(body.date_gmt).slice(0, 19);
  if (body.status !== undefined) fields.status = readStatus(body.status, user);
  if (body.categories !== undefined) fields.categories = readCategories(body.categories);
  return fields;
}

function readStatus(value: unknown, user: User): (typeof STATUSES)[number] {
  const status = STATUSES.find((each) => each === value);
  if (!status) {
    throw invalidParam(
      "status",
      "status is not one of publish, future, draft, pending, and private.",
      "rest_not_in_enum",
    );
  }
  if (status !== "draft" && status !== "pending" && !can(user, "publish_posts")) {
    throw forbidden(user, "rest_cannot_publish", "Sorry, you are not allowed to publish posts in this post type.");
  }
  return status;
}

function readCategories(value: unknown): number[] {
  const ids = Array.isArray(value) ? value.map(Number) : [Number.NaN];
  const wrong = ids.findIndex((id) => !Number.isInteger(id));
  if (wrong >= 0) throw invalidParam("categories", `categories[${wrong}] is not of type integer.`, "rest_invalid_type");
  return ids;
}

function write({ store, refusedWord }: RestContext, found: StoredPost, { date, ...fields }: Fields): void {
  if (refusedWord && (fields.title ?? found.title).toLowerCase().includes(refusedWord)) {
    throw new RestError(
      400,
      "rest_word_refused",
      `This site does not take posts with “${refusedWord}” in their title.`,
    );
  }
  Object.assign(found, fields, { modified: store.now() });
  if (date) Object.assign(found, { date, isDated: true });
  else if (date === null || !found.isDated) found.date = found.modified;
  if (found.status === "publish" || found.status === "future") {
    found.status = isToCome(found) ? "future" : "publish";
    found.isDated = true;
  }
  // WordPress silently drops ids that are not categories.
  if (fields.categories) found.categories = fields.categories.filter((id) => store.categories.has(id));
  const isPlanned = found.status === "draft" || found.status === "pending";
  if (!isPlanned) found.slug = freeSlug(store, found, found.slug || slugOf(found.title) || String(found.id));
  // WordPress itself leaves the slugs of drafts alone, its REST API does not.
  else if (fields.slug) found.slug = freeSlug(store, found, fields.slug);
  store.posts.set(found.id, found);
  store.save();
}

/** Comes last, as in WordPress: a refused key leaves a post that has got its text. */
function writeMeta({ store, meta: { keys, isWritable } }: RestContext, found: StoredPost, given: unknown): void {
  for (const [key, value] of Object.entries(given ?? {})) {
    if (!keys.includes(key) || String(value) === (found.meta?.[key] ?? "")) continue;
    if (!isWritable) {
      const message = `Sorry, you are not allowed to edit the ${key} custom field.`;
      throw new RestError(403, "rest_cannot_update", message, { key, status: 403 });
    }
    found.meta = { ...found.meta, [key]: storedMeta(String(value)) };
  }
  store.save();
}

/** WordPress schedules a post whose date is a minute away, or more. */
function isToCome({ date, modified }: StoredPost): boolean {
  return Date.parse(`${date}Z`) - Date.parse(`${modified}Z`) >= 60_000;
}

function freeSlug(store: Store, found: StoredPost, wanted: string): string {
  const taken = new Set([...store.posts.values()].filter((each) => each !== found).map((each) => each.slug));
  let slug = wanted;
  for (let number = 2; taken.has(slug); number++) slug = `${wanted}-${number}`;
  return slug;
}

function mayEdit(user: User | null, found: StoredPost): boolean {
  const needed = found.status === "publish" ? "edit_published_posts" : "edit_posts";
  return user !== null && can(user, user.id === found.author ? needed : "edit_others_posts");
}
