/**
 * The one map from calls to the nouns they change, and from nouns to the queries that show them. lib/client/invalidation.ts
 * invalidates by it; tests/api/changes.test.ts checks it against the server.
 */
export type Noun =
  | "project"
  | "persona"
  | "topic"
  | "keyword"
  | "piece"
  | "queue"
  | "publishing"
  | "category"
  | "account"
  | "instruction"
  | "session";

/** Where a noun is; an absent id matches any. */
type Place = { projectId?: number | undefined; topicId?: number | undefined; contentId?: string | undefined };

/** A noun that changed, and where. */
export type Change = Place & { noun: Noun };

type Shown = {
  /** The nouns in the answer. */
  nouns: Noun[];
  /** Title of the toast when it does not load. */
  failed: string;
};

/** Every query, by its address; `{}` is an id. */
export const QUERIES: Record<string, Shown> = {
  "/api/user": { nouns: ["account"], failed: "Your account did not load" },
  "/api/user/sessions": { nouns: ["account", "session"], failed: "Your open sessions did not load" },
  "/api/instructions": { nouns: ["instruction"], failed: "Your saved instructions did not load" },
  "/api/projects": { nouns: ["project"], failed: "Failed to fetch projects" },
  "/api/projects/{}": { nouns: ["project"], failed: "Failed to fetch project" },
  "/api/projects/{}/buyer-persona": { nouns: ["persona"], failed: "The buyer persona did not load" },
  // With the counts of keywords and pieces.
  "/api/projects/{}/topics": { nouns: ["topic", "keyword", "piece"], failed: "Failed to fetch topics" },
  "/api/topics/{}": { nouns: ["topic", "keyword", "piece"], failed: "The topic did not load" },
  "/api/topics/{}/keywords": { nouns: ["keyword"], failed: "Failed to fetch keywords" },
  "/api/projects/{}/content": { nouns: ["piece"], failed: "Failed to fetch content" },
  "/api/projects/{}/topics/{}/content": { nouns: ["piece"], failed: "Failed to fetch content" },
  "/api/content": { nouns: ["piece"], failed: "Failed to fetch content" },
  "/api/content/groups": { nouns: ["project", "topic", "piece"], failed: "Error fetching content" },
  "/api/content/{}": { nouns: ["piece"], failed: "Error fetching content" },
  "/api/content/{}/revisions": { nouns: ["piece"], failed: "The revision history did not load" },
  "/api/content/{}/revisions/{}": { nouns: ["piece"], failed: "The revision did not load" },
  // Jobs have the name of their topic.
  "/api/queue/status": { nouns: ["queue", "topic"], failed: "The queues did not load" },
  "/api/projects/{}/publishing-jobs": { nouns: ["publishing"], failed: "The publishing job did not load" },
  "/api/publishing-jobs/{}/results": { nouns: ["publishing"], failed: "The results of publishing did not load" },
  "/api/wordpress/categories": { nouns: ["category"], failed: "Failed to fetch WordPress categories" },
};

export type Verb = {
  changes: Noun[];
  /** How many seconds the server may keep working after the page that asked is gone. */
  maxSeconds?: number;
  /** Its first changes show while it is still running. */
  isIncremental?: true;
  /** Creates or costs money: sent with an Idempotency-Key (lib/client/idempotency-keys.ts). */
  keyed?: true;
};

const EVERYTHING_IN_A_TOPIC: Noun[] = ["topic", "keyword", "piece", "queue"];

/** Every write and the nouns it changes; empty when no query shows them. */
export const VERBS: Record<string, Verb> = {
  "PATCH /api/user": { changes: ["account", "session"] },
  "DELETE /api/user": { changes: [] },
  "DELETE /api/user/sessions": { changes: ["session"] },
  // Another site has other categories and other pieces.
  "PATCH /api/user/settings": { changes: ["account", "category", "piece"] },
  // A reachable site tells which pieces are on it.
  "POST /api/wordpress/test": { changes: ["piece"] },

  "POST /api/instructions": { changes: ["instruction"], keyed: true },
  "PATCH /api/instructions/{}": { changes: ["instruction"] },
  "DELETE /api/instructions/{}": { changes: ["instruction"] },

  "POST /api/projects": { changes: ["project"], keyed: true },
  "PATCH /api/projects/{}": { changes: ["project"] },
  "DELETE /api/projects/{}": { changes: ["project", "persona", "publishing", ...EVERYTHING_IN_A_TOPIC] },
  "POST /api/projects/{}/buyer-persona": { changes: ["persona"], keyed: true },
  "PATCH /api/buyer-personas/{}": { changes: ["persona"] },
  "POST /api/projects/{}/topics": { changes: ["topic"], keyed: true },
  "PATCH /api/topics/{}": { changes: ["topic"] },
  "DELETE /api/topics/{}": { changes: EVERYTHING_IN_A_TOPIC },
  "POST /api/topics/{}/keywords": { changes: ["keyword"], keyed: true },
  "PATCH /api/keywords/{}": { changes: ["keyword"] },
  "DELETE /api/keywords/{}": { changes: ["keyword"] },
  "POST /api/topics/{}/suggest-keywords": { changes: [], keyed: true },
  "POST /api/topics/{}/suggest-keywords?autoSave=true": { changes: ["keyword"], maxSeconds: 120, keyed: true },
  "POST /api/topics/{}/add-suggested-keywords": { changes: ["keyword"], keyed: true },

  "POST /api/projects/{}/topics/{}/content": { changes: ["piece"], keyed: true },
  "POST /api/projects/{}/generate-content-ideas": { changes: ["piece"], maxSeconds: 90, keyed: true },
  "PATCH /api/content/{}": { changes: ["piece"] },
  // Its live queue items end with it.
  "DELETE /api/content/{}": { changes: ["piece", "queue"] },
  "POST /api/content/{}/revisions/{}/restore": { changes: ["piece"] },
  "POST /api/content/{}/generate-outline": { changes: ["piece"], maxSeconds: 300, keyed: true },
  "POST /api/content/{}/generate-from-outline": { changes: ["piece"], maxSeconds: 300, keyed: true },
  "POST /api/content/{}/stop-writing": { changes: [] },
  "POST /api/content/{}/rewrite": { changes: [], keyed: true },
  // Publishing may create a category.
  "POST /api/content/{}/publish": { changes: ["piece", "category"], maxSeconds: 120 },
  "POST /api/content/{}/unpublish": { changes: ["piece"], maxSeconds: 60 },
  "POST /api/content/{}/sync": { changes: ["piece"], maxSeconds: 60 },
  "POST /api/projects/{}/publish-all-to-wordpress": {
    changes: ["piece", "category", "publishing"],
    maxSeconds: 300,
    isIncremental: true,
  },

  // In the background: a tab that shows the job follows its progress (useFollowPublishing).
  "POST /api/projects/{}/publishing-jobs": { changes: ["publishing", "piece", "category"] },
  "POST /api/publishing-jobs/{}/cancel": { changes: ["publishing"] },
  "POST /api/publishing-jobs/{}/retry": { changes: ["publishing", "piece", "category"] },

  "POST /api/topics/{}/generate-outline-queue": { changes: ["queue"], keyed: true },
  "POST /api/topics/{}/generate-all-content-queue": { changes: ["queue"], keyed: true },
  "POST /api/queue/resume": { changes: ["queue"] },
  "POST /api/queue/jobs/{}/cancel": { changes: ["queue"] },
  "POST /api/queue/jobs/{}/retry": { changes: ["queue"] },

  "POST /api/chat/start": { changes: [] },
  // What the assistant may create, also when its answer is lost.
  "POST /api/chat/message": {
    changes: ["project", "persona", "topic", "keyword"],
    maxSeconds: 300,
    isIncremental: true,
    keyed: true,
  },
};

/** A call of our API, before or after its answer. */
export type Call = { method: string; url: string; body?: unknown; answer?: unknown };

/** The entry of a call; undefined for calls not listed, such as signing in. */
export function verbOf({ method, url }: Call): Verb | undefined {
  return VERBS[`${method} ${patternOf(url)}`] ?? VERBS[`${method} ${patternOf(pathOf(url))}`];
}

/** What a call changes, and where, as far as its address, body and answer say. */
export function changesOf(call: Call): Change[] {
  const place = { ...idsIn(call.answer), ...idsIn(call.body), ...placeIn(pathOf(call.url)) };
  return verbOf(call)?.changes.map((noun) => ({ noun, ...place })) ?? [];
}

/** What a job changes with each item it finishes. */
export function jobChanges({ projectId, topicId }: { projectId: number; topicId: number }): Change[] {
  return [{ noun: "piece", projectId, topicId }];
}

/** What a publishing job changes with each piece it finishes. */
export function publishingChanges({ projectId }: { projectId: number }): Change[] {
  return [{ noun: "piece", projectId }, { noun: "category" }];
}

/** Does this query show one of these changes? `data` counts too: a piece knows its topic, its address does not. */
export function isAffected(
  { queryKey, data }: { queryKey: readonly unknown[]; data?: unknown },
  changes: Change[],
): boolean {
  const [address, filter] = queryKey;
  if (typeof address !== "string") return false;
  const shown = queryAt(address);
  if (!shown) return false;
  const place: Place = { ...idsIn(data), ...idsIn(filter), ...placeIn(address) };
  return changes.some(
    ({ noun, projectId, topicId, contentId }) =>
      shown.nouns.includes(noun) &&
      mayMatch(projectId, place.projectId) &&
      mayMatch(topicId, place.topicId) &&
      mayMatch(contentId, place.contentId),
  );
}

export function queryAt(address: string): Shown | undefined {
  return QUERIES[patternOf(address)];
}

/** Equal, or one of the two is not known. */
function mayMatch<T>(one: T | undefined, other: T | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

const ID = /\/(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27})(?=[/?]|$)/gi;

function patternOf(path: string): string {
  return path.replace(ID, "/{}");
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

function placeIn(path: string): Place {
  const projectId = /^\/api\/projects\/(\d+)/.exec(path)?.[1];
  const topicId = /\/topics\/(\d+)/.exec(path)?.[1];
  const contentId = /^\/api\/content\/([0-9a-f-]{36})/i.exec(path)?.[1];
  return {
    ...(projectId ? { projectId: Number(projectId) } : {}),
    ...(topicId ? { topicId: Number(topicId) } : {}),
    ...(contentId ? { contentId } : {}),
  };
}

function idsIn(value: unknown): Place {
  const { projectId, topicId } = (value ?? {}) as Record<string, unknown>;
  return {
    ...(typeof projectId === "number" ? { projectId } : {}),
    ...(typeof topicId === "number" ? { topicId } : {}),
  };
}
