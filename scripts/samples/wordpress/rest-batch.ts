import { invalidParam, type RestAnswer, RestError, type RestRequest } from "@/scripts/samples/wordpress/rest-answers";

const MAX_REQUESTS = 25;

/**
 * Handles POST `/batch/v1` with "normal" validation: each request is carried out and answered on its own, in order. If a
 * fault says so, only `most` of them are.
 */
export function batch(
  { body, user }: RestRequest,
  answer: (request: RestRequest) => RestAnswer,
  most: number | null,
): RestAnswer {
  if (body.requests === undefined) {
    const data = { status: 400, params: ["requests"] };
    throw new RestError(400, "rest_missing_callback_param", "Missing parameter(s): requests", data);
  }
  if (body.validation !== "normal") throw new Error("The sample site does not validate before it carries out");
  const requests = readRequests(body.requests);
  const responses = requests.slice(0, most ?? undefined).map(({ method, path, body: sent }) => {
    const url = new URL(path, "http://batch.invalid");
    const { status, body, headers } = answer({
      method,
      route: url.pathname,
      query: url.searchParams,
      body: sent,
      user,
    });
    // PHP writes an empty record as a list.
    return { body, status, headers: headers ?? [] };
  });
  return { status: 207, body: { responses } };
}

type Asked = { method: string; path: string; body: Record<string, unknown> };

function readRequests(sent: unknown): Asked[] {
  if (!Array.isArray(sent)) throw invalidParam("requests", "requests is not of type array.", "rest_invalid_type");
  if (sent.length > MAX_REQUESTS) {
    const message = `requests must contain at most ${MAX_REQUESTS} items.`;
    throw invalidParam("requests", message, "rest_too_many_items");
  }
  return sent.map((each: Partial<Asked>, at) => {
    const { method = "POST", path, body = {} } = each;
    if (!["POST", "PUT", "PATCH", "DELETE"].includes(method)) {
      const message = `requests[${at}][method] is not one of POST, PUT, PATCH, and DELETE.`;
      throw invalidParam("requests", message, "rest_not_in_enum");
    }
    if (typeof path !== "string") {
      throw invalidParam("requests", `path is a required property of requests[${at}].`, "rest_property_required");
    }
    return { method, path, body };
  });
}
