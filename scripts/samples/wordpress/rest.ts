import { capabilitiesOf } from "@/scripts/samples/wordpress/accounts";
import type { Faults } from "@/scripts/samples/wordpress/faults";
import {
  pickFields,
  type RestAnswer,
  type RestContext,
  RestError,
  type RestRequest,
} from "@/scripts/samples/wordpress/rest-answers";
import { batch } from "@/scripts/samples/wordpress/rest-batch";
import { categories, category } from "@/scripts/samples/wordpress/rest-categories";
import { post, posts } from "@/scripts/samples/wordpress/rest-posts";
import { type SeoPressRoute, seoPress } from "@/scripts/samples/wordpress/rest-seopress";

/** Where a user lets an application in. */
export const AUTHORIZE_PATH = "/wp-admin/authorize-application.php";
export const SITE_NAME = "Sample WordPress site";

/** Answers a REST request with WordPress' own statuses, codes and messages. */
export function answerRest(context: RestContext, request: RestRequest, faults: Faults): RestAnswer {
  try {
    const answer = route(context, request, faults);
    return { ...answer, body: pickFields(answer.body, request.query.get("_fields")) };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { status: error.status, body: { code: error.code, message: error.message, data: error.data } };
  }
}

function route(context: RestContext, request: RestRequest, faults: Faults): RestAnswer {
  const { method } = request;
  const path = request.route.replace(/\/+$/, "");
  const term = /^\/wp\/v2\/categories\/(\d+)$/.exec(path)?.[1];
  const id = /^\/wp\/v2\/posts\/(\d+)$/.exec(path)?.[1];
  const [, ofSeoPress, name] = SEOPRESS_ROUTE.exec(path) ?? [];
  if (path === "" && method === "GET") return index(context, faults);
  if (path === "/batch/v1" && method === "POST" && !faults.noBatch) {
    return batch(request, (each) => answerRest(context, each, faults), faults.halfBatch);
  }
  if (path === "/wp/v2/users/me" && method === "GET") return me(request);
  if (path === "/wp/v2/categories" && ["GET", "POST"].includes(method)) return categories(context, request);
  if (term && method === "GET") return category(context, Number(term));
  if (path === "/wp/v2/posts" && ["GET", "POST"].includes(method)) return posts(context, request);
  if (id && ["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method)) return post(context, request, Number(id));
  if (context.hasSeoPress && name && ["GET", "PUT"].includes(method)) {
    return seoPress(context, request, Number(ofSeoPress), name as SeoPressRoute);
  }
  throw new RestError(404, "rest_no_route", "No route was found matching the URL and request method.");
}

const SEOPRESS_ROUTE = /^\/seopress\/v1\/posts\/(\d+)\/(title-description-metas|target-keywords)$/;

const ROUTES = ["/", "/batch/v1", "/wp/v2/categories", "/wp/v2/posts", "/wp/v2/users/me"];

function index({ siteUrl, hasSeoPress }: RestContext, { passwordsOff, noBatch }: Faults): RestAnswer {
  const routes = ROUTES.filter((path) => !noBatch || path !== "/batch/v1");
  const endpoints = { authorization: siteUrl + AUTHORIZE_PATH };
  const body = {
    name: SITE_NAME,
    description: "This is a sample WordPress site",
    url: siteUrl,
    home: siteUrl,
    gmt_offset: 0,
    timezone_string: "UTC",
    namespaces: ["wp/v2", ...(hasSeoPress ? ["seopress/v1"] : [])],
    authentication: passwordsOff ? [] : { "application-passwords": { endpoints } },
    routes: Object.fromEntries(routes.map((path) => [path, { namespace: path.split("/").slice(1, 3).join("/") }])),
  };
  return { status: 200, body };
}

function me({ user, query }: RestRequest): RestAnswer {
  if (!user) throw new RestError(401, "rest_not_logged_in", "You are not currently logged in.");
  const { id, username, email, role } = user;
  const shown = { id, name: username, slug: username };
  if (query.get("context") !== "edit") return { status: 200, body: shown };
  return { status: 200, body: { ...shown, username, email, roles: [role], capabilities: capabilitiesOf(user) } };
}
