import fc from "fast-check";
import { z } from "zod";
import type { RouteSpec } from "@/lib/transport/route";

type Json = { type?: string | string[]; anyOf?: Json[]; properties?: Record<string, Json>; required?: string[] } & {
  items?: Json;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
};

/** A request that should never have been sent; `body` is what goes over the wire. */
export type HostileRequest = {
  params: Record<string, string>;
  query: [string, string][];
  body: string | Uint8Array<ArrayBuffer> | undefined;
  headers: Record<string, string>;
};

/** zod's own phrases, which users must never see. */
export const LIBRARY_WORDS =
  /Invalid (input|option|string|number|key|value|discriminator|element|[A-Z])|\b(expected|received)\b|Too (small|big)|Unrecognized key|must (match|start|end|include|be a multiple)|NaN|safe integer|\bundefined\b|\[object/;

/** Strings known to cause trouble. */
const STRINGS = [
  "",
  " \t\n",
  "\0",
  "a\0b",
  "\uD800",
  "x\uDFFFy",
  "\uFEFF",
  "\u202Etxt.exe",
  "Z\u0351\u036B\u0343\u036A\u0302".repeat(50),
  "👩‍👩‍👧‍👦".repeat(20),
  "园艺 Ж ä",
  "__proto__",
  "constructor",
  "'; DROP TABLE users; --",
  "%' OR strpos('a','a') > 0 --",
  "\\x00\\u0000",
  "../../etc/passwd",
  "{{7*7}}<%= 7*7 %>",
  "<script>alert(1)</script>",
  "2147483648",
  "9223372036854775808",
  "-1",
  "1e309",
  "NaN",
  "null",
  "true",
  "infinity",
  "0001-01-01T00:00:00.000Z",
  "x".repeat(6_000),
  "y".repeat(600_000),
  "٣",
];

const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, 5e-324];

const PATHS = [
  ...STRINGS.map(wellFormed).filter((value) => value.length > 0 && value.length < 200),
  "1e3",
  "01",
  "+1",
  "1 ",
  "0x1",
  "1.0",
];

const BROKEN = [
  "{",
  "[1,",
  "nul",
  '{"a":}',
  "{'a':1}",
  '"',
  "[".repeat(20_000),
  `{"a":${"9".repeat(5_000)}e`,
  "\u0000",
  "﻿{}",
  "undefined",
];

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=utf-7",
  "APPLICATION/JSON",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "application/json, text/plain",
  "",
];

const HEADERS: Record<string, string[]> = {
  accept: ["text/event-stream", "*/*", ",", "text/event-stream;q=0"],
  "x-request-id": ["a b", "{}", "x".repeat(5_000), "../..", "ok-1"],
  "if-none-match": ["*", '"', "W/", "x".repeat(2_000)],
  range: ["bytes=0-", "bytes=-1"],
  "content-length": ["-1", "abc", "1", "99999999999"],
  "x-forwarded-for": [",,,", "::1", "x".repeat(2_000), "10.0.0.1, %00"],
};

/** Generates invalid input from an operation's schemas: each field right, wrong, missing or worse. */
export function hostileRequests(spec: RouteSpec, own: Record<string, string | number>): fc.Arbitrary<HostileRequest> {
  return fc.record({
    params: fc.record(
      Object.fromEntries(
        Object.entries(own).map(([key, value]) => [
          key,
          fc.oneof({ weight: 2, arbitrary: fc.constant(String(value)) }, fc.constantFrom(...PATHS), fc.uuid()),
        ]),
      ),
    ),
    query: queries(spec.query),
    body: spec.body ? bodies(spec.body) : fc.option(fc.constantFrom(...BROKEN, "{}"), { nil: undefined }),
    headers: headers(),
  });
}

function headers(): fc.Arbitrary<Record<string, string>> {
  const some = fc.record(
    Object.fromEntries(Object.entries(HEADERS).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  );
  const json = { weight: 8, arbitrary: fc.constant("application/json") };
  const type = fc.oneof(json, fc.constantFrom(...CONTENT_TYPES));
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, some), type)
    .map(([rest, contentType]) => ({ ...rest, "content-type": contentType }));
}

function queries(schema: z.ZodType | undefined): fc.Arbitrary<[string, string][]> {
  const known = schema ? Object.keys(jsonSchema(schema).properties ?? {}) : [];
  const key = fc.constantFrom(...known, "limit", "cursor", "__proto__", "search[]");
  const value = fc.oneof(fc.constantFrom(...PATHS, ""), fc.string({ unit: "binary", maxLength: 40 }), cursors());
  return fc.array(fc.tuple(key, value.map(wellFormed)), { maxLength: 4 });
}

/** Well-formed cursors with values that no row has. */
function cursors(): fc.Arbitrary<string> {
  const time = fc.constantFrom(
    "2026-01-01T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
    "-271821-04-20T00:00:00.000Z",
    "0000-01-01T00:00:00.000Z",
    "x",
  );
  return fc
    .tuple(time, fc.oneof(fc.uuid(), fc.constantFrom(...PATHS)))
    .map(([at, id]) => Buffer.from(`${at} ${id}`).toString("base64url"));
}

/** A query string cannot carry lone surrogates. */
function wellFormed(value: string): string {
  return Buffer.from(value, "utf8").toString("utf8");
}

function bodies(schema: z.ZodType): fc.Arbitrary<HostileRequest["body"]> {
  const shaped = valued(jsonSchema(schema)).map((value) => JSON.stringify(value) ?? "null");
  return fc.oneof(
    { weight: 12, arbitrary: shaped },
    { weight: 2, arbitrary: shaped.map(withPrototype) },
    { weight: 2, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** As text: an object literal would set the prototype instead of a member. */
function withPrototype(json: string): string {
  return json.replace(/^\{/, '{"__proto__":{"userId":"x","isAdmin":true},"constructor":{"prototype":{"x":1}},');
}

function hostile(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(...STRINGS, ...NUMBERS, null, true, [], {}, [[[[]]]], [null], { toString: 1 }),
    fc.string({ unit: "binary" }),
    fc.jsonValue({ maxDepth: 3 }),
  );
}

function valued(schema: Json): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: fitting(schema) }, { weight: 1, arbitrary: hostile() });
}

/** A value of the schema's shape, with right and wrong members. */
function fitting(schema: Json): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valued));
  const types = [schema.type ?? "string"].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Json): fc.Arbitrary<unknown> {
  if (type === "object") {
    const members = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, of]) => [key, valued(of)]));
    const extra = fc.record({ userId: fc.uuid(), id: hostile(), createdAt: hostile() }, { requiredKeys: [] });
    return fc
      .tuple(fc.record(members, { requiredKeys: [] }), fc.option(extra, { nil: {} }))
      .map(([own, more]) => ({ ...own, ...more }));
  }
  if (type === "array") return fc.array(valued(schema.items ?? {}), { maxLength: 120 });
  if (type === "integer" || type === "number") return fc.oneof(fc.integer(), fc.constantFrom(...NUMBERS));
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  return schema.format === "uuid" ? fc.uuid() : fc.string({ minLength: 1, maxLength: 60 });
}

function jsonSchema(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as Json;
}
