import { z } from "zod";
import { openApiDocument } from "@/lib/transport/openapi";
import type { RouteSpec } from "@/lib/transport/route";
import { isoDate, text, uuid } from "@/lib/utils/zod";

// How the document describes a route, tested with invented routes.

type Schema = { pattern?: string; minimum?: number; maximum?: number; properties?: Record<string, Schema> };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; headers?: object; content?: Content }>;
};
type Paths = Record<string, Record<string, Operation>>;

const PATH = "/api/seeds/[id]/beds";
const reply = z.object({ name: z.string() });

function documented(method: "GET" | "POST", spec: Partial<RouteSpec>): Operation {
  const full = { operationId: "sow", summary: "Sows", streams: false, ...spec } as RouteSpec;
  const { paths } = openApiDocument({ [PATH]: { [method]: { spec: full } } }) as unknown as { paths: Paths };
  const item = paths["/api/seeds/{id}/beds"];
  expect(Object.keys(item ?? {})).toEqual([method.toLowerCase()]);
  return item?.[method.toLowerCase()] as Operation;
}

const statuses = (operation: Operation) => Object.keys(operation.responses).join(" ");

const params = z.object({ id: z.string() });
const query = z.object({ page: z.string().optional() });
const paged = z.object({ cursor: z.string().optional() });
const body = z.object({ title: z.string() });
const anyone = { access: "anyone" } as const;

it.each([
  ["a public read", "GET", anyone, "204 405 503 default"],
  ["a read", "GET", { reply }, "200 401 405 503 default"],
  ["a write", "POST", anyone, "204 403 405 415 429 503 default"],
  ["a status", "GET", { ...anyone, reply, status: 201 }, "201 405 503 default"],
  ["a status without a reply", "GET", { ...anyone, status: 202 }, "202 405 503 default"],
  ["a file", "GET", { ...anyone, produces: "text/csv" }, "200 405 503 default"],
  ["a body", "GET", { ...anyone, body }, "204 400 405 413 503 default"],
  ["a query", "GET", { ...anyone, query }, "204 400 405 503 default"],
  ["a key", "GET", { ...anyone, idempotent: "creation" }, "204 400 405 409 422 503 default"],
  ["parameters", "GET", { ...anyone, params }, "204 404 405 503 default"],
  ["a limit", "GET", { ...anyone, limit: "ai" }, "204 405 429 503 default"],
] as const)("lists the responses to %s", (_, method, spec, expected) => {
  expect(statuses(documented(method, spec as Partial<RouteSpec>))).toBe(expected);
});

it("describes what each response means", () => {
  const { responses } = documented("POST", { reply, body, query, params, limit: "ai", idempotent: "paid" });
  const means = {
    200: /^Done/,
    400: /not valid/,
    401: /signed in/,
    403: /another site/,
    404: /does not exist/,
    405: /does not take this method/,
    409: /same call is at work/,
    413: /too large/,
    415: /is not application\/json/,
    422: /Idempotency-Key/,
    429: /Too often/,
    503: /Not available/,
    default: /says why/,
  };
  expect(Object.keys(responses)).toEqual(Object.keys(means));
  for (const [status, words] of Object.entries(means)) expect(responses[status]?.description).toMatch(words);
  for (const [status, { content }] of Object.entries(responses)) {
    const schema = status === "200" ? expect.anything() : { $ref: "#/components/schemas/Failure" };
    expect(content).toEqual({ "application/json": { schema } });
  }
});

it("says whether a call needs a session, and tags it with its resource", () => {
  expect(documented("GET", anyone)).toMatchObject({ security: [], tags: ["seeds"] });
  expect(documented("GET", {})).toMatchObject({ security: [{ session: [] }], tags: ["seeds"] });
});

it("lists the parameters and the body of a request", () => {
  const places = ({ parameters = [] }: Operation) => parameters.map((one) => [one.in, one.name, one.required ?? false]);
  expect(places(documented("GET", { params, query }))).toEqual([
    ["path", "id", true],
    ["query", "page", false],
  ]);
  expect(places(documented("POST", { idempotent: "creation" }))).toEqual([["header", "Idempotency-Key", false]]);
  expect(places(documented("GET", {}))).toEqual([]);
  expect(documented("POST", {}).requestBody).toBeUndefined();
  expect(documented("POST", { body }).requestBody?.required).toBe(true);
  expect(documented("POST", { body: body.optional() }).requestBody?.required).toBe(false);
  expect(Object.keys(documented("POST", { body }).requestBody?.content ?? {})).toEqual(["application/json"]);
  const example = { title: "Peas" };
  expect(documented("POST", { body, example }).requestBody?.content).toMatchObject({ "application/json": { example } });
});

it("lists the content types of a response", () => {
  const forms = (spec: Partial<RouteSpec>) => Object.keys(documented("GET", spec).responses[200]?.content ?? {});
  expect(forms({ reply })).toEqual(["application/json"]);
  expect(forms({ reply, streams: true })).toEqual(["application/json", "text/event-stream"]);
  expect(forms({ produces: "text/csv" })).toEqual(["text/csv", "application/octet-stream"]);
  expect(documented("GET", {}).responses[204]).toEqual({ description: "Done." });
});

it("documents the Link header for paged lists only", () => {
  const links = (method: "GET" | "POST", spec: Partial<RouteSpec>) =>
    Object.keys(documented(method, { reply, ...spec }).responses[200]?.headers ?? {});
  expect(links("GET", { query: paged })).toEqual(["Link"]);
  expect(links("GET", { query })).toEqual([]);
  expect(links("GET", {})).toEqual([]);
  expect(links("POST", { query: paged })).toEqual([]);
});

describe("a field", () => {
  const sent = (schema: z.ZodType) =>
    documented("POST", { body: z.object({ it: schema }) }).requestBody?.content["application/json"]?.schema.properties
      ?.it;
  const answered = (schema: z.ZodType) =>
    documented("GET", { reply: z.object({ it: schema }) }).responses[200]?.content?.["application/json"]?.schema
      .properties?.it;

  it.each([
    [0, ["", " ", "a", "a b"], ["a\0"]],
    [1, ["a", " a ", "a b"], ["", " ", "\0"]],
    [2, ["ab", " a b ", "a b"], ["a", " a ", "a\0b"]],
    [4, ["abcd", "a  d", " abcd "], ["abc", " abc ", "a\0cd"]],
  ])("of at least %d characters has a pattern that counts them as the app does", (min, good, bad) => {
    const pattern = new RegExp(sent(text(9, min))?.pattern ?? "no pattern", "u");
    for (const value of good) expect([value, pattern.test(value)]).toEqual([value, true]);
    for (const value of bad) expect([value, pattern.test(value)]).toEqual([value, false]);
  });

  it("has either a format or a pattern", () => {
    expect([answered(uuid)?.pattern, answered(isoDate)?.pattern]).toEqual([undefined, undefined]);
    expect(answered(z.string().regex(/^a+$/))?.pattern).toBe("^a+$");
  });

  it("has the bounds of safe integers in requests only", () => {
    const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    expect(answered(z.int())).toEqual({ type: "integer" });
    expect(answered(z.int().min(1).max(9))).toEqual({ type: "integer", minimum: 1, maximum: 9 });
    expect(sent(z.int())).toEqual({ type: "integer", minimum: least, maximum: most });
  });
});

it("lists the operations of routes with a protocol of their own", () => {
  const spec = { summary: "Another protocol", external: true } as const;
  const foreign = {
    GET: { spec: { operationId: "look", ...spec } },
    POST: { spec: { operationId: "enter", ...spec } },
  };
  const document = openApiDocument({ "/api/auth/[...way]": foreign, "/api/engine": foreign });
  const { paths } = document as unknown as { paths: Paths };
  const line = (operationId: string, tag: string) => ({
    operationId,
    summary: "Another protocol",
    tags: [tag],
    security: [],
    responses: { default: { description: expect.any(String) } },
  });
  expect(paths).toEqual({
    "/api/auth/{way}": {
      parameters: [{ name: "way", in: "path", required: true, schema: { type: "string" } }],
      get: line("look", "auth"),
      post: line("enter", "auth"),
    },
    "/api/engine": { get: line("look", "engine"), post: line("enter", "engine") },
  });
});
