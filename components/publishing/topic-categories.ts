import type { ContentSummary } from "@/lib/features/content/schema";
import { isSameName } from "@/lib/features/publishing/rules";
import type { CategoryOut } from "@/lib/features/publishing/schema";
import { comparisonKey } from "@/lib/utils/text";

/** A category of the site; `label` says what it is below. */
export type NamedCategory = { id: string; name: string; label: string };

export type Topic = { id: number; name: string };

/** A topic whose name several of the site's categories have. */
export type AmbiguousTopic = Topic & { categories: NamedCategory[] };

/** The names that several of the site's categories have, by comparisonKey; what programs take comes first. */
export function ambiguousNames(all: CategoryOut[]): Map<string, NamedCategory[]> {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const ordered = [...all].sort(
    (one, other) => Number(one.parent !== 0) - Number(other.parent !== 0) || one.id - other.id,
  );
  const groups = new Map<string, NamedCategory[]>();
  for (const category of ordered) {
    const key = comparisonKey(category.name);
    const group = groups.get(key);
    if (group) group.push(withLabel(category, names));
    else groups.set(key, [withLabel(category, names)]);
  }
  return new Map([...groups].filter(([, { length }]) => length > 1));
}

function withLabel({ id, name, parent }: CategoryOut, names: Map<number, string>): NamedCategory {
  const place = parent === 0 ? "top level" : `in ${names.get(parent) ?? `category ${parent}`}`;
  return { id: String(id), name, label: `${name} (${place})` };
}

/**
 * The topics of these pieces for which publishing looks for a category by name: none of the topic's pieces has one yet or, for
 * `byName`, none of the topic's own name.
 */
export function topicsWithoutCategory(
  pieces: ContentSummary[],
  { all, topicNameOf, byName }: { all: ContentSummary[]; topicNameOf: TopicNames; byName: boolean },
): Topic[] {
  const counts = ({ topicId, ...piece }: ContentSummary) => {
    const category = ownCategory(piece);
    return category !== null && (!byName || isSameName(category.name, topicNameOf(topicId)));
  };
  const done = new Set(all.filter(counts).map(({ topicId }) => topicId));
  const open = new Set(pieces.map(({ topicId }) => topicId).filter((id) => !done.has(id)));
  return [...open].flatMap((id) => ({ id, name: topicNameOf(id) ?? "" })).filter(({ name }) => name !== "");
}

/** Undefined while a topic's name is not known. */
export type TopicNames = (topicId: number) => string | undefined;

/** Returns the category of a piece on the current site only: category ids of another site mean nothing here. */
export function ownCategory({
  wpPlace,
  wpCategoryId,
  wpCategoryName,
}: Pick<ContentSummary, "wpPlace" | "wpCategoryId" | "wpCategoryName">): { id: string; name: string } | null {
  return wpPlace === "here" && wpCategoryId && wpCategoryName ? { id: wpCategoryId, name: wpCategoryName } : null;
}
