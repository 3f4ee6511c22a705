import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { own, ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/errors";
import { excerptOf, MAX_PIECES, type WpPlace, wpPlaceOf } from "@/lib/features/content/rules";
import type {
  ContentGroup,
  ContentGroupsQuery,
  ListContentQuery,
  Neighbours,
  PageQuery,
} from "@/lib/features/content/schema";
import {
  type EncodedTitles,
  type Rival,
  type SummaryRow,
  selectGroups,
  selectNeighbours,
  selectRivals,
  selectSummaries,
  selectTitles,
} from "@/lib/features/content/sql";
import { selectFacts } from "@/lib/features/content/sql/posts";
import { selectRevisions } from "@/lib/features/content/sql/revisions";
import { type NewerPiece, selectNewerHere, unwrittenPiecesSql } from "@/lib/features/content/sql/shared";
import { ownedProject } from "@/lib/features/projects/reads";
import type { PostHere } from "@/lib/features/sites/reads";
import { ownedTopic } from "@/lib/features/topics/reads";
import { MAX_LIST_BYTES } from "@/lib/limits/bounds";
import {
  type Cursor,
  type CursorPage,
  cursorPage,
  decodeCursor,
  MAX_ROWS,
  newestCursor,
} from "@/lib/utils/cursor-page";
import { parseIntId } from "@/lib/utils/ids";
import { uuid } from "@/lib/utils/zod";

export type { Rival };

export function pieceNotFound(): AppError {
  return new AppError("NOT_FOUND", { message: "This piece was not found. It may have been deleted." });
}

/** The actor's pieces that match, newest first, without body and outline. `signal` aborts a search. */
export async function listContent(
  actor: Actor,
  query: ListContentQuery,
  signal?: AbortSignal,
): Promise<CursorPage<ListedPiece>> {
  const limit = query.limit ?? MAX_ROWS;
  const rows = await selectSummaries(actor.userId, query, cursorIn(query), limit + 1, signal);
  return cursorPage(rows.map(located), { limit, maxBytes: MAX_LIST_BYTES, cursorOf: newestCursor });
}

function cursorIn(query: PageQuery): Cursor | undefined {
  return decodeCursor(query.cursor, (id) => uuid.safeParse(id).data);
}

type ListedPiece = SummaryRow & { wpPlace: WpPlace };

/** Adds where the post is, and leaves out a category that may be another site's. */
function located<Piece extends PostHere>(piece: Piece): Piece & { wpPlace: WpPlace } {
  const wpPlace = wpPlaceOf(piece);
  return { ...piece, ...(wpPlace === "unknown" ? { wpCategoryId: null, wpCategoryName: null } : {}), wpPlace };
}

export async function listProjectContent(actor: Actor, projectId: number, query: ListContentQuery) {
  await ownedProject(actor, projectId);
  return listContent(actor, { ...query, projectId });
}

export async function listTopicContent(actor: Actor, projectId: number, topicId: number, query: ListContentQuery) {
  await ownedTopicOfProject(actor, projectId, topicId);
  return listContent(actor, { ...query, projectId, topicId });
}

export async function ownedTopicOfProject(actor: Actor, projectId: number, topicId: number) {
  const topic = await ownedTopic(actor, topicId);
  if (topic.projectId !== projectId) {
    throw new AppError("NOT_FOUND", { message: "This topic was not found in this project." });
  }
  return topic;
}

/** How many pieces of a topic have no outline yet, or an outline and no body. */
export async function countUnwritten(actor: Actor, topicId: number, field: "outline" | "body"): Promise<number> {
  const [{ count }] = await prisma.$queryRaw<[{ count: number }]>(Prisma.sql`
    SELECT count(*)::int AS count FROM (${unwrittenPiecesSql(actor.userId, topicId, field)}) p`);
  return count;
}

/** How many pieces a topic has, and how many of them have no body. */
export async function countPieces(actor: Actor, topicId: number): Promise<{ all: number; unwritten: number }> {
  const [all, unwritten] = await Promise.all([
    prisma.contentPiece.count({ where: { topicId, ...own(actor) } }),
    prisma.contentPiece.count({ where: { topicId, ...own(actor), hasBody: false } }),
  ]);
  return { all, unwritten };
}

/**
 * How many pieces match in each project and topic, newest projects first: as many projects as `maxBytes` of JSON hold.
 * The library opens with this. `signal` aborts a search.
 */
export async function contentGroups(
  actor: Actor,
  { cursor, ...filter }: ContentGroupsQuery,
  { signal, maxBytes = MAX_LIST_BYTES }: { signal?: AbortSignal; maxBytes?: number } = {},
): Promise<CursorPage<DatedGroup>> {
  const groups = new Map<number, DatedGroup>();
  const after = decodeCursor(cursor, parseIntId);
  for (const row of await selectGroups(actor.userId, filter, { cursor: after, maxBytes, signal })) {
    const group = groups.get(row.projectId) ?? {
      projectId: row.projectId,
      title: row.projectTitle,
      createdAt: row.projectCreatedAt,
      count: 0,
      topics: [],
    };
    group.count += row.count;
    group.topics.push({ topicId: row.topicId, name: row.topicName, count: row.count });
    groups.set(row.projectId, group);
  }
  const cursorOf = ({ projectId, createdAt }: DatedGroup) => newestCursor({ id: projectId, createdAt });
  return cursorPage([...groups.values()], { maxBytes, cursorOf });
}

type DatedGroup = ContentGroup & { createdAt: Date };

export async function ownedContent(actor: Actor, id: string) {
  const [piece] = await findPieces(actor, [id]);
  if (!piece) throw pieceNotFound();
  return piece;
}

/** What the topic lists before and after the actor's piece. */
export async function neighbours(actor: Actor, id: string): Promise<Neighbours> {
  const found = await selectNeighbours(actor.userId, id);
  if (!found) throw pieceNotFound();
  return found;
}

export async function ownedContentFields<Fields extends Prisma.ContentPieceSelect>(
  actor: Actor,
  id: string,
  select: Fields,
): Promise<Prisma.ContentPieceGetPayload<{ select: Fields }>> {
  const piece = await prisma.contentPiece.findFirst({ where: { id, ...own(actor) }, select });
  if (!piece) throw pieceNotFound();
  return piece as Prisma.ContentPieceGetPayload<{ select: Fields }>;
}

/** Those of the pieces that are the actor's, in no order. */
export async function findPiecesWith<Fields extends Prisma.ContentPieceSelect>(
  actor: Actor,
  ids: string[],
  select: Fields,
): Promise<Prisma.ContentPieceGetPayload<{ select: Fields }>[]> {
  const pieces = await prisma.contentPiece.findMany({ where: { id: { in: ids }, ...own(actor) }, select });
  return pieces as Prisma.ContentPieceGetPayload<{ select: Fields }>[];
}

/** What may compete with these pieces of the actor: see `selectRivals`. */
export function findRivals({ userId }: Actor, ids: string[]): Promise<Rival[]> {
  return selectRivals(userId, ids);
}

/** The pieces of the actor's project that meet `where`, oldest first. */
export async function findProjectPieces(actor: Actor, projectId: number, where: Prisma.ContentPieceWhereInput) {
  await ownedProject(actor, projectId);
  return prisma.contentPiece.findMany({
    where: { ...where, projectId, ...own(actor) },
    select: { id: true, title: true, topicId: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
}

/** The publishable pieces of the actor's project whose text is newer here than on the site, oldest first. */
export function findNewerPieces({ userId }: Actor, projectId: number): Promise<NewerPiece[]> {
  return selectNewerHere(userId, { projectId }, MAX_PIECES);
}

/** How many of the actor's pieces meet `where`, by project and status. */
export async function countByProjectAndStatus(actor: Actor, where: Prisma.ContentPieceWhereInput) {
  const rows = await prisma.contentPiece.groupBy({
    by: ["projectId", "status"],
    where: { ...where, ...own(actor) },
    _count: true,
  });
  return rows.map(({ projectId, status, _count: count }) => ({ projectId, status, count }));
}

/** Every title of the actor's project, encoded: they are for a worker. */
export function encodedTitles({ userId }: Actor, projectId: number): Promise<EncodedTitles> {
  return selectTitles(userId, projectId);
}

/** Titles of the actor's project, newest first. */
export async function projectTitles(actor: Actor, projectId: number, limit: number): Promise<string[]> {
  const rows = await prisma.contentPiece.findMany({
    where: { projectId, ...own(actor) },
    select: { title: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
  });
  return rows.map(({ title }) => title);
}

/** A topic's pieces counted by focus keyword in lower case; "" counts those without one. */
export async function countPiecesByKeyword(actor: Actor, topicId: number): Promise<Map<string, number>> {
  const rows = await prisma.contentPiece.groupBy({
    by: ["focusKeyword"],
    where: { topicId, ...own(actor) },
    _count: true,
  });
  return new Map(rows.map((row) => [(row.focusKeyword ?? "").toLowerCase(), row._count]));
}

/** Those of the pieces that still exist and are the actor's, in the given order. */
export async function findPieces(actor: Actor, ids: string[]) {
  const [rows, facts] = await Promise.all([
    prisma.contentPiece.findMany({ where: { id: { in: ids }, ...own(actor) } }),
    selectFacts(actor.userId, ids),
  ]);
  const pieces = new Map(rows.map((piece) => [piece.id, piece]));
  return ids.flatMap((id) => {
    const [piece, known] = [pieces.get(id), facts.get(id)];
    return piece && known ? [located({ ...piece, ...known })] : [];
  });
}

/** The ids and links of posts on their pieces' sites, for those of the pieces that are the actor's. */
export function postsHere({ userId }: Actor, ids: string[]): Promise<Map<string, PostHere>> {
  return selectFacts(userId, ids);
}

/** The bytes of each piece's body and outline. */
export async function textSizes({ userId }: Actor, ids: string[]): Promise<Map<string, number>> {
  const rows = await prisma.$queryRaw<{ id: string; bytes: number }[]>(Prisma.sql`
    SELECT id, octet_length(body) + coalesce(octet_length(outline), 0) AS bytes FROM content_pieces p
    WHERE id = ANY(${ids}::uuid[]) AND ${ownSql("p", userId)}`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

const REVISIONS_PER_PAGE = 50;

/** The revisions of the actor's piece, newest first, without body and outline: fifty long texts are 25 MB. */
export async function listRevisions(actor: Actor, id: string, query: PageQuery) {
  const limit = query.limit ?? REVISIONS_PER_PAGE;
  const rows = await selectRevisions(actor.userId, id, cursorIn(query), limit + 1);
  if (rows.length === 0) await assertPieceExists(actor, id);
  return cursorPage(
    rows.map(({ bodyStart, outlineStart, ...row }) => ({ ...row, excerpt: excerptOf(bodyStart, outlineStart) })),
    { limit, maxBytes: MAX_LIST_BYTES, cursorOf: newestCursor },
  );
}

async function assertPieceExists(actor: Actor, id: string): Promise<void> {
  const piece = await prisma.contentPiece.findFirst({ where: { id, ...own(actor) }, select: { id: true } });
  if (!piece) throw pieceNotFound();
}

export async function ownedRevision(actor: Actor, id: string, revisionId: string) {
  const revision = await prisma.contentRevision.findFirst({
    where: { id: revisionId, contentPieceId: id, contentPiece: own(actor) },
  });
  if (!revision) throw new AppError("NOT_FOUND", { message: "This revision was not found. It may have been removed." });
  return { ...revision, excerpt: excerptOf(revision.body, revision.outline) };
}
