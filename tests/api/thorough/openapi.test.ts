import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { needsSession } from "@/lib/transport/access";
import type { SampleWordPress } from "@/scripts/samples/wordpress-site";
import { createCaller } from "@/tests/support/app";
import { type Backend, startBackend } from "@/tests/support/backend";
import { startBlog } from "@/tests/support/blog";
import { PROJECT, startTokenIssuer, type TokenIssuer } from "@/tests/support/id-tokens";
import { callOperation, externalNames, listOperations, prepare, successOf } from "@/tests/support/operations";
import { newWorld } from "@/tests/support/world";

/** Names in generated clients that are in use; changing one breaks them. */
const OPERATION_IDS = {
  "GET /api/auth/{nextauth}": "getNextAuth",
  "POST /api/auth/{nextauth}": "postNextAuth",
  "PATCH /api/buyer-personas/{id}": "updateBuyerPersona",
  "POST /api/chat/message": "sendChatMessage",
  "POST /api/chat/start": "startChat",
  "GET /api/content": "listContent",
  "GET /api/content/groups": "listContentGroups",
  "GET /api/content/reviews": "reviewContent",
  "DELETE /api/content/{id}": "deleteContent",
  "GET /api/content/{id}": "getContent",
  "PATCH /api/content/{id}": "updateContent",
  "POST /api/content/{id}/generate-from-outline": "generateContent",
  "POST /api/content/{id}/generate-outline": "generateOutline",
  "GET /api/content/{id}/neighbours": "getNeighbours",
  "POST /api/content/{id}/publish": "publishContent",
  "POST /api/content/{id}/propose-fields": "proposeFields",
  "GET /api/content/{id}/rendering-changes": "getRenderingChanges",
  "GET /api/content/{id}/revisions": "listRevisions",
  "GET /api/content/{id}/revisions/{revisionId}": "getRevision",
  "POST /api/content/{id}/revisions/{revisionId}/restore": "restoreRevision",
  "POST /api/content/{id}/rewrite": "rewriteText",
  "POST /api/content/{id}/stop-writing": "stopWriting",
  "GET /api/content/{id}/unfinished": "getUnfinished",
  "DELETE /api/content/{id}/unfinished": "dropUnfinished",
  "POST /api/content/{id}/sync": "syncContent",
  "POST /api/content/{id}/unpublish": "unpublishContent",
  "POST /api/firebase-auth": "signInWithFirebase",
  "GET /api/health": "getHealth",
  "GET /api/ready": "getReady",
  "GET /api/inngest": "introspectInngest",
  "POST /api/inngest": "invokeInngest",
  "PUT /api/inngest": "registerInngest",
  "GET /api/instructions": "listInstructions",
  "POST /api/instructions": "createInstruction",
  "DELETE /api/instructions/{id}": "deleteInstruction",
  "PATCH /api/instructions/{id}": "updateInstruction",
  "DELETE /api/keywords/{id}": "deleteKeyword",
  "PATCH /api/keywords/{id}": "updateKeyword",
  "POST /api/login": "login",
  "POST /api/logout": "logout",
  "GET /api/openapi.json": "getOpenApiDocument",
  "POST /api/password-reset": "requestPasswordReset",
  "POST /api/password-reset/confirm": "confirmPasswordReset",
  "GET /api/projects": "listProjects",
  "POST /api/projects": "createProject",
  "DELETE /api/projects/{id}": "deleteProject",
  "GET /api/projects/{id}": "getProject",
  "PATCH /api/projects/{id}": "updateProject",
  "GET /api/projects/{id}/buyer-persona": "getBuyerPersona",
  "POST /api/projects/{id}/buyer-persona": "createBuyerPersona",
  "GET /api/projects/{id}/content": "listProjectContent",
  "POST /api/projects/{id}/generate-content-ideas": "generateContentIdeas",
  "POST /api/projects/{id}/publish-all-to-wordpress": "publishAllToWordpress",
  "GET /api/projects/{id}/publishing-jobs": "getLatestPublishingJob",
  "POST /api/projects/{id}/publishing-jobs": "startPublishing",
  "GET /api/projects/{id}/rendering-changes": "listRenderingChanges",
  "GET /api/publishing-jobs": "listPublishingJobs",
  "GET /api/publishing-jobs/{id}": "getPublishingJob",
  "POST /api/publishing-jobs/{id}/cancel": "cancelPublishingJob",
  "GET /api/publishing-jobs/{id}/results": "listPublishingResults",
  "POST /api/publishing-jobs/{id}/retry": "retryPublishingJob",
  "GET /api/projects/{id}/topics": "listTopics",
  "POST /api/projects/{id}/topics": "createTopic",
  "GET /api/projects/{id}/topics/{topicId}/content": "listTopicContent",
  "POST /api/projects/{id}/topics/{topicId}/content": "createContent",
  "POST /api/queue/dismiss-failed": "dismissFailed",
  "GET /api/queue/events": "followQueue",
  "GET /api/queue/items": "listQueueItems",
  "POST /api/queue/items/{id}/cancel": "cancelItem",
  "POST /api/queue/items/{id}/next": "beginNext",
  "POST /api/queue/items/{id}/retry": "retryItem",
  "POST /api/queue/jobs/{id}/cancel": "cancelJob",
  "POST /api/queue/jobs/{id}/retry": "retryJob",
  "GET /api/queue/jobs/{id}/texts": "watchJob",
  "POST /api/queue/pause": "pauseProcessing",
  "POST /api/queue/resume": "resumeQueues",
  "POST /api/queue/retry-failed": "retryFailed",
  "GET /api/queue/status": "getQueueStatus",
  "POST /api/register": "register",
  "DELETE /api/topics/{id}": "deleteTopic",
  "GET /api/topics/{id}": "getTopic",
  "PATCH /api/topics/{id}": "updateTopic",
  "POST /api/topics/{id}/add-suggested-keywords": "addSuggestedKeywords",
  "POST /api/topics/{id}/generate-all-content-queue": "queueAllContent",
  "POST /api/topics/{id}/generate-outline-queue": "queueOutlines",
  "GET /api/topics/{id}/keywords": "listKeywords",
  "POST /api/topics/{id}/keywords": "createKeyword",
  "POST /api/topics/{id}/suggest-keywords": "suggestKeywords",
  "DELETE /api/user": "deleteUser",
  "GET /api/user": "getUser",
  "PATCH /api/user": "updateUser",
  "GET /api/user/export": "exportUserData",
  "DELETE /api/user/sessions": "endOtherSessions",
  "GET /api/user/sessions": "listSessions",
  "PATCH /api/user/settings": "updateUserSettings",
  "GET /api/wordpress/categories": "listWordpressCategories",
  "POST /api/wordpress/connect": "connectWordpress",
  "GET /api/wordpress/connected/{state}": "finishConnectingWordpress",
  "POST /api/wordpress/test": "testWordpressConnection",
  "GET /api/sites": "listSites",
  "POST /api/sites": "addSite",
  "PATCH /api/sites/{id}": "updateSite",
  "DELETE /api/sites/{id}": "removeSite",
  "POST /api/sites/{id}/test": "testSite",
};

type Response = { content?: Record<string, { schema?: object }>; headers?: object };
type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Response> }>>;
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
  it("is a valid OpenAPI 3.1 document, readable without a session", async () => {
    const result = await new Validator().validate(document);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it("has every operation of app/api and no others", async () => {
    const checked = (await listOperations()).map(({ name }) => name);
    const inDocument = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== "parameters")
        .map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, "[$1]")}`),
    );
    const external = externalNames.map((name) => name.replace("...", ""));
    expect(inDocument.sort()).toEqual([...checked, ...external].sort());
  });

  it("gives each operation a unique, conventional and stable name", () => {
    const names = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId }]) =>
        method === "parameters" ? [] : [[`${method.toUpperCase()} ${path}`, operationId]],
      ),
    );
    expect(Object.fromEntries(names)).toMatchObject(OPERATION_IDS);
    expect(new Set(names.map(([, id]) => id)).size).toBe(names.length);
  });

  it("describes the export's bytes and the events of streams", () => {
    const content = (path: string, method: string) => document.paths[path]?.[method]?.responses["200"]?.content;
    const bytes = { schema: { type: "string", format: "binary" } };
    expect(content("/api/user/export", "get")).toEqual({ "application/zip": bytes, "application/octet-stream": bytes });
    for (const path of ["/api/content/{id}/generate-outline", "/api/content/{id}/generate-from-outline"]) {
      expect(content(path, "post")).toEqual({
        "application/json": { schema: expect.anything() },
        "text/event-stream": { schema: expect.objectContaining({ type: "string" }) },
      });
    }
  });

  it("answers unknown paths in the API's error format, by any method", async () => {
    for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE"]) {
      const answer = await createCaller().call(method, "/api/nothing");
      expect(answer).toMatchObject({ status: 404, body: { type: "NOT_FOUND", requestId: expect.any(String) } });
    }
  });

  it("never contains a field that must not leave the server", () => {
    const answers = JSON.stringify(
      Object.values(document.paths).flatMap((item) => Object.values(item).map(({ responses }) => responses)),
    );
    for (const secret of ["searchText", "sessionToken", "passwordHash", "isTakenOver", "claimToken"]) {
      expect(answers + JSON.stringify(document.components)).not.toContain(secret);
    }
  });
});

describe("every operation responds as documented", () => {
  it("when it succeeds", async () => {
    const operations = await listOperations();
    for (const { name, spec } of operations) {
      const status = await successOf(name);
      const world = await newWorld({ ai: backend.ai, site, tokens });
      await prepare(name, world);
      const answer = await callOperation(name, world.caller, world);
      expect(`${name}: ${answer.status} ${answer.status === status ? "" : answer.text}`.trim()).toBe(
        `${name}: ${status}`,
      );
      const response = documented(name)?.responses[status];
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
    for (const { name, spec, method } of await listOperations()) {
      const refused = [
        ...(needsSession(spec) ? [[401, await callOperation(name, createCaller(), world)] as const] : []),
        ...(method === "GET"
          ? []
          : [
              [
                403,
                await callOperation(name, world.caller, world, { headers: { origin: "https://evil.example" } }),
              ] as const,
            ]),
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
