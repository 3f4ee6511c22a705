import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { createCaller } from "@/tests/support/app";
import { type Backend, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { doors, foreignDoors, knock, walkOperations } from "@/tests/support/doors";
import { PROJECT, startTokenIssuer, type TokenIssuer } from "@/tests/support/id-tokens";
import type { SampleWordPress } from "@/tests/support/wordpress-site";
import { newWorld } from "@/tests/support/world";

type Response = { content?: Record<string, { schema?: object }>; headers?: object };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: object };
};

let backend: Backend;
let site: SampleWordPress;
let tokens: TokenIssuer;
let document: Document;

beforeAll(async () => {
  site = await startBlog();
  tokens = await startTokenIssuer();
  Object.assign(process.env, { FIREBASE_PROJECT_ID: PROJECT, FIREBASE_JWKS_URL: tokens.url });
  backend = await startBackend();
  document = (await createCaller().get<Document>("/api/openapi.json")).body;
});
afterAll(async () => {
  await backend.close();
  await site.close();
  await tokens.close();
});

/** `PATCH /api/topics/[id]` as the document has it. */
function documented(name: string) {
  const [method = "", path = ""] = name.split(" ");
  return document.paths[path.replace(/\[(\w+)\]/g, "{$1}")]?.[method.toLowerCase()];
}

function validatorOf(response: Response | undefined): ValidateFunction | undefined {
  const schema = response?.content?.["application/json"]?.schema;
  if (!schema) return undefined;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  return ajv.compile({ ...schema, components: document.components });
}

describe("GET /api/openapi.json", () => {
  it("is a valid OpenAPI 3.1 document that anybody may read", async () => {
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it("has every operation of app/api and no other", async () => {
    const walked = (await walkOperations()).map(({ name }) => name);
    const inDocument = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== "parameters")
        .map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, "[$1]")}`),
    );
    const ours = inDocument.filter((name) => !/ \/api\/(auth\/|inngest)/.test(name));
    expect(ours.sort()).toEqual(walked.sort());
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(["/api/inngest", "/api/auth/{nextauth}"]));
    expect(Object.keys(foreignDoors)).toHaveLength(3);
  });

  it("answers a path that is not in it as the API's failures are, by any method", async () => {
    for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE"]) {
      const answer = await createCaller().call(method, "/api/nothing");
      expect(answer).toMatchObject({ status: 404, body: { type: "NOT_FOUND", requestId: expect.any(String) } });
    }
  });

  it("never shows a field that must not leave the server", () => {
    const answers = JSON.stringify(
      Object.values(document.paths).flatMap((item) => Object.values(item).map(({ responses }) => responses)),
    );
    for (const secret of ["searchText", "sessionToken", "passwordHash", "isTakenOver", "claimToken"]) {
      expect(answers + JSON.stringify(document.components)).not.toContain(secret);
    }
  });
});

describe("every operation answers as documented", () => {
  it("when it succeeds", async () => {
    const operations = await walkOperations();
    for (const { name, spec } of operations) {
      const door = doors[name];
      if (!door) throw new Error(`${name} has no line in tests/support/doors.ts`);
      const world = await newWorld({ ai: backend.ai, site, tokens });
      await door.before?.(world);
      const answer = await knock(name, world.caller, world);
      expect(`${name}: ${answer.status} ${answer.status === door.status ? "" : answer.text}`.trim()).toBe(
        `${name}: ${door.status}`,
      );
      const response = documented(name)?.responses[door.status];
      expect([name, response]).toEqual([name, expect.anything()]);
      const valid = validatorOf(response);
      if (spec.reply && answer.status !== 204) {
        expect(valid).toBeDefined();
        if (!valid?.(answer.body)) throw new Error(`${name}: ${JSON.stringify(valid?.errors).slice(0, 800)}`);
      }
      if (spec.produces) expect(answer.headers.get("content-type")).toBe(spec.produces);
    }
    process.stdout.write(`Contract: ${operations.length} operations called, each answer as documented\n`);
  }, 240_000);

  it("when it refuses: a sentence, a type and the request's id", async () => {
    const valid = validatorOf({
      content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
    });
    const world = await newWorld();
    let refusals = 0;
    for (const { name, spec, method } of await walkOperations()) {
      const refused = [
        ...(spec.access === "anyone" ? [] : [[401, await knock(name, createCaller(), world)] as const]),
        ...(method === "GET"
          ? []
          : [[403, await knock(name, world.caller, world, { headers: { origin: "https://evil.example" } })] as const]),
      ];
      for (const [status, answer] of refused) {
        expect([name, answer.status]).toEqual([name, status]);
        if (!valid?.(answer.body)) throw new Error(`${name}: ${answer.text}`);
        expect(documented(name)?.responses).toHaveProperty(String(status));
        refusals++;
      }
    }
    expect(refusals).toBeGreaterThan(50);
  });
});
