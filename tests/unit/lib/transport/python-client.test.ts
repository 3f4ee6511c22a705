import { readAsPythonClient } from "@/tests/support/python-client";

/** A document of one operation; the generator accepts it unless `part` breaks it. */
function documentOf({ path = "/things", ...part }: Part) {
  const operation = {
    operationId: "createThing",
    tags: ["things"],
    parameters: [{ name: "page", in: "query", schema: { type: "integer", default: 1 } }],
    requestBody: { content: { "application/json": { schema: part.body ?? { $ref: "#/components/schemas/Thing" } } } },
    responses: { 200: { content: { "application/json": { schema: { type: "string" } } } } },
    ...part.operation,
  };
  const Thing = { type: "object", properties: { name: { type: "string" }, size: { type: "integer", enum: [1, 2] } } };
  return { paths: { [path]: { post: operation } }, components: { schemas: { Thing, ...part.schemas } } } as never;
}

type Part = { path?: string; body?: unknown; operation?: object; schemas?: object };

const BROKEN: [name: string, part: Part, warning: string][] = [
  ["a content type", { operation: { responses: { 200: { content: { "application/zip": {} } } } } }, "content type"],
  ["a status", { operation: { responses: { ok: {} } } }, "no status"],
  ["a body without a schema", { operation: { requestBody: { content: { "application/json": {} } } } }, "no schema"],
  ["a body's type", { operation: { requestBody: { content: { "text/csv": { schema: {} } } } } }, "content type"],
  ["an enum of texts and numbers", { body: { enum: ["a", 1] } }, "mixed types"],
  ["an enum of two similar names", { body: { enum: ["two-words", "two_words"] } }, "two names in one enum"],
  ["a default of another type", { body: { type: "integer", default: "one" } }, "a default of another type"],
  ["a default that no member takes", { body: { anyOf: [{ type: "null" }, { const: 1 }], default: 2 } }, "default"],
  ["a list of anything", { body: { type: "array" } }, "without items"],
  ["a missing reference", { body: { $ref: "#/components/schemas/Nothing" } }, "a lost reference"],
  [
    "two properties of one name",
    { body: { properties: { createdAt: {}, created_at: {} } } },
    "two properties named created_at",
  ],
  [
    "two classes of one name",
    { schemas: { CreateThingBody: { type: "object" } }, body: { type: "object" } },
    "CreateThingBody",
  ],
  [
    "two enums of one name",
    { schemas: { CreateThingBody: { enum: ["a"] } }, body: { enum: ["b"] } },
    "two classes of one name",
  ],
  ["a boolean schema", { body: { type: "array", items: true } }, "no object"],
  ["an undeclared path parameter", { path: "/things/{id}" }, "other parameters than in its path"],
  ["a parameter by reference", { operation: { parameters: [{ $ref: "#/x", name: "x", in: "query" }] } }, "reference"],
];

it.each(BROKEN)("a Python client's generator warns of %s", (_, part, warning) => {
  expect(readAsPythonClient(documentOf({})).warnings).toEqual([]);
  expect(readAsPythonClient(documentOf(part)).warnings).toEqual([expect.stringContaining(warning)]);
});

it("a Python client's generator warns of two operations with the same module name", () => {
  const { paths } = documentOf({}) as { paths: Record<string, object> };
  const twice = { paths: { ...paths, "/others": paths["/things"] } } as never;
  expect(readAsPythonClient(twice).warnings).toContain("things/create_thing: two operations");
});

it("a Python client loses the properties beside a union", () => {
  const body = { type: "object", properties: { name: { type: "string" } }, anyOf: [{ required: ["name"] }] };
  expect(readAsPythonClient(documentOf({ body })).untyped).toEqual([
    "createThing body: properties beside a union",
    "createThing body|0",
  ]);
  const { anyOf, ...rest } = body;
  expect(readAsPythonClient(documentOf({ body: { ...rest, allOf: [{ anyOf }] } })).untyped).toEqual([]);
});
