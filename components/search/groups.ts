import { FileText, Folder, Hash, type LucideIcon } from "lucide-react";
import { ACTIONS, type Choice, SCREENS, type SearchEntry } from "@/components/search/entries";
import { MAX_HITS, RANKS, type Rank, rankOf } from "@/lib/features/search/rules";
import type { SearchHits, TopicHit } from "@/lib/features/search/schema";

/** One row. `about`: where it belongs, in quieter letters. */
export type Hit = { id: string; label: string; about?: string; icon: LucideIcon; choice: Choice };
export type HitGroup = { heading: string; hits: Hit[] };

type Named = { id: string; title: string };

/** Pieces and projects shown at most that have the text only inside. */
const MAX_TEXTS = 8;
const MAX_DESCRIPTIONS = 3;

/**
 * Everything found, in groups: the one with the best title first. What has the text only inside comes last. Without a
 * text these are the newest projects, the screens and the actions.
 */
export function groupsOf(text: string, { projects, topics, pieces }: SearchHits, bodies: Named[]): HitGroup[] {
  const byTitle = [
    { heading: "Go to", hits: rankedEntries(SCREENS, text) },
    { heading: "Projects", hits: rankedHits(projects.map(projectHit), text) },
    { heading: "Actions", hits: rankedEntries(ACTIONS, text) },
    { heading: "Topics", hits: rankedHits(topics.map(topicHit), text) },
    { heading: "Content", hits: rankedHits(pieces.map(pieceHit), text) },
  ];
  if (text === "") {
    const [screens, newest, actions] = byTitle;
    return filled([newest, screens, actions].filter((group) => group !== undefined));
  }
  const isInText = ({ label }: Hit) => rankOf(label, text) === undefined;
  const texts = bodies.map(pieceHit).filter(isInText).slice(0, MAX_TEXTS);
  const descriptions = projects.map(projectHit).filter(isInText).slice(0, MAX_DESCRIPTIONS);
  return filled([
    ...byTitle.sort((a, b) => bestOf(a.hits) - bestOf(b.hits)),
    { heading: "In texts", hits: [...texts, ...descriptions] },
  ]);
}

/** The topics to choose from for a new piece. */
export function topicGroups(text: string, topics: TopicHit[]): HitGroup[] {
  const hits = topics.map((topic) => ({ ...topicHit(topic), choice: { topic } }));
  return filled([{ heading: "Topics", hits: rankedHits(hits, text) }]);
}

function filled<Group extends HitGroup>(groups: Group[]): Group[] {
  return groups.filter(({ hits }) => hits.length > 0);
}

type Ranked = Hit & { rank: Rank };

/** Those whose label has the text, the best first: an answer may be about what was typed before. */
function rankedHits(hits: Hit[], text: string): Ranked[] {
  return byRank(hits.map((hit) => ({ ...hit, rank: rankOf(hit.label, text) }))).slice(0, MAX_HITS);
}

/** An entry is found by its other words too, where one of them begins with the text. */
function rankedEntries(entries: SearchEntry[], text: string): Ranked[] {
  return byRank(
    entries.map(({ label, words, icon, choice }) => {
      const other = rankOf(words, text) === RANKS.inWord ? undefined : rankOf(words, text);
      return {
        id: label,
        label,
        icon,
        choice,
        rank: rankOf(label, text) ?? (other === undefined ? undefined : RANKS.wordStart),
      };
    }),
  );
}

function byRank(hits: (Hit & { rank: Rank | undefined })[]): Ranked[] {
  return hits.filter((hit): hit is Ranked => hit.rank !== undefined).sort((a, b) => a.rank - b.rank);
}

function bestOf(hits: Ranked[]): number {
  return hits[0]?.rank ?? RANKS.inWord;
}

function projectHit({ id, title }: { id: number; title: string }): Hit {
  const href = `/projects/${id}`;
  return { id: href, label: title || `Project ${id}`, icon: Folder, choice: { href } };
}

function topicHit({ id, name, projectId, projectTitle }: TopicHit): Hit {
  const href = `/projects/${projectId}?topic=${id}`;
  return { id: href, label: name, about: projectTitle, icon: Hash, choice: { href } };
}

function pieceHit({ id, title }: Named): Hit {
  const href = `/content/${id}`;
  return { id: href, label: title, icon: FileText, choice: { href } };
}
