import type { User } from "@/scripts/samples/wordpress/accounts";
import type { Store } from "@/scripts/samples/wordpress/store";

export type RestContext = {
  store: Store;
  siteUrl: string;
  restRoot: string;
  permalinks: "pretty" | "plain";
  /** Posts with this word in their title are refused, as by an editorial plugin. */
  refusedWord?: string | undefined;
  /** The keys that a plugin has registered, and may those who edit a post write them? WordPress ignores all others. */
  meta: { keys: readonly string[]; isWritable: boolean };
  hasSeoPress: boolean;
};

export type RestRequest = {
  method: string;
  /** `/wp/v2/posts`, without a trailing slash. */
  route: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  user: User | null;
};

export type RestAnswer = { status: number; body: unknown; headers?: Record<string, string> };

/** An error in WordPress' own wording. */
export class RestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly data: Record<string, unknown> | null = { status },
  ) {
    super(message);
  }
}

/** 401 for a visitor, 403 for a signed-in user. */
export function forbidden(user: User | null, code: string, message: string): RestError {
  return new RestError(user ? 403 : 401, code, message);
}

export function invalidParam(
  name: string,
  message: string,
  code = "rest_invalid_param",
  data: unknown = null,
): RestError {
  return new RestError(400, "rest_invalid_param", `Invalid parameter(s): ${name}`, {
    status: 400,
    params: { [name]: message },
    details: { [name]: { code, message, data } },
  });
}

export function notFound(): RestError {
  return new RestError(404, "rest_post_invalid_id", "Invalid post ID.");
}

/** A page of a list, with the total in its headers. */
export function pageOf<T>(all: T[], query: URLSearchParams, show: (item: T) => unknown): RestAnswer {
  const perPage = Number(query.get("per_page") ?? 10);
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > 100) {
    const message = "per_page must be between 1 (inclusive) and 100 (inclusive)";
    throw invalidParam("per_page", message, "rest_out_of_bounds");
  }
  const page = Number(query.get("page") ?? 1);
  const pages = Math.ceil(all.length / perPage);
  if (page > Math.max(pages, 1)) {
    const message = "The page number requested is larger than the number of pages available.";
    throw new RestError(400, "rest_post_invalid_page_number", message);
  }
  const headers = { "X-WP-Total": String(all.length), "X-WP-TotalPages": String(pages) };
  return { status: 200, body: all.slice((page - 1) * perPage, page * perPage).map(show), headers };
}

/** `_fields=id,title.raw`: only these members of the object, or of each object in a list. */
export function pickFields(body: unknown, fields: string | null): unknown {
  if (!fields) return body;
  if (Array.isArray(body)) return body.map((item) => pickFields(item, fields));
  if (typeof body !== "object" || body === null) return body;
  const picked: Record<string, unknown> = {};
  for (const field of fields.split(",")) {
    const [name = "", inner] = field.trim().split(".");
    const value: unknown = Reflect.get(body, name);
    if (value === undefined) continue;
    const known = picked[name];
    picked[name] = inner ? { ...(typeof known === "object" ? known : {}), ...Object(pickFields(value, inner)) } : value;
  }
  return picked;
}
