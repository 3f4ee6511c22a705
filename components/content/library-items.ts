import type { TopicStep } from "@/components/generation/topic-ai-actions";
import type { ContentGroup, ContentSummary } from "@/lib/features/content/schema";

export type LibraryTopic = ContentGroup["topics"][number] & { projectId: number };

/** The loaded rows of a topic. */
export type TopicRows = { pieces: ContentSummary[]; hasMore: boolean; hasFailed: boolean };

/** A line of the library, which is one flat list so that it can be virtualised. */
export type LibraryItem =
  | { kind: "project"; key: string; group: ContentGroup; isOpen: boolean }
  | { kind: "topic"; key: string; topic: LibraryTopic; next: TopicStep }
  | ({ kind: "row"; key: string; topic: LibraryTopic; piece: ContentSummary } & Ends)
  | ({ kind: "placeholder"; key: string; topic: LibraryTopic } & Ends)
  | ({ kind: "failure"; key: string; topic: LibraryTopic } & Ends);

/** Marks the last line of a topic's card, and of a project. */
type Ends = { endsTopic: boolean; endsProject: boolean };

/** Placeholders for loading rows: at most a page of them. */
const MAX_PLACEHOLDERS = 50;

/** The lines of these groups. `rowsOf` returns a topic's loaded rows, undefined without any. */
export function libraryItems(
  groups: ContentGroup[],
  isOpen: (projectId: number) => boolean,
  rowsOf: (topic: LibraryTopic) => TopicRows | undefined,
): LibraryItem[] {
  const items: LibraryItem[] = [];
  for (const group of groups) {
    const { projectId, topics } = group;
    const opened = isOpen(projectId);
    items.push({ kind: "project", key: `project-${projectId}`, group, isOpen: opened });
    if (!opened) continue;
    for (const [index, each] of topics.entries()) {
      const topic = { ...each, projectId };
      const rows = rowsOf(topic);
      items.push({ kind: "topic", key: `topic-${topic.topicId}`, topic, next: nextStep(rows?.pieces ?? []) });
      const lines = topicItems(topic, rows);
      const isLast = index === topics.length - 1;
      items.push(
        ...lines.map((line, at) => {
          const endsTopic = at === lines.length - 1;
          return { ...line, endsTopic, endsProject: endsTopic && isLast };
        }),
      );
    }
  }
  return items;
}

/** "content" once every loaded piece without a body has an outline. */
function nextStep(pieces: ContentSummary[]): TopicStep {
  const unwritten = pieces.filter(({ hasBody }) => !hasBody);
  return unwritten.length > 0 && unwritten.every(({ isOutline }) => isOutline) ? "content" : "outlines";
}

type Line =
  | { kind: "row"; key: string; topic: LibraryTopic; piece: ContentSummary }
  | { kind: "placeholder" | "failure"; key: string; topic: LibraryTopic };

function topicItems(topic: LibraryTopic, rows: TopicRows | undefined): Line[] {
  const { pieces = [], hasMore = true, hasFailed = false } = rows ?? {};
  const lines: Line[] = pieces.map((piece) => ({ kind: "row", key: piece.id, topic, piece }));
  if (hasFailed) lines.push({ kind: "failure", key: `failure-${topic.topicId}`, topic });
  else if (hasMore) {
    const coming = Math.min(Math.max(topic.count - pieces.length, 1), MAX_PLACEHOLDERS);
    for (let at = 0; at < coming; at++) {
      lines.push({ kind: "placeholder", key: `coming-${topic.topicId}-${at}`, topic });
    }
  }
  return lines;
}
