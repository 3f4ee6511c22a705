import type { QueryKey } from "@tanstack/react-query";
import { type Change, change } from "@/lib/client/optimistic";
import { keys } from "@/lib/client/query-keys";

type Items<T> = T[] | { pages: { items: T[] }[] };
type Piece = { id: string; topicId: number };
type Group = { projectId: number; count: number; topics: { topicId: number; count: number }[] };

/** The pieces of a project in every list that shows them: by topic, for publishing, in the library and its search. */
export function inContentLists<T extends Piece>(
  { projectId, topicId }: { projectId: number; topicId: number },
  edit: (pieces: T[]) => T[],
): Change[] {
  const lists = [keys.topicContent(projectId, topicId), keys.projectContent(projectId), keys.allLibrary()];
  return lists.map((key) => change<Items<T>>(key, (data) => inItems(data, edit)));
}

/** A list, or one that comes in pages. */
function inItems<T>(data: Items<T>, edit: (items: T[]) => T[]): Items<T> {
  if (Array.isArray(data)) return edit(data);
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: edit(page.items) })) };
}

/** The library's numbers with this many pieces less in a topic ("all": the topic itself is gone); nothing stays empty. */
export function inLibraryNumbers(queryKey: QueryKey, topicId: number, fewer: number | "all"): Change {
  return change<Group[]>(queryKey, (groups) =>
    groups.flatMap((group) => {
      const gone = group.topics.find((topic) => topic.topicId === topicId);
      if (!gone) return [group];
      const by = fewer === "all" ? gone.count : fewer;
      const topics = group.topics
        .map((topic) => (topic === gone ? { ...topic, count: topic.count - by } : topic))
        .filter(({ count }) => count > 0);
      return topics.length === 0 ? [] : [{ ...group, count: group.count - by, topics }];
    }),
  );
}

/** One keyword or piece more, or less, in the numbers of a topic. */
export function inTopicNumbers(
  { projectId, topicId }: { projectId: number; topicId: number },
  number: "keywordCount" | "contentCount",
  by: 1 | -1,
): Change {
  type Numbers = { id: number; keywordCount: number; contentCount: number };
  return change<Numbers[]>(keys.topics(projectId), (topics) =>
    topics.map((topic) => (topic.id === topicId ? { ...topic, [number]: Math.max(0, topic[number] + by) } : topic)),
  );
}
