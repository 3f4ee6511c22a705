import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { type PresentSite, presentSite } from "@/lib/features/account/reads";
import { excerptOf, type WpPlace, wpPlaceOf } from "@/lib/features/content/rules";
import type { ContentGroup, ContentGroupsQuery, ListContentQuery, PageQuery } from "@/lib/features/content/schema";
import { type SummaryRow, selectGroups, selectSummaries } from "@/lib/features/content/sql";
import { selectRevisions } from "@/lib/features/content/sql/revisions";
import { ownedProject } from "@/lib/features/projects/reads";
import { ownedTopic } from "@/lib/features/topics/reads";
import { isHeld } from "@/lib/lease/lease";
import { type Cursor, decodeCursor, type Page, pageOf, UNLIMITED_ROWS } from "@/lib/utils/page";
import { uuid } from "@/lib/utils/zod";

const NOT_FOUND = "This piece was not found. It may have been deleted.";

/** The person's own pieces that match, newest first, without body and outline. `signal` ends a search: see lib/db/search.ts. */
export async function listContent(
  actor: Actor,
  query: ListContentQuery,
  signal?: AbortSignal,
): Promise<Page<ListedPiece>> {
  const limit = query.limit ?? UNLIMITED_ROWS;
  const rows = await selectSummaries(actor.userId, query, cursorOf(query), limit + 1, signal);
  const site = rows.some(({ wpSite }) => wpSite !== null) ? await presentSite(actor) : NO_SITE;
  return pageOf(
    rows.map((row) => seenFrom(site, row)),
    limit,
  );
}

function cursorOf(query: PageQuery): Cursor | undefined {
  const cursor = decodeCursor(query.cursor);
  return cursor && uuid.safeParse(cursor.id).success ? cursor : undefined;
}

type ListedPiece = SummaryRow & { wpPlace: WpPlace };

const NO_SITE: PresentSite = { wordpressUrl: null, wordpressSite: null };

type OnSite = {
  wpSite: string | null;
  wpPostId: string | null;
  wpPermalink: string | null;
  wpCategoryId: string | null;
  wpCategoryName: string | null;
  publishError: string | null;
};

/** What a piece keeps of a site counts on that site alone: it stays stored for the day the person comes back to it. */
function seenFrom<Piece extends OnSite>(site: PresentSite, piece: Piece): Piece & { wpPlace: WpPlace } {
  const wpPlace = wpPlaceOf(piece.wpSite, site);
  const isSure = wpPlace !== "unknown" && wpPlace !== "elsewhere";
  const category = isSure ? {} : { wpCategoryId: null, wpCategoryName: null };
  const post = wpPlace === "elsewhere" ? { wpPostId: null, wpPermalink: null, publishError: null } : {};
  return { ...piece, ...category, ...post, wpPlace };
}

/** All pieces of one's own project. */
export async function listProjectContent(actor: Actor, projectId: number, query: ListContentQuery) {
  await ownedProject(actor, projectId);
  return listContent(actor, { ...query, projectId });
}

/** All pieces of a topic of one's own project. */
export async function listTopicContent(actor: Actor, projectId: number, topicId: number, query: ListContentQuery) {
  await ownedTopicOfProject(actor, projectId, topicId);
  return listContent(actor, { ...query, projectId, topicId });
}

/** One's own topic, named together with its project; NOT_FOUND when they do not belong together. */
export async function ownedTopicOfProject(actor: Actor, projectId: number, topicId: number) {
  const topic = await ownedTopic(actor, topicId);
  if (topic.projectId !== projectId) {
    throw new AppError("NOT_FOUND", { message: "This topic was not found in this project." });
  }
  return topic;
}

/** How many pieces a topic has, and how many of them have no text yet. */
export async function countPieces({ userId }: Actor, topicId: number): Promise<{ all: number; unwritten: number }> {
  const [all, unwritten] = await Promise.all([
    prisma.contentPiece.count({ where: { topicId, userId } }),
    prisma.contentPiece.count({ where: { topicId, userId, hasBody: false } }),
  ]);
  return { all, unwritten };
}

/** How many pieces match in each project and topic: what the library opens with. */
export async function contentGroups(
  actor: Actor,
  query: ContentGroupsQuery,
  signal?: AbortSignal,
): Promise<ContentGroup[]> {
  const groups = new Map<number, ContentGroup>();
  for (const row of await selectGroups(actor.userId, query, signal)) {
    const group = groups.get(row.projectId) ?? {
      projectId: row.projectId,
      title: row.projectTitle,
      count: 0,
      topics: [],
    };
    group.count += row.count;
    group.topics.push({ topicId: row.topicId, name: row.topicName, count: row.count });
    groups.set(row.projectId, group);
  }
  return [...groups.values()];
}

/** One's own piece with body and outline, or NOT_FOUND. */
export async function ownedContent(actor: Actor, id: string) {
  const [piece, isBeingWritten] = await Promise.all([
    prisma.contentPiece.findFirst({ where: { id, userId: actor.userId } }),
    isHeld("writing", id),
  ]);
  if (!piece) throw new AppError("NOT_FOUND", { message: NOT_FOUND });
  return seenFrom(piece.wpSite === null ? NO_SITE : await presentSite(actor), { ...piece, isBeingWritten });
}

/** Those of one's own pieces that are still there, in this order. */
export async function piecesOf({ userId }: Actor, ids: string[]) {
  const rows = await prisma.contentPiece.findMany({ where: { id: { in: ids }, userId } });
  return ids.flatMap((id) => rows.filter((row) => row.id === id));
}

/** Revisions a list answers when no limit was asked for. */
const REVISIONS_A_PAGE = 50;

/** The revisions of one's own piece, newest first, without body and outline. */
export async function listRevisions(actor: Actor, id: string, query: PageQuery) {
  const limit = query.limit ?? REVISIONS_A_PAGE;
  const rows = await selectRevisions(actor.userId, id, cursorOf(query), limit + 1);
  if (rows.length === 0) await refuseMissing(actor, id);
  return pageOf(
    rows.map(({ bodyBegins, outlineBegins, ...row }) => ({ ...row, excerpt: excerptOf(bodyBegins, outlineBegins) })),
    limit,
  );
}

async function refuseMissing({ userId }: Actor, id: string): Promise<void> {
  const piece = await prisma.contentPiece.findFirst({ where: { id, userId }, select: { id: true } });
  if (!piece) throw new AppError("NOT_FOUND", { message: NOT_FOUND });
}

/** A revision of one's own piece with its texts, or NOT_FOUND. */
export async function ownedRevision({ userId }: Actor, id: string, revisionId: string) {
  const revision = await prisma.contentRevision.findFirst({
    where: { id: revisionId, contentPieceId: id, contentPiece: { userId } },
  });
  if (!revision) throw new AppError("NOT_FOUND", { message: "This revision was not found. It may have been removed." });
  return { ...revision, excerpt: excerptOf(revision.body, revision.outline) };
}
