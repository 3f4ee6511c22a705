import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { findPiecesWith, findRivals, type Rival } from "@/lib/features/content/reads";
import type { Reviewed } from "@/lib/features/content/seo/material";
import { projectPlaces } from "@/lib/features/projects/reads";
import { inChunks, MAX_RENDERING, REVIEWING_MS, REVIEWS_REMEMBERED } from "@/lib/features/publishing/rules";
import { type ReviewOut, type ReviewsQuery, reviewedText } from "@/lib/features/publishing/schema";
import { listSites } from "@/lib/features/sites/reads";
import { hostOf, siteOfProject } from "@/lib/features/sites/rules";
import { boundedCache } from "@/lib/utils/bounded";
import { comparedWords, fingerprint } from "@/lib/utils/text";
import { textHash } from "@/lib/utils/text-hash";
import { reviewInWorker } from "@/lib/workers/post";

// Reads alone, for lists, whose rows have no text.

const FIELDS = {
  id: true,
  version: true,
  projectId: true,
  title: true,
  slug: true,
  metaTitle: true,
  metaDescription: true,
  focusKeyword: true,
} as const;

/**
 * The reviews of the actor's pieces. It leaves out texts that are too complex, and those that it does not come to within
 * REVIEWING_MS, which the next call reviews.
 */
export async function reviewPieces(actor: Actor, { ids }: ReviewsQuery): Promise<ReviewOut[]> {
  const found = await findPiecesWith(actor, ids, FIELDS);
  const projects = await projectsOf(actor, found);
  const pieces = found.map((piece) => asReviewed(piece, projects.get(piece.projectId)));
  const reviews = new Map(pieces.map((piece) => [piece.id, known.get(piece.key)]));
  const until = performance.now() + REVIEWING_MS;
  const waiting = pieces.filter(({ key }) => !known.has(key));
  for (const batch of inChunks(
    waiting.map(({ id }) => id),
    MAX_RENDERING,
  )) {
    if (performance.now() > until) break;
    const texts = await findPiecesWith(actor, batch, { id: true, version: true, body: true, outline: true });
    await Promise.all(
      texts.map(async (text) => {
        const piece = waiting.find(({ id, version }) => id === text.id && version === text.version);
        if (piece) reviews.set(piece.id, await reviewOne(actor, piece, text));
      }),
    );
  }
  return pieces.flatMap(({ id, focusKeyword, slug, others }) => {
    const review = reviews.get(id);
    return review ? [{ ...review, id, focusKeyword, slug, rivals: others }] : [];
  });
}

type Known = Omit<ReviewOut, "id" | "focusKeyword" | "slug" | "rivals"> | null;
type Piece = Omit<Reviewed, "body" | "outline" | "others"> & {
  id: string;
  version: number;
  key: string;
  others: NonNullable<Reviewed["others"]>;
};

/** Null: the text is too complex. Undefined: too many texts wait. */
async function reviewOne({ userId }: Actor, { key, ...piece }: Piece, text: Pick<Reviewed, "body" | "outline">) {
  try {
    return remember(key, reviewedText.parse(JSON.parse(await reviewInWorker(userId, { ...piece, ...text }))));
  } catch (error) {
    if (isAppError(error, "TOO_COMPLEX")) return remember(key, null);
    if (isAppError(error, "SERVICE_UNAVAILABLE")) return undefined;
    throw error;
  }
}

/** What this process has reviewed: a page that is opened again costs no rendering. */
const known = boundedCache<string, Known>("reviews", REVIEWS_REMEMBERED, "A text that is forgotten is reviewed again.");

function remember(key: string, review: Known): Known {
  known.set(key, review);
  return review;
}

/** What the review of a piece needs of its project. */
type ProjectOfPieces = { language: string | null; site: string | null; pieces: Keyed[] };

async function projectsOf(actor: Actor, pieces: { id: string; projectId: number }[]) {
  const [places, sites, rivals] = await Promise.all([
    projectPlaces(actor, [...new Set(pieces.map(({ projectId }) => projectId))]),
    listSites(actor),
    findRivals(
      actor,
      pieces.map(({ id }) => id),
    ),
  ]);
  return new Map<number, ProjectOfPieces>(
    places.map(({ id, writingLanguage, siteId }) => [
      id,
      {
        language: writingLanguage,
        site: hostOf(siteOfProject(sites, siteId)?.url ?? null) ?? null,
        pieces: rivals.filter(({ projectId }) => projectId === id).map(keyed),
      },
    ]),
  );
}

type Fields = Omit<Piece, "key" | "language" | "site" | "others"> & { projectId: number };

/** With all that its review depends on; `key` stands for it and for the text. */
function asReviewed({ projectId, ...piece }: Fields, project: ProjectOfPieces | undefined): Piece {
  const others = rivalsOf(piece, project?.pieces ?? []);
  const reviewed = {
    ...piece,
    language: project?.language ?? null,
    site: project?.site ?? null,
    others,
  };
  return { ...reviewed, key: textHash(JSON.stringify(reviewed)) };
}

/** Pieces that a review lists as having the same title or focus keyword. */
const MOST_RIVALS = 20;

/** A piece with what its title and focus keyword are compared by, which takes long for many. */
type Keyed = Rival & { print: string; keyword: string };

function keyed(piece: Rival): Keyed {
  return { ...piece, print: fingerprint(piece.title), keyword: beginnings(piece.focusKeyword) };
}

/** Others with the same title, or with a focus keyword of as many words that begin alike: the rule compares their forms. */
function rivalsOf({ id, title, focusKeyword }: Omit<Fields, "projectId">, pieces: Keyed[]) {
  const [print, keyword] = [fingerprint(title), beginnings(focusKeyword)];
  return pieces
    .filter(
      (other) =>
        other.id !== id && ((print !== "" && other.print === print) || (keyword !== "" && other.keyword === keyword)),
    )
    .slice(0, MOST_RIVALS)
    .map((other) => ({ title: other.title, focusKeyword: other.focusKeyword }));
}

function beginnings(keyword: string | null): string {
  return comparedWords(keyword ?? "")
    .map((word) => word.slice(0, 2))
    .sort()
    .join(" ");
}
