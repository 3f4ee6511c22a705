import "server-only";
import { audit } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import { LIVE, own } from "@/lib/db/own";
import { type Prisma, prisma } from "@/lib/db/prisma";
import { signInMethods } from "@/lib/features/account/google/reads";
import { fileStem, json, keywordsCsv, README, withFrontMatter } from "@/lib/features/account/own-data/rules";
import { readAccount } from "@/lib/features/account/reads";
import { knownSites } from "@/lib/features/account/settings/reads";
import { listInstructions } from "@/lib/features/instructions/reads";
import { listProjects, ownedProject, personaOf } from "@/lib/features/projects/reads";
import { listTopics } from "@/lib/features/topics/reads";
import { JOB_FACTS } from "@/lib/features/work/reads";
import { type StorageUsage, storageUsage } from "@/lib/limits/storage-quota";
import { everyRow } from "@/lib/utils/cursor-page";

export type ArchiveFile = { path: string; text: string };

/** Pieces in memory at once; revisions are read piece by piece. */
const PAGE = 50;

/**
 * Yields everything a user has, file by file, without secrets, sealed or hashed values. Throws when the account is
 * deleted meanwhile: a partial export must not look complete.
 */
export async function* exportArchive(actor: Actor): AsyncGenerator<ArchiveFile> {
  await audit({ userId: actor.userId, context: actor.context, action: "account.exported" });
  yield { path: "README.txt", text: README };
  yield { path: "account.json", text: json(await readAccount(actor)) };
  yield { path: "sign-in.json", text: json(await signInOf(actor)) };
  yield { path: "activity.json", text: json(await activityOf(actor)) };
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
  const keywords = await keywordsOf(actor, project.id);
  for (const [topicId, path] of folders) {
    const own = keywords.filter((keyword) => keyword.topicId === topicId);
    yield { path: `${path}/keywords.csv`, text: keywordsCsv(own) };
  }
  for await (const { topicId, ...piece } of piecesOf(actor, project.id)) {
    const revisions = await revisionsOf(actor, piece.id);
    yield* pieceFiles({ ...piece, revisions }, `${folders.get(topicId) ?? folder}/${fileStem(piece.title, piece.id)}`);
  }
}

function* pieceFiles(piece: Omit<Piece, "topicId"> & { revisions: unknown[] }, path: string): Generator<ArchiveFile> {
  const { body, outline, revisions, ...fields } = piece;
  yield { path: `${path}.md`, text: withFrontMatter(fields, body) };
  if (outline) yield { path: `${path}.outline.md`, text: outline };
  if (revisions.length > 0) yield { path: `${path}.revisions.json`, text: json(revisions) };
}

function keywordsOf(actor: Actor, projectId: number) {
  return prisma.keyword.findMany({
    where: { topic: { projectId, ...own(actor) } },
    select: { topicId: true, keyword: true, createdAt: true },
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
    orderBy: { site: { createdAt: "asc" } },
  },
  createdAt: true,
  updatedAt: true,
  body: true,
  outline: true,
} satisfies Prisma.ContentPieceSelect;

type Piece = Prisma.ContentPieceGetPayload<{ select: typeof PIECE }>;

async function* piecesOf(actor: Actor, projectId: number): AsyncGenerator<Piece> {
  let last: string | undefined;
  for (;;) {
    const page = await prisma.contentPiece.findMany({
      where: { projectId, ...own(actor), ...(last ? { id: { gt: last } } : {}) },
      select: PIECE,
      orderBy: { id: "asc" },
      take: PAGE,
    });
    yield* page;
    last = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

function revisionsOf(actor: Actor, contentPieceId: string) {
  return prisma.contentRevision.findMany({
    where: { contentPieceId, contentPiece: own(actor) },
    select: { version: true, author: true, title: true, body: true, outline: true, model: true, createdAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
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

/** Failures have one row per kind and day, with a count, the first and last time and the last address. */
async function activityOf({ userId }: Actor) {
  const events = await prisma.auditEvent.findMany({
    where: { userId },
    select: { action: true, subject: true, address: true, detail: true, times: true, createdAt: true, lastAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return events.map((event) => ({ ...event, lastAt: event.lastAt ?? event.createdAt }));
}

async function* instructionsOf(actor: Actor): AsyncGenerator<ArchiveFile> {
  const instructions = await listInstructions(actor);
  if (instructions.length > 0) yield { path: "instructions.json", text: json(instructions) };
}

async function* chatsOf({ userId }: Actor): AsyncGenerator<ArchiveFile> {
  const sessions = await prisma.chatSession.findMany({
    where: { userId, messages: { some: {} } },
    select: { id: true, project: { select: { id: true, deletedAt: true } }, createdAt: true },
    orderBy: { createdAt: "asc" },
  });
  for (const { project, ...session } of sessions) {
    const messages = await prisma.chatMessage.findMany({
      where: { sessionId: session.id },
      select: { role: true, type: true, actionType: true, content: true, createdAt: true },
      orderBy: { position: "asc" },
    });
    const day = session.createdAt.toISOString().slice(0, 10);
    yield {
      path: `chats/${fileStem(day, session.id)}.json`,
      text: json({ ...session, projectId: project?.deletedAt === null ? project.id : null, messages }),
    };
  }
}

async function* jobsOf({ userId }: Actor): AsyncGenerator<ArchiveFile> {
  const jobs = await prisma.processingJob.findMany({
    where: { userId, topic: LIVE },
    select: JOB_FACTS,
    orderBy: { createdAt: "asc" },
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
  const sites = await knownSites(actor);
  if (sites.length > 0) yield { path: "sites.json", text: json(sites) };
  const jobs = await prisma.publishingJob.findMany({
    where: { userId: actor.userId, project: LIVE },
    select: { id: true, projectId: true, verb: true, status: true, error: true, createdAt: true, completedAt: true },
    orderBy: { createdAt: "asc" },
  });
  for (const job of jobs) {
    const items = await prisma.publishingItem.findMany({
      where: { jobId: job.id },
      select: { contentPieceId: true, title: true, status: true, isUnchanged: true, error: true, permalink: true },
      orderBy: { position: "asc" },
    });
    yield { path: `jobs/${fileStem(job.verb, job.id)}.json`, text: json({ ...job, items }) };
  }
}

export function readStorage({ userId }: Actor): Promise<StorageUsage> {
  return storageUsage(userId);
}
