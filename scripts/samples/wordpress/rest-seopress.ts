import { decodeEntities } from "@/lib/utils/plain-text";
import { can } from "@/scripts/samples/wordpress/accounts";
import {
  forbidden,
  type RestAnswer,
  type RestContext,
  type RestRequest,
} from "@/scripts/samples/wordpress/rest-answers";
import { sanitizedText } from "@/scripts/samples/wordpress/text";

const KEYWORDS = "_seopress_analysis_target_kw";
const TITLES = { title: "_seopress_titles_title", description: "_seopress_titles_desc" };

/** `/seopress/v1/posts/{id}/…`: everybody may read, and who may edit posts may write those of others too. */
export function seoPress(context: RestContext, request: RestRequest, id: number, route: SeoPressRoute): RestAnswer {
  const { method, body, user } = request;
  const meta = { ...context.store.posts.get(id)?.meta };
  if (method === "GET") return { status: 200, body: READERS[route](meta) };
  if (!can(user, "edit_posts")) throw forbidden(user, "rest_forbidden", "Sorry, you are not allowed to do that.");
  if (route === "target-keywords") {
    if (body[KEYWORDS] === undefined) {
      return { status: 403, body: { code: "error", code_message: "missed_parameters" } };
    }
    const keywords = String(body[KEYWORDS]).split(",");
    meta[KEYWORDS] = sanitizedText(keywords.map((each) => each.trim()).join(","));
  } else {
    for (const name of ["title", "description"] as const) {
      if (body[name] === undefined) continue;
      const text = String(body[name]);
      if (text === "") delete meta[TITLES[name]];
      else meta[TITLES[name]] = name === "title" ? sanitizedText(text) : text.split("\n").map(sanitizedText).join("\n");
    }
  }
  const found = context.store.posts.get(id);
  if (found) found.meta = meta;
  context.store.save();
  return { status: 200, body: { code: "success" } };
}

export type SeoPressRoute = keyof typeof READERS;

const READERS = {
  "title-description-metas": (meta: Record<string, string>) => ({
    title: decodeEntities(meta[TITLES.title] ?? ""),
    description: decodeEntities(meta[TITLES.description] ?? ""),
  }),
  "target-keywords": (meta: Record<string, string>) => ({
    value: (meta[KEYWORDS] ?? "").toLowerCase().split(",").filter(Boolean),
  }),
};
