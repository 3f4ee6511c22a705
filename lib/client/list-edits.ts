import { type Edit, edit } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";

type Items<T> = T[] | { pages: { items: T[] }[] };
type TopicPlace = { projectId: number; topicId: number };

/** The pieces of a project in every list that shows them: by topic, for publishing, in the library and its search. */
export function editPieces<T extends { id: string; topicId: number }>(
  { projectId, topicId }: TopicPlace,
  change: (pieces: T[]) => T[],
): Edit[] {
  const lists = [keys.topicContent(projectId, topicId), keys.projectContent(projectId), keys.allLibrary()];
  return lists.map((key) => edit<Items<T>>(key, (data) => editItems(data, change)));
}

function editItems<T>(data: Items<T>, change: (items: T[]) => T[]): Items<T> {
  if (Array.isArray(data)) return change(data);
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) };
}

type Group = { projectId: number; count: number; topics: { topicId: number; count: number }[] };

/** The library's counts with `removed` fewer pieces in a topic, under each filter that `counts` it; empty groups go. */
export function editLibraryCounts<Filters>(
  topicId: number,
  removed: number | "all",
  counts: (filters: Filters) => boolean = () => true,
): Edit {
  return edit<Group[]>(keys.allLibraryGroups(), (groups, [, filters = {}]) =>
    counts(filters as Filters) ? groups.flatMap((group) => withFewer(group, topicId, removed)) : groups,
  );
}

function withFewer(group: Group, topicId: number, removed: number | "all"): Group[] {
  const topic = group.topics.find((each) => each.topicId === topicId);
  if (!topic) return [group];
  const by = removed === "all" ? topic.count : removed;
  const topics = group.topics
    .map((each) => (each === topic ? { ...each, count: each.count - by } : each))
    .filter(({ count }) => count > 0);
  return topics.length === 0 ? [] : [{ ...group, count: group.count - by, topics }];
}

type Topic = { id: number; keywordCount: number; contentCount: number; steps: Record<string, number> };

/** The topics of a project. */
export function editTopics(projectId: number, change: (topics: Topic[]) => Topic[]): Edit {
  return edit<Topic[]>(keys.topics(projectId), change);
}

/** One keyword more in the count of a topic, or one fewer. */
export function editKeywordCount(place: TopicPlace, by: 1 | -1): Edit {
  return editCounts(place, ({ keywordCount }) => ({ keywordCount: plus(keywordCount, by) }));
}

/** One piece fewer in the counts of a topic; `step` is the furthest that the piece had reached. */
export function editFewerPieces(place: TopicPlace, step: string): Edit {
  return editCounts(place, ({ contentCount, steps }) => ({
    contentCount: plus(contentCount, -1),
    steps: { ...steps, [step]: plus(steps?.[step], -1) },
  }));
}

function editCounts({ projectId, topicId }: TopicPlace, changed: (topic: Topic) => Partial<Topic>): Edit {
  return editTopics(projectId, (topics) =>
    topics.map((topic) => (topic.id === topicId ? { ...topic, ...changed(topic) } : topic)),
  );
}

function plus(count = 0, by: 1 | -1): number {
  return Math.max(0, count + by);
}

type Keyword = { id: number; topicId: number; keyword: string; createdAt: string };

/** The keywords of a topic. */
export function editKeywords(topicId: number, change: (keywords: Keyword[]) => Keyword[]): Edit {
  return edit<Keyword[]>(keys.keywords(topicId), change);
}

export function updateById<T extends { id: unknown }>(id: T["id"], patch: Partial<T>): (items: T[]) => T[] {
  return (items) => items.map((item) => (item.id === id ? { ...item, ...patch } : item));
}

export function removeById<T extends { id: unknown }>(id: T["id"]): (items: T[]) => T[] {
  return (items) => items.filter((item) => item.id !== id);
}
