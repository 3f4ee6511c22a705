import type { ContentSummary } from "@/lib/features/content/schema";
import type { TopicOut } from "@/lib/features/topics/schema";

/** A topic in a section's header. A topic that has not loaded has no name, and null as its description. */
export type SectionTopic = { id: number; name: string; description: string | null };

/** A table of pieces: of a topic, or of the whole project (`topic` null). `label` is for "select all". */
export type Section = { key: string; label: string; topic: SectionTopic | null; pieces: ContentSummary[] };

/** A topic's header, a table's header, or a piece with its index in the section. */
export type SectionLine = { key: string; section: Section; endsSection: boolean } & (
  | { kind: "head"; topic: SectionTopic }
  | { kind: "columns" }
  | { kind: "piece"; piece: ContentSummary; place: number }
);

/** The sections as one flat list, so that it can be virtualised. */
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

/** A section for each topic with pieces, in the topics' order. Topics that are newer than the loaded list come last. */
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
