import { can } from "@/scripts/samples/wordpress/accounts";
import {
  forbidden,
  pageOf,
  type RestAnswer,
  type RestContext,
  RestError,
  type RestRequest,
} from "@/scripts/samples/wordpress/rest-answers";
import type { StoredCategory } from "@/scripts/samples/wordpress/store";
import { slugOf, storedName } from "@/scripts/samples/wordpress/text";

/** `/wp/v2/categories`. */
export function categories(context: RestContext, request: RestRequest): RestAnswer {
  return request.method === "GET" ? listCategories(context, request) : createCategory(context, request);
}

/** GET `/wp/v2/categories/{id}`. */
export function category(context: RestContext, id: number): RestAnswer {
  const found = context.store.categories.get(id);
  if (!found) throw new RestError(404, "rest_term_invalid", "Term does not exist.");
  return { status: 200, body: shown(context, found) };
}

function listCategories(context: RestContext, { query }: RestRequest): RestAnswer {
  const search = query.get("search")?.toLowerCase() ?? "";
  const found = [...context.store.categories.values()]
    .filter((each) => each.name.toLowerCase().includes(search))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return pageOf(found, query, (each) => shown(context, each));
}

function createCategory(context: RestContext, { body, user }: RestRequest): RestAnswer {
  const { store } = context;
  if (!can(user, "manage_categories")) {
    throw forbidden(user, "rest_cannot_create", "Sorry, you are not allowed to create terms in this taxonomy.");
  }
  if (body.name === undefined) {
    const data = { status: 400, params: ["name"] };
    throw new RestError(400, "rest_missing_callback_param", "Missing parameter(s): name", data);
  }
  const name = storedName(String(body.name));
  if (name === "") throw new RestError(500, "empty_term_name", "A name is required for this term.", null);
  if ([...name].length > 200)
    throw new RestError(500, "db_insert_error", "Could not insert term into the database.", null);
  const parent = Number(body.parent ?? 0);
  const siblings = [...store.categories.values()].filter((each) => (each.parent ?? 0) === parent);
  const existing = siblings.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (existing) {
    const data = { status: 400, term_id: existing.id };
    throw new RestError(400, "term_exists", "A term with the name provided already exists with this parent.", data);
  }
  const created = { id: store.nextCategoryId(), name, slug: freeSlug(context, slugOf(name)), parent };
  store.categories.set(created.id, created);
  store.save();
  return { status: 201, body: shown(context, created) };
}

function freeSlug({ store }: RestContext, wanted: string): string {
  const taken = new Set([...store.categories.values()].map((each) => each.slug));
  let slug = wanted;
  for (let number = 2; taken.has(slug); number++) slug = `${wanted}-${number}`;
  return slug;
}

function shown({ store, siteUrl }: RestContext, { id, name, slug, parent = 0 }: StoredCategory) {
  const count = [...store.posts.values()].filter(
    (post) => post.status === "publish" && post.categories.includes(id),
  ).length;
  const link = `${siteUrl}/category/${slug}/`;
  return { id, count, description: "", link, name, slug, taxonomy: "category", parent, meta: [] };
}
