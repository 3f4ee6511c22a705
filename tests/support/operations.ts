import type { RouteHandler, RouteSpec } from "@/lib/transport/route";
import { type Answer, type Caller, routes } from "@/tests/support/app";
import { query } from "@/tests/support/db";
import { PASSWORD } from "@/tests/support/factories";
import { storeReset, type World } from "@/tests/support/world";

/** A valid call of an operation: by the owner, with the expected status. */
export type ValidCall = {
  status: number;
  /** Path parameters, all the caller's own. */
  path?: (world: World) => Record<string, string | number>;
  query?: (world: World) => Record<string, string | number>;
  body?: (world: World) => unknown;
  headers?: (world: World) => Record<string, string>;
  /** Set-up the call needs to succeed. */
  before?: (world: World) => Promise<unknown>;
  /** Requests that name ids of `theirs` outside the path: each must be treated as missing. */
  foreign?: (theirs: World, mine: World) => { query?: Record<string, string | number | undefined>; body?: unknown }[];
};

const ofProject = ({ projectId }: World) => ({ id: projectId });
const ofTopic = ({ topicId }: World) => ({ id: topicId });
const ofPiece = ({ pieceId }: World) => ({ id: pieceId });
const texts = { name: "Watering", description: "Little and often." };
const persona = { ...texts, age: 33, interests: ["Soil"], challenges: ["Time"] };

/** Publish first: unpublish and sync need a post. */
const publish = ({ caller, pieceId }: World) => caller.post(`/api/content/${pieceId}/publish`, {});
const ofPublishing = ({ publishingJobId }: World) => ({ id: publishingJobId });
const freeName = () => `n${Math.random().toString(36).slice(2, 12)}`;

/** All operations of `app/api` by method and route. Tests fail if one is missing. */
export const validCalls: Record<string, ValidCall> = {
  "GET /api/user": { status: 200 },
  "PATCH /api/user": { status: 200, body: () => ({ username: freeName(), currentPassword: PASSWORD }) },
  "DELETE /api/user": { status: 204, body: ({ username }) => ({ confirm: username, password: PASSWORD }) },
  "GET /api/user/sessions": { status: 200 },
  "DELETE /api/user/sessions": { status: 204 },
  "GET /api/user/export": { status: 200 },
  "PATCH /api/user/settings": { status: 200, body: () => ({ wordpressUsername: "editor" }) },
  "POST /api/login": { status: 200, body: ({ username }) => ({ username, password: PASSWORD }) },
  "POST /api/register": { status: 201, body: () => ({ username: freeName(), password: PASSWORD }) },
  "POST /api/logout": { status: 204 },
  "POST /api/firebase-auth": {
    status: 200,
    headers: ({ idToken }) => ({ authorization: `Bearer ${idToken}` }),
    body: () => ({ displayName: "Maren Holt" }),
  },
  "POST /api/password-reset": { status: 202, body: () => ({ email: `${freeName()}@example.com` }) },
  "POST /api/password-reset/confirm": {
    status: 200,
    before: storeReset,
    body: ({ resetToken }) => ({ token: resetToken, password: "a wholly other long phrase" }),
  },
  "GET /api/health": { status: 200 },
  "GET /api/ready": { status: 200 },
  "GET /api/openapi.json": { status: 200 },

  "GET /api/instructions": { status: 200 },
  "POST /api/instructions": { status: 201, body: () => ({ text: "Address the reader as “you”." }) },
  "PATCH /api/instructions/[id]": {
    status: 200,
    path: ({ instructionId }) => ({ id: instructionId }),
    body: () => ({ text: "Metric units." }),
  },
  "DELETE /api/instructions/[id]": { status: 204, path: ({ instructionId }) => ({ id: instructionId }) },

  "GET /api/projects": { status: 200 },
  "POST /api/projects": { status: 201, body: () => ({ title: "Balcony", description: "Pots alone." }) },
  "GET /api/projects/[id]": { status: 200, path: ofProject },
  "PATCH /api/projects/[id]": { status: 200, path: ofProject, body: () => ({ title: "Balcony" }) },
  "DELETE /api/projects/[id]": { status: 204, path: ofProject },
  "GET /api/projects/[id]/buyer-persona": { status: 200, path: ofProject },
  "POST /api/projects/[id]/buyer-persona": {
    status: 201,
    path: ofProject,
    body: () => persona,
    // A project has one persona, so delete the other one first.
    before: ({ personaId }) => query("DELETE FROM buyer_personas WHERE id = $1", [personaId]),
  },
  "PATCH /api/buyer-personas/[id]": { status: 200, path: ({ personaId }) => ({ id: personaId }), body: () => persona },
  "GET /api/projects/[id]/topics": { status: 200, path: ofProject },
  "POST /api/projects/[id]/topics": { status: 201, path: ofProject, body: () => texts },
  "GET /api/topics/[id]": { status: 200, path: ofTopic },
  "PATCH /api/topics/[id]": { status: 200, path: ofTopic, body: () => texts },
  "DELETE /api/topics/[id]": { status: 204, path: ofTopic },
  "GET /api/topics/[id]/keywords": { status: 200, path: ofTopic },
  "POST /api/topics/[id]/keywords": { status: 201, path: ofTopic, body: () => ({ keyword: "watering cans" }) },
  "PATCH /api/keywords/[id]": {
    status: 200,
    path: ({ keywordId }) => ({ id: keywordId }),
    body: () => ({ keyword: "watering cans" }),
  },
  "DELETE /api/keywords/[id]": { status: 204, path: ({ keywordId }) => ({ id: keywordId }) },
  "POST /api/topics/[id]/suggest-keywords": { status: 200, path: ofTopic, query: () => ({ autoSave: "true" }) },
  "POST /api/topics/[id]/add-suggested-keywords": {
    status: 200,
    path: ofTopic,
    body: () => ({ keywords: ["rain barrels", "drip lines"] }),
  },

  "GET /api/projects/[id]/content": { status: 200, path: ofProject, query: () => ({ limit: 2 }) },
  "GET /api/projects/[id]/topics/[topicId]/content": {
    status: 200,
    path: ({ projectId, topicId }) => ({ id: projectId, topicId }),
  },
  "POST /api/projects/[id]/topics/[topicId]/content": {
    status: 201,
    path: ({ projectId, topicId }) => ({ id: projectId, topicId }),
    body: () => ({ title: "A piece by hand", body: "Text." }),
  },
  "POST /api/projects/[id]/generate-content-ideas": {
    status: 200,
    path: ofProject,
    body: ({ topicId }) => ({ topicId, ideasPerKeyword: 2 }),
    foreign: ({ topicId }) => [{ body: { topicId, ideasPerKeyword: 1 } }],
  },
  "GET /api/content": {
    status: 200,
    query: () => ({ limit: 2, search: "piece" }),
    foreign: ({ projectId, topicId, mark }) => [
      { query: { projectId } },
      { query: { topicId } },
      { query: { search: mark } },
    ],
  },
  "GET /api/content/groups": {
    status: 200,
    foreign: ({ projectId, mark }) => [{ query: { projectId } }, { query: { search: mark } }],
  },
  "GET /api/content/[id]": { status: 200, path: ofPiece },
  "PATCH /api/content/[id]": {
    status: 200,
    path: ofPiece,
    body: () => ({ title: "Another title", body: "New text." }),
  },
  "DELETE /api/content/[id]": { status: 204, path: ofPiece },
  "GET /api/content/[id]/revisions": { status: 200, path: ofPiece },
  "GET /api/content/[id]/revisions/[revisionId]": {
    status: 200,
    path: ({ pieceId, revisionId }) => ({ id: pieceId, revisionId }),
  },
  "POST /api/content/[id]/revisions/[revisionId]/restore": {
    status: 200,
    path: ({ pieceId, revisionId }) => ({ id: pieceId, revisionId }),
  },
  "POST /api/content/[id]/publish": { status: 200, path: ofPiece, body: () => ({ categoryName: "Guides" }) },
  "POST /api/content/[id]/unpublish": { status: 200, path: ofPiece, before: publish },
  "POST /api/content/[id]/sync": { status: 200, path: ofPiece, before: publish },
  "POST /api/content/[id]/generate-outline": { status: 200, path: ({ titleId }) => ({ id: titleId }) },
  "POST /api/content/[id]/generate-from-outline": { status: 200, path: ({ outlinedId }) => ({ id: outlinedId }) },
  "POST /api/content/[id]/stop-writing": { status: 200, path: ofPiece },
  "POST /api/content/[id]/rewrite": {
    status: 200,
    path: ofPiece,
    body: () => ({ selection: "Fill the tray. Wait.", action: "shorter" }),
  },
  "POST /api/topics/[id]/generate-outline-queue": { status: 202, path: ofTopic },
  "POST /api/topics/[id]/generate-all-content-queue": { status: 202, path: ofTopic },
  "POST /api/projects/[id]/publish-all-to-wordpress": { status: 200, path: ofProject },
  "GET /api/projects/[id]/publishing-jobs": { status: 200, path: ofProject },
  "POST /api/projects/[id]/publishing-jobs": {
    status: 202,
    path: ofProject,
    body: ({ pieceId }) => ({ verb: "publish_selected", contentIds: [pieceId] }),
    foreign: ({ pieceId }) => [{ body: { verb: "publish_selected", contentIds: [pieceId] } }],
  },
  "GET /api/publishing-jobs/[id]": { status: 200, path: ofPublishing },
  "GET /api/publishing-jobs/[id]/results": { status: 200, path: ofPublishing },
  "POST /api/publishing-jobs/[id]/cancel": { status: 200, path: ofPublishing },
  "POST /api/publishing-jobs/[id]/retry": { status: 200, path: ofPublishing },

  "POST /api/chat/start": {
    status: 200,
    body: ({ projectId }) => ({ projectId }),
    foreign: ({ projectId }) => [{ body: { projectId } }, { body: { projectId: String(projectId) } }],
  },
  "POST /api/chat/message": {
    status: 200,
    before: ({ caller, projectId }) => caller.post("/api/chat/start", { projectId }),
    body: () => ({ message: "Create a topic “Watering” with keywords: rain barrels, drip lines" }),
    foreign: ({ chatId }) => [{ body: { message: "What is there?", sessionId: chatId } }],
  },

  "GET /api/wordpress/categories": { status: 200 },
  "POST /api/wordpress/test": { status: 200 },
  "GET /api/queue/status": { status: 200 },
  "POST /api/queue/resume": { status: 200 },
  "POST /api/queue/jobs/[id]/cancel": { status: 200, path: ({ liveJobId }) => ({ id: liveJobId }) },
  "POST /api/queue/jobs/[id]/retry": { status: 202, path: ({ failedJobId }) => ({ id: failedJobId }) },
};

/** Operations with a protocol of their own, and the catch-all, each with the suite that tests it. */
export const excludedOperations: Record<string, string> = {
  "/api/[...missing]": "tests/api/thorough/openapi.test.ts",
  "/api/auth/[...nextauth]": "tests/api/isolation.test.ts",
  "/api/inngest": "tests/api/isolation.test.ts",
};

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Finds all operations in `app/api`: `PATCH /api/topics/[id]` with its handler's spec. */
export async function listOperations(): Promise<{ name: string; method: string; path: string; spec: RouteSpec }[]> {
  const found = await Promise.all(
    routes.map(async ({ path, load }) => {
      if (path in excludedOperations) return [];
      const module = (await load()) as unknown as Record<string, RouteHandler | undefined>;
      return METHODS.flatMap((method) => {
        const handler = module[method];
        return handler ? [{ name: `${method} ${path}`, method, path, spec: handler.spec }] : [];
      });
    }),
  );
  return found.flat();
}

type Given = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Calls an operation as its entry says, with overrides. */
export async function callOperation(name: string, caller: Caller, world: World, given: Given = {}): Promise<Answer> {
  const { method, url, body, headers } = buildRequest(name, world, given);
  return caller.call(method, url, body, headers);
}

export function buildRequest(name: string, world: World, given: Given = {}) {
  const call = validCalls[name];
  if (!call) throw new Error(`${name} has no line in tests/support/operations.ts`);
  const [method = "", path = ""] = name.split(" ");
  const params = { ...call.path?.(world), ...given.params };
  const filled = path.replace(/\[(\w+)\]/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams(
    Object.entries(given.query ?? call.query?.(world) ?? {}).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  );
  return {
    method,
    url: search.size > 0 ? `${filled}?${search}` : filled,
    body: "body" in given ? given.body : call.body?.(world),
    headers: { ...call.headers?.(world), ...given.headers },
  };
}
