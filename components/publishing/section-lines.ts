import type { ContentSummary } from "@/lib/features/content/schema";
import type { TopicOut } from "@/lib/features/topics/schema";

/** A topic as a section's head shows it. One that did not come has no name, and nobody knows its description. */
export type SectionTopic = { id: number; name: string; description: string | null };

/** A table of pieces: a topic's, or all of a project's (`topic` null). `label` names what its box selects. */
export type Section = { key: string; label: string; topic: SectionTopic | null; pieces: ContentSummary[] };

/** A line of the screen: a topic's head, the head of its table, or a piece at its place in the section, from 0. */
export type SectionLine = { key: string; section: Section; endsSection: boolean } & (
  | { kind: "head"; topic: SectionTopic }
  | { kind: "columns" }
  | { kind: "piece"; piece: ContentSummary; place: number }
);

/** The sections as one list of lines, so that only those near the window need to be drawn. */
export function sectionLines(sections: Section[]): SectionLine[] {
  return sections.flatMap((section) => {
    const { key, topic, pieces } = section;
    const common = { section, endsSection: false };
    const lines: SectionLine[] = topic ? [{ ...common, kind: "head", key: `head-${key}`, topic }] : [];
    lines.push({ ...common, kind: "columns", key: `columns-${key}`, endsSection: pieces.length === 0 });
    for (const [place, piece] of pieces.entries()) {
      lines.push({ section, kind: "piece", key: piece.id, piece, place, endsSection: place === pieces.length - 1 });
    }
    return lines;
  });
}

/** A section for each topic that has pieces, in the order of the topics; those that are not among them come last. */
export function sectionsByTopic(topics: TopicOut[], pieces: ContentSummary[]): Section[] {
  const byTopic = new Map<number, ContentSummary[]>();
  for (const piece of pieces) {
    const own = byTopic.get(piece.topicId);
    if (own) own.push(piece);
    else byTopic.set(piece.topicId, [piece]);
  }
  const known = new Set(topics.map(({ id }) => id));
  const others = [...byTopic.keys()].filter((id) => !known.has(id)).sort((a, b) => b - a);
  const all: SectionTopic[] = [...topics, ...others.map((id) => ({ id, name: "", description: null }))];
  return all.flatMap((topic) => {
    const own = byTopic.get(topic.id);
    if (!own) return [];
    return [{ key: String(topic.id), label: topic.name || `Topic ${topic.id}`, topic, pieces: own }];
  });
}
