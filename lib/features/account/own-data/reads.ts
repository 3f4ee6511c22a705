import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { LIVE, own, ownSql } from "@/lib/db/own";
import { Prisma, prisma } from "@/lib/db/prisma";
import { signInMethods } from "@/lib/features/account/google/reads";
import {
  fileStem,
  json,
  jsonList,
  jsonWithList,
  keywordsCsv,
  README,
  withFrontMatter,
} from "@/lib/features/account/own-data/rules";
import { readAccount } from "@/lib/features/account/reads";
import { pieceNotFound } from "@/lib/features/content/reads";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { listInstructions } from "@/lib/features/instructions/reads";
import { listProjects, ownedProject, personaOf } from "@/lib/features/projects/reads";
import { publishingItems } from "@/lib/features/publishing/reads";
import { jobInput } from "@/lib/features/publishing/schema";
import { exportedSites } from "@/lib/features/sites/reads";
import { listTopics } from "@/lib/features/topics/reads";
import { JOB_FACTS } from "@/lib/features/work/reads";
import { type StorageUsage, storageUsage } from "@/lib/limits/storage-quota";
import { everyRow } from "@/lib/utils/cursor-page";

/** A long file comes in parts, which are read as it is sent. */
export type ArchiveFile = { path: string; text: string | AsyncIterable<string> };

/** Rows in memory at once: those with texts, of which one may have 600 KB, and short ones. */
const LONG_ROWS = 5;
const SHORT_ROWS = 250;

/**
 * Yields everything a user has, file by file, without secrets, sealed or hashed values. The same rows give the same files in
 * the same order, so that an export which broke off can be made again. Throws when the account is deleted meanwhile: a partial
 * export must not look complete.
 */
export async function* exportArchive(actor: Actor): AsyncGenerator<ArchiveFile> {
  await audit({ userId: actor.userId, context: actor.context, action: "account.exported" });
  yield { path: "README.txt", text: README };
  yield { path: "account.json", text: json(await readAccount(actor)) };
  yield { path: "sign-in.json", text: json(await signInOf(actor)) };
  yield { path: "activity.json", text: jsonList(activityOf(actor)) };
  yield* instructionsOf(actor);
  yield* chatsOf(actor);
  yield* jobsOf(actor);
  yield* publishingOf(actor);
  const projects = everyRow((cursor) => listProjects(actor, { cursor }));
  for await (const project of projects) yield* projectFiles(actor, project);
  await readAccount(actor);
}

async function* projectFiles(actor: Actor, project: { id: number; title: string }): AsyncGenerator<ArchiveFile> {
  const folder = `projects/${fileStem(project.title, project.id)}`;
  const topics: Awaited<ReturnType<typeof listTopics>>["items"] = [];
  for await (const topic of everyRow((cursor) => listTopics(actor, project.id, { cursor }))) topics.push(topic);
  const persona = await personaOf(actor, project.id);
  const { writing } = await ownedProject(actor, project.id);
  yield { path: `${folder}/project.json`, text: json({ ...project, writing, persona, topics }) };
  const folders = new Map(topics.map(({ id, name }) => [id, `${folder}/${fileStem(name, id)}`]));
  for (const [topicId, path] of folders) {
    yield { path: `${path}/keywords.csv`, text: keywordsCsv(await keywordsOf(actor, topicId)) };
  }
  for await (const { topicId, ...piece } of piecesOf(actor, project.id)) {
    yield* pieceFiles(actor, piece, `${folders.get(topicId) ?? folder}/${fileStem(piece.title, piece.id)}`);
  }
}

async function* pieceFiles(actor: Actor, piece: Omit<Piece, "topicId">, path: string): AsyncGenerator<ArchiveFile> {
  const { body, outline, _count, ...fields } = piece;
  yield { path: `${path}.md`, text: withFrontMatter(fields, body) };
  if (outline) yield { path: `${path}.outline.md`, text: outline };
  if (_count.revisions > 0) yield { path: `${path}.revisions.json`, text: jsonWithList(revisionsOf(actor, piece.id)) };
}

function keywordsOf(actor: Actor, topicId: number) {
  return prisma.keyword.findMany({
    where: { topicId, topic: own(actor) },
    select: { keyword: true, createdAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
}

const PIECE = {
  id: true,
  topicId: true,
  title: true,
  status: true,
  isTitleOnly: true,
  isOutline: true,
  version: true,
  focusKeyword: true,
  intent: true,
  angle: true,
  metaTitle: true,
  metaDescription: true,
  slug: true,
  excerpt: true,
  posts: {
    select: {
      site: { select: { apiRoot: true } },
      status: true,
      postId: true,
      permalink: true,
      siteStatus: true,
      siteDate: true,
      categoryId: true,
      categoryName: true,
      publishError: true,
      lastSyncedAt: true,
    },
    orderBy: [{ site: { createdAt: "asc" } }, { siteId: "asc" }],
  },
  createdAt: true,
  updatedAt: true,
  body: true,
  outline: true,
  _count: { select: { revisions: true } },
} satisfies Prisma.ContentPieceSelect;

type Piece = Prisma.ContentPieceGetPayload<{ select: typeof PIECE }>;

function piecesOf(actor: Actor, projectId: number): AsyncGenerator<Piece> {
  return everyAfter(LONG_ROWS, (last: Piece | undefined) =>
    prisma.contentPiece.findMany({
      where: { projectId, ...own(actor), ...(last ? { id: { gt: last.id } } : {}) },
      select: PIECE,
      orderBy: { id: "asc" },
      take: LONG_ROWS,
    }),
  );
}

const REVISION = {
  id: true,
  version: true,
  author: true,
  title: true,
  model: true,
  createdAt: true,
} satisfies Prisma.ContentRevisionSelect;

type Revision = Prisma.ContentRevisionGetPayload<{ select: typeof REVISION }>;

/** With body and outline last, in parts: a piece may have thousands of revisions with half a million characters each. */
async function* revisionsOf(actor: Actor, contentPieceId: string): AsyncGenerator<Record<string, unknown>> {
  const revisions = everyAfter(SHORT_ROWS, (last: Revision | undefined) =>
    prisma.contentRevision.findMany({
      where: { contentPieceId, contentPiece: own(actor), ...olderThan(last) },
      select: REVISION,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: SHORT_ROWS,
    }),
  );
  for await (const { id, ...revision } of revisions) {
    const hasOutline = (await textPart(actor, id, "outline", 0)) !== null;
    yield { ...revision, body: textOf(actor, id, "body"), outline: hasOutline ? textOf(actor, id, "outline") : null };
  }
}

/** The characters of a text read at once: V8 keeps longer strings apart and frees them late. */
const PART_LENGTH = 32_768;

/** The text of a revision, in parts. */
async function* textOf(actor: Actor, revisionId: string, column: "body" | "outline"): AsyncGenerator<string> {
  for (let from = 0; ; from += PART_LENGTH) {
    const part = await textPart(actor, revisionId, column, from);
    if (!part) return;
    yield part;
  }
}

/** Null without a text. Throws when the piece was deleted meanwhile: half a text must not look complete. */
async function textPart({ userId }: Actor, revisionId: string, column: "body" | "outline", from: number) {
  const [row] = await prisma.$queryRaw<{ part: string | null }[]>(Prisma.sql`
    SELECT substring(r.${Prisma.raw(column)} FROM ${from + 1}::int FOR ${PART_LENGTH}::int) AS part
    FROM content_revisions r JOIN content_pieces p ON p.id = r.content_piece_id
    WHERE r.id = ${revisionId}::uuid AND ${ownSql("p", userId)}`);
  if (!row) throw pieceNotFound();
  return row.part;
}

/** What comes after this row in a list with the newest first; everything without one. */
function olderThan(row: { id: string; createdAt: Date } | undefined) {
  if (!row) return {};
  const { id, createdAt } = row;
  // The index finds the first condition; the second leaves out what shares the time.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] };
}

/** Every row of a list, by pages of `size` that `read` finds after the last row. */
async function* everyAfter<Row>(size: number, read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let page = await read(undefined); ; page = await read(page.at(-1))) {
    yield* page;
    if (page.length < size) return;
  }
}

/** Sign-in methods and open sessions, without tokens. */
async function signInOf(actor: Actor) {
  const { hasPassword, isEmailVerified } = await signInMethods(actor);
  const { firebaseUid, accounts, sessions } = await prisma.user.findUniqueOrThrow({
    where: { id: actor.userId, ...LIVE },
    select: {
      firebaseUid: true,
      accounts: { select: { provider: true }, orderBy: { provider: "asc" } },
      sessions: {
        where: { expires: { gt: new Date() } },
        select: { userAgent: true, address: true, createdAt: true, expires: true },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      },
    },
  });
  const connected = [...accounts.map(({ provider }) => provider), ...(firebaseUid ? ["firebase"] : [])];
  return { hasPassword, isEmailVerified, connected, sessions };
}

/** The rows of a page as JSON, and the place of its last one. */
type EventPage = { rows: string | null; count: number; createdAt: Date; id: string };

/**
 * Failures have one row per kind and day, with a count, the first and last time and the last address. The database writes the
 * JSON: objects for a million events would be most of what an export allocates.
 */
async function* activityOf({ userId }: Actor): AsyncGenerator<string> {
  for (let after = Prisma.empty, count = SHORT_ROWS; count === SHORT_ROWS; ) {
    const [page] = await prisma.$queryRaw<EventPage[]>(Prisma.sql`
      SELECT string_agg(json_build_object('action', action, 'subject', subject, 'address', address, 'detail', detail,
          'times', times, 'createdAt', ${isoSql("created_at")}, 'lastAt', ${isoSql("coalesce(last_at, created_at)")})::text,
        E',\n  ' ORDER BY created_at DESC, id DESC) AS rows, count(*)::int AS count,
        (array_agg(created_at ORDER BY created_at, id))[1] AS "createdAt", (array_agg(id ORDER BY created_at, id))[1] AS id
      FROM (SELECT * FROM audit_events WHERE user_id = ${userId}::uuid ${after}
        ORDER BY created_at DESC, id DESC LIMIT ${SHORT_ROWS}::int) page`);
    if (!page?.rows) return;
    yield page.rows;
    count = page.count;
    after = Prisma.sql`AND (created_at, id) < (${page.createdAt}::timestamptz, ${page.id}::uuid)`;
  }
}

/** SQL value: the time as JSON has it everywhere else. */
function isoSql(time: string): Prisma.Sql {
  return Prisma.raw(`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}

async function* instructionsOf(actor: Actor): AsyncGenerator<ArchiveFile> {
  const instructions = await listInstructions(actor);
  if (instructions.length > 0) yield { path: "instructions.json", text: json(instructions) };
}

type Chat = { id: string; project: { id: number; deletedAt: Date | null } | null; createdAt: Date };

async function* chatsOf({ userId }: Actor): AsyncGenerator<ArchiveFile> {
  const chats = everyAfter(SHORT_ROWS, (last: Chat | undefined) =>
    prisma.chatSession.findMany({
      where: { userId, messages: { some: {} }, ...(last ? { id: { gt: last.id } } : {}) },
      select: { id: true, project: { select: { id: true, deletedAt: true } }, createdAt: true },
      orderBy: { id: "asc" },
      take: SHORT_ROWS,
    }),
  );
  for await (const { project, ...chat } of chats) {
    const day = chat.createdAt.toISOString().slice(0, 10);
    const fields = { ...chat, projectId: project?.deletedAt === null ? project.id : null };
    yield { path: `chats/${fileStem(day, chat.id)}.json`, text: jsonWithList(messagesOf(chat.id), fields, "messages") };
  }
}

type Message = Prisma.ChatMessageGetPayload<{ select: typeof MESSAGE }>;

const MESSAGE = {
  position: true,
  role: true,
  type: true,
  actionType: true,
  content: true,
  createdAt: true,
} satisfies Prisma.ChatMessageSelect;

async function* messagesOf(sessionId: string): AsyncGenerator<Omit<Message, "position">> {
  const messages = everyAfter(LONG_ROWS, (last: Message | undefined) =>
    prisma.chatMessage.findMany({
      where: { sessionId, ...(last ? { position: { gt: last.position } } : {}) },
      select: MESSAGE,
      orderBy: { position: "asc" },
      take: LONG_ROWS,
    }),
  );
  for await (const { position: _, ...message } of messages) yield message;
}

async function* jobsOf({ userId }: Actor): AsyncGenerator<ArchiveFile> {
  const jobs = await prisma.processingJob.findMany({
    where: { userId, topic: LIVE },
    select: JOB_FACTS,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  for (const job of jobs) {
    const items = await prisma.queueItem.findMany({
      where: { jobId: job.id, jobType: job.jobType, userId },
      select: { contentPieceId: true, status: true, retryCount: true, error: true, note: true, completedAt: true },
      orderBy: { id: "asc" },
    });
    yield { path: `jobs/${fileStem(job.jobType, job.id)}.json`, text: json({ ...job, items }) };
  }
}

/** Sites and the results of publishing many pieces; what is known of each post is with its piece. */
async function* publishingOf(actor: Actor): AsyncGenerator<ArchiveFile> {
  const sites = await exportedSites(actor);
  if (sites.length > 0) yield { path: "sites.json", text: json(sites) };
  const jobs = await prisma.processingJob.findMany({
    where: { userId: actor.userId, jobType: "publishing", project: LIVE },
    select: { id: true, projectId: true, input: true, status: true, error: true, createdAt: true, completedAt: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  for (const { input, ...job } of jobs) {
    const { verb } = jobInput.parse(input);
    const items = (await publishingItems(job.id, { limit: MAX_PIECES })).map(
      ({ contentId, title, status, unchanged, error, wpPermalink }) => ({
        ...{ contentPieceId: contentId, title, status, isUnchanged: unchanged, error, permalink: wpPermalink },
      }),
    );
    yield { path: `jobs/${fileStem(verb, job.id)}.json`, text: json({ verb, ...job, items }) };
  }
}

export function readStorage({ userId }: Actor): Promise<StorageUsage> {
  return storageUsage(userId);
}
