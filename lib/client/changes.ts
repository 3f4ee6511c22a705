import { type Noun, type Operation, operationsAt } from "@/lib/transport/paths";

// What calls change and queries show, as their routes say it. lib/client/invalidation.ts invalidates by it;
// tests/api/changes.test.ts checks it against the server.

/** Where a noun is; an absent id matches any. */
type Place = { projectId?: number | undefined; topicId?: number | undefined; contentId?: string | undefined };

/** A noun that changed, and where. */
export type Change = Place & { noun: Noun };

/** A call of our API, before or after its answer. */
export type Call = { method: string; url: string; body?: unknown; answer?: unknown };

export function operationOf({ method, url }: Call): Operation | undefined {
  return operationsAt(pathOf(url))?.[method];
}

/** The piece that a call's address names. */
export function contentIdOf({ url }: Call): string | undefined {
  return placeIn(pathOf(url)).contentId;
}

/** What a call changes, and where, as far as its address, body and answer say. */
export function changesOf(call: Call): Change[] {
  const place = { ...idsIn(call.answer), ...idsIn(call.body), ...placeIn(pathOf(call.url)) };
  return operationOf(call)?.changes?.map((noun) => ({ noun, ...place })) ?? [];
}

/** What a job changes with each item it finishes. */
export function jobChanges({ projectId, topicId }: { projectId: number; topicId: number }): Change[] {
  return [
    { noun: "piece", projectId, topicId },
    { noun: "unfinished", projectId, topicId },
  ];
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
  const shown = operationOf({ method: "GET", url: address })?.shows;
  if (!shown) return false;
  const place: Place = { ...idsIn(data), ...idsIn(filter), ...placeIn(address) };
  // What is beside a piece changes with the others of its topic: not each time that its own text is saved.
  const isOfOthers = address.endsWith("/neighbours");
  return changes.some(
    ({ noun, projectId, topicId, contentId }) =>
      shown.nouns.includes(noun) &&
      mayMatch(projectId, place.projectId) &&
      mayMatch(topicId, place.topicId) &&
      (isOfOthers ? contentId !== place.contentId : mayMatch(contentId, place.contentId)),
  );
}

/** Are the two equal, or is one of them not known? */
function mayMatch<T>(one: T | undefined, other: T | undefined): boolean {
  return one === undefined || other === undefined || one === other;
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
