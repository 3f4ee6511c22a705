/**
 * The one map from calls to the nouns they change, and from nouns to the queries that show them. Every refresh goes through
 * it (lib/client/live.ts), and tests/api/changes.test.ts holds it to what the server really answers.
 */
export type Noun = "project" | "persona" | "topic" | "keyword" | "piece" | "queue" | "category" | "account" | "session";

/** Where a noun is; an absent id matches any. */
type Place = { projectId?: number | undefined; topicId?: number | undefined; contentId?: string | undefined };

/** A noun that changed, and where. */
export type Changed = Place & { noun: Noun };

type Shown = {
  /** The nouns whose data stands in the answer. */
  nouns: Noun[];
  /** Title of the notification when it does not load. */
  failed: string;
};

/** Every query, by its address; `{}` is an id. */
export const QUERIES: Record<string, Shown> = {
  "/api/user": { nouns: ["account"], failed: "Your account did not load" },
  "/api/user/sessions": { nouns: ["account", "session"], failed: "Your open sessions did not load" },
  "/api/projects": { nouns: ["project"], failed: "Failed to fetch projects" },
  "/api/projects/{}": { nouns: ["project"], failed: "Failed to fetch project" },
  "/api/projects/{}/buyer-persona": { nouns: ["persona"], failed: "The buyer persona did not load" },
  // With the numbers of keywords and pieces.
  "/api/projects/{}/topics": { nouns: ["topic", "keyword", "piece"], failed: "Failed to fetch topics" },
  "/api/topics/{}/keywords": { nouns: ["keyword"], failed: "Failed to fetch keywords" },
  "/api/projects/{}/content": { nouns: ["piece"], failed: "Failed to fetch content" },
  "/api/projects/{}/topics/{}/content": { nouns: ["piece"], failed: "Failed to fetch content" },
  "/api/content": { nouns: ["piece"], failed: "Failed to fetch content" },
  "/api/content/groups": { nouns: ["project", "topic", "piece"], failed: "Error fetching content" },
  "/api/content/{}": { nouns: ["piece"], failed: "Error fetching content" },
  "/api/content/{}/revisions": { nouns: ["piece"], failed: "The revision history did not load" },
  "/api/content/{}/revisions/{}": { nouns: ["piece"], failed: "The revision did not load" },
  // Jobs carry the name of their topic.
  "/api/queue/status": { nouns: ["queue", "topic"], failed: "The queues did not load" },
  "/api/wordpress/categories": { nouns: ["category"], failed: "Failed to fetch WordPress categories" },
};

export type Verb = {
  changes: Noun[];
  /** How long the server may keep working, in seconds, after the page that asked is gone. */
  upTo?: number;
  /** Its changes show while it is still running. */
  asItGoes?: true;
  /** Creates or costs money: sent with an Idempotency-Key (lib/client/intentions.ts). */
  once?: true;
};

const EVERYTHING_IN_A_TOPIC: Noun[] = ["topic", "keyword", "piece", "queue"];

/** Every write and the nouns it changes; empty when no query shows them. */
export const VERBS: Record<string, Verb> = {
  "PATCH /api/user": { changes: ["account", "session"] },
  "DELETE /api/user": { changes: [] },
  "DELETE /api/user/sessions": { changes: ["session"] },
  // Another site has other categories, and other pieces stand on it.
  "PATCH /api/user/settings": { changes: ["account", "category", "piece"] },
  // Finding the site tells which pieces stand on it.
  "POST /api/wordpress/test": { changes: ["piece"] },

  "POST /api/projects": { changes: ["project"], once: true },
  "PATCH /api/projects/{}": { changes: ["project"] },
  "DELETE /api/projects/{}": { changes: ["project", "persona", ...EVERYTHING_IN_A_TOPIC] },
  "POST /api/projects/{}/buyer-persona": { changes: ["persona"], once: true },
  "PATCH /api/buyer-personas/{}": { changes: ["persona"] },
  "POST /api/projects/{}/topics": { changes: ["topic"], once: true },
  "PATCH /api/topics/{}": { changes: ["topic"] },
  "DELETE /api/topics/{}": { changes: EVERYTHING_IN_A_TOPIC },
  "POST /api/topics/{}/keywords": { changes: ["keyword"], once: true },
  "PATCH /api/keywords/{}": { changes: ["keyword"] },
  "DELETE /api/keywords/{}": { changes: ["keyword"] },
  "POST /api/topics/{}/suggest-keywords": { changes: [], once: true },
  "POST /api/topics/{}/suggest-keywords?autoSave=true": { changes: ["keyword"], upTo: 120, once: true },
  "POST /api/topics/{}/add-suggested-keywords": { changes: ["keyword"], once: true },

  "POST /api/projects/{}/topics/{}/content": { changes: ["piece"], once: true },
  "POST /api/projects/{}/generate-content-ideas": { changes: ["piece"], upTo: 90, once: true },
  "PATCH /api/content/{}": { changes: ["piece"] },
  // Its live queue items end with it.
  "DELETE /api/content/{}": { changes: ["piece", "queue"] },
  "POST /api/content/{}/revisions/{}/restore": { changes: ["piece"] },
  "POST /api/content/{}/generate-outline": { changes: ["piece"], upTo: 300, once: true },
  "POST /api/content/{}/generate-from-outline": { changes: ["piece"], upTo: 300, once: true },
  // Publishing may create a category.
  "POST /api/content/{}/publish": { changes: ["piece", "category"], upTo: 120 },
  "POST /api/content/{}/unpublish": { changes: ["piece"], upTo: 60 },
  "POST /api/content/{}/sync": { changes: ["piece"], upTo: 60 },
  "POST /api/projects/{}/publish-all-to-wordpress": { changes: ["piece", "category"], upTo: 300, asItGoes: true },

  "POST /api/topics/{}/generate-outline-queue": { changes: ["queue"], once: true },
  "POST /api/topics/{}/generate-all-content-queue": { changes: ["queue"], once: true },
  "POST /api/queue/resume": { changes: ["queue"] },
  "POST /api/queue/jobs/{}/cancel": { changes: ["queue"] },
  "POST /api/queue/jobs/{}/retry": { changes: ["queue"] },

  "POST /api/chat/start": { changes: [] },
  // What the assistant made, also when its answer was lost.
  "POST /api/chat/message": {
    changes: ["project", "persona", "topic", "keyword"],
    upTo: 300,
    asItGoes: true,
    once: true,
  },
};

/** A call of our API, before or after its answer. */
export type Call = { method: string; url: string; body?: unknown; answer?: unknown };

/** The entry of a call; undefined for those not listed, such as signing in. */
export function verbOf({ method, url }: Call): Verb | undefined {
  return VERBS[`${method} ${patternOf(url)}`] ?? VERBS[`${method} ${patternOf(pathOf(url))}`];
}

/** What a call changes, and where, as far as its address, its body and its answer tell. */
export function changesOf(call: Call): Changed[] {
  const place = { ...idsIn(call.answer), ...idsIn(call.body), ...placeIn(pathOf(call.url)) };
  return verbOf(call)?.changes.map((noun) => ({ noun, ...place })) ?? [];
}

/** What a job changes with each item that ends. */
export function changesOfJob({ projectId, topicId }: { projectId: number; topicId: number }): Changed[] {
  return [{ noun: "piece", projectId, topicId }];
}

/** Does this query show one of these changes? `data` is its content: a piece knows its topic, its address does not. */
export function shows(
  { queryKey, data }: { queryKey: readonly unknown[]; data?: unknown },
  changes: Changed[],
): boolean {
  const [address, filter] = queryKey;
  if (typeof address !== "string") return false;
  const shown = queryAt(address);
  if (!shown) return false;
  const place: Place = { ...idsIn(data), ...idsIn(filter), ...placeIn(address) };
  return changes.some(
    ({ noun, projectId, topicId, contentId }) =>
      shown.nouns.includes(noun) &&
      mayBe(projectId, place.projectId) &&
      mayBe(topicId, place.topicId) &&
      mayBe(contentId, place.contentId),
  );
}

/** What is known of a query with this address. */
export function queryAt(address: string): Shown | undefined {
  return QUERIES[patternOf(address)];
}

/** The same, or one of the two is not known. */
function mayBe<T>(one: T | undefined, other: T | undefined): boolean {
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
