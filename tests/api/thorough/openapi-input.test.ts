import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { z } from "zod";
import { KEY_HEADER } from "@/lib/idempotency/header";
import { parseKeyHeader } from "@/lib/idempotency/key";
import { createCaller } from "@/tests/support/app";
import { type Backend, startBackend } from "@/tests/support/backend";
import { listOperations, paramsOf } from "@/tests/support/operations";
import { newWorld, type World } from "@/tests/support/world";

/** The API document's inputs: a generated client that follows them must not be refused for its input's shape. */

type Schema = Record<string, unknown>;
type Operation = {
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema }[];
  responses: Record<string, unknown>;
};

/** The only header with a grammar of its own. */
const keyHeader = z.object({ [KEY_HEADER]: z.string().refine(isKey) });

function isKey(value: string): boolean {
  try {
    return parseKeyHeader(value) !== "";
  } catch {
    return false;
  }
}

let backend: Backend;
let world: World;
let paths: Record<string, Record<string, Operation>>;
let components: Schema;

beforeAll(async () => {
  backend = await startBackend();
  world = await newWorld();
  const { body } = await createCaller().get<{ paths: typeof paths; components: Schema }>("/api/openapi.json");
  ({ paths, components } = body);
});
afterAll(() => backend.close());

function documented(name: string): Operation {
  const [method = "", path = ""] = name.split(" ");
  const found = paths[path.replace(/\[(\w+)\]/g, "{$1}")]?.[method.toLowerCase()];
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

function allows(schema: Schema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const validate = ajv.compile({ ...schema, components });
  return (value) => validate(value);
}

/** Values for fields: empty, blank, at and past bounds, of other types and formats. */
const VALUES: unknown[] = [
  null,
  true,
  ...["", " ", " \t\n", "a", "ab", " a ", "a\0b", "\0", "two words", "9", "-9", "0x9", "draft", "wp_published"],
  ...["no address", "a@b", "a@b.co", "a..b@c.de", "a@b.co\0", "https://", "https://x.example", "ftp://x.example"],
  ...["b4c6e9d2-9a4e-4e07-9d7b-6f3fd30c6a11", "b4c6e9d2"],
  ...[2, 3, 7, 8, 40, 41, 100, 101, 128, 129, 200, 201, 254, 255, 300, 301, 400, 401, 2000, 2001].map(of),
  ...[4000, 4001, 5000, 5001, 100_000, 100_001, 500_000, 500_001].map(of),
  ...[-1, 0, 1, 3, 10, 11, 120, 121, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300],
  ...[[], [""], ["a"], ["\0"], ["a", 1], Array(51).fill("a"), Array(101).fill("a"), {}, { a: 1 }],
];

function of(length: number): string {
  return "x".repeat(length);
}

/** A valid body with each field left out, each field filled with every value, and each field alone. */
function* bodies(good: unknown, fields: string[]): Iterable<unknown> {
  yield* [{}, { unknown: 1 }, [], null, "text", 1];
  const base = { ...(good as object) };
  for (const field of fields) {
    yield Object.fromEntries(Object.entries(base).filter(([name]) => name !== field));
    for (const value of VALUES) yield* [{ ...base, [field]: value }, { [field]: value }];
  }
}

describe("input that the document allows", () => {
  it("is accepted by the parser in every body", async () => {
    let tried = 0;
    const tooLax: unknown[] = [];
    for (const { name, spec } of await listOperations()) {
      const { schema, example: good = {} } = documented(name).requestBody?.content["application/json"] ?? {};
      if (!spec.body || !schema) continue;
      const isAllowed = allows(schema);
      const fields = Object.keys((schema.properties ?? {}) as object);
      expect([name, isAllowed(good)]).toEqual([name, true]);
      for (const body of bodies(good, fields)) {
        tried++;
        if (isAllowed(body) && !spec.body.safeParse(body).success)
          tooLax.push([name, JSON.stringify(body).slice(0, 200)]);
      }
    }
    expect(tooLax).toEqual([]);
    expect(tried).toBeGreaterThan(3_000);
  });

  it("is accepted by the parser in every path, query and header", async () => {
    const tooLax: unknown[] = [];
    for (const { name, spec } of await listOperations()) {
      for (const { name: parameter, in: place, schema } of documented(name).parameters) {
        const parser = { path: spec.params, query: spec.query, header: keyHeader }[place];
        const isAllowed = allows(schema);
        for (const value of VALUES.filter((each) => typeof each === "string" || typeof each === "number")) {
          const isTaken = parser?.safeParse({ ...oneOfEach(name), [parameter]: String(value) }).success;
          if (isAllowed(value) && !isTaken) tooLax.push([name, parameter, String(value).slice(0, 60)]);
        }
      }
    }
    expect(tooLax).toEqual([]);
  });

  function oneOfEach(name: string): Record<string, string> {
    return Object.fromEntries(
      Object.entries(paramsOf(name, world)).map(([parameter, value]) => [parameter, String(value)]),
    );
  }

  it("is never an empty change, or a status that only publishing sets", () => {
    const changes = Object.entries(paths).flatMap(([path, item]) => (item.patch ? [[path, item.patch] as const] : []));
    expect(changes.length).toBeGreaterThan(5);
    for (const [path, { requestBody }] of changes) {
      const isAllowed = allows(requestBody?.content["application/json"]?.schema ?? {});
      const nothing = [{}, { version: 3 }, { currentPassword: "of no use alone" }];
      expect([path, nothing.filter(isAllowed)]).toEqual([path, []]);
    }
    const isAllowed = allows(paths["/api/content/{id}"]?.patch?.requestBody?.content["application/json"]?.schema ?? {});
    const statuses = ["draft", "review", "published", "unpublished", "wp_draft", "wp_published", "wp_failed"];
    expect(statuses.filter((status) => isAllowed({ status }))).toEqual(["draft", "review", "published", "unpublished"]);
  });

  it("comes with every error that a call of its kind can return", () => {
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (method === "parameters" || /auth\/\{nextauth\}|inngest/.test(path)) continue;
        const lines = Object.keys(operation.responses);
        const expected = ["405", "503", ...(method === "get" ? [] : ["403", "415", "429"])];
        expect([method, path, expected.filter((status) => !lines.includes(status))]).toEqual([method, path, []]);
      }
    }
  });
});
