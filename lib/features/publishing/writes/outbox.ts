import "server-only";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";
import type { AuditAction } from "@/lib/audit/actions";
import { auditEachIn } from "@/lib/audit/audit";
import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { isAppError } from "@/lib/errors";
import { pieceNotFound } from "@/lib/features/content/reads";
import { savePublishedRevisions } from "@/lib/features/content/sql/shared";
import { piecesToPublish } from "@/lib/features/publishing/reads";
import { CHUNK_SIZE, MAX_BATCH_LENGTH, MAX_BATCHES, MAX_RENDERING, MAX_WRITES } from "@/lib/features/publishing/rules";
import { saveUnderLeases } from "@/lib/features/publishing/sql/leases";
import { busy, type LeasedPiece } from "@/lib/features/publishing/writes/lease";
import { type KnownPost, saveAcceptedFields } from "@/lib/features/sites/sql/shared";
import type { Site } from "@/lib/features/sites/writes/connect";
import { countWrites } from "@/lib/telemetry/meters";
import { GATHER_MS, gathered } from "@/lib/utils/gathered";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import type { MetaField } from "@/lib/wordpress/meta";
import type { PostFields, ReadPost } from "@/lib/wordpress/posts";
import type { WordPressPost } from "@/lib/wordpress/schema";

/** A new invisible draft, or a change of a post. */
export type Write =
  | { create: { marker: string; title: string } }
  | { update: { id: number; fields: Partial<PostFields> } };

/**
 * A write that the site has answered. `answered`: what to record once its result is saved; an earlier write that was not answered
 * may still arrive, and stays open.
 */
export type Sent = { leased: LeasedPiece; post: WordPressPost; answered: Partial<KnownPost> };

/** What else is recorded with what was learnt of a post: an event, that readers have the piece's text now, and what the site accepts. */
type With = { action?: AuditAction; isPublished?: boolean; accepted?: readonly MetaField[] };

type Recorded = With & { leased: LeasedPiece; change: Partial<KnownPost> };

type Lane = { waiting: Waiting[]; batches: LimitFunction };

type Waiting = {
  leased: LeasedPiece;
  write: Write;
  /** Of the text that it brings; absent: it is recorded as on its way already. */
  hashes: string[] | undefined;
  resolve: (sent: Sent) => void;
  reject: (error: unknown) => void;
};

export type Outbox = ReturnType<typeof openOutbox>;

/** Nothing of the piece was written, because no more work was to begin. */
export class NotBegun extends Error {}

/**
 * All that goes between pieces and one site. Each piece is worked on as if it were alone; what they ask for within ten milliseconds
 * goes together: reads by the hundred, writes in batches as large as the site takes well, and one transaction for what is recorded.
 * A write is recorded before it is sent, and settled after. `mayBegin` false keeps pieces from being written that are not begun.
 */
export function openOutbox(
  site: Site,
  actor: Actor,
  { mayBegin = async () => true }: { mayBegin?: () => Promise<boolean> } = {},
) {
  const { client } = site;
  const token = randomUUID();
  // Half as many creations at once as changes: what is begun is finished before much more is.
  const creations: Lane = { waiting: [], batches: pLimit(MAX_BATCHES / 2) };
  const changes: Lane = { waiting: [], batches: pLimit(MAX_BATCHES) };
  const saved = gathered(saveAll, CHUNK_SIZE);
  return {
    site,
    actor,
    token,
    mayBegin,
    readPost: gathered(readPosts, CHUNK_SIZE),
    findByMarker: gathered(findByMarkers, CHUNK_SIZE),
    rendering: pLimit(MAX_RENDERING),
    record,
    send,
  };

  /** One post is asked for by itself, as is what a list leaves out, such as one that the account may not edit. */
  async function readPosts(ids: readonly number[]): Promise<(ReadPost | Error)[]> {
    const listed = ids.length > 1 ? await client.readPosts([...ids]) : new Map<number, WordPressPost>();
    return Promise.all(
      ids.map((id) => {
        const post = listed.get(id);
        return post ? { state: "found" as const, ...post } : client.readPost(id).catch(asError);
      }),
    );
  }

  async function findByMarkers(markers: readonly string[]) {
    const found = await client.findByMarkers([...markers]);
    return markers.map((marker) => found.get(marker) ?? []);
  }

  /**
   * Saves what was learnt of a piece's post; returns the piece with it. Throws ALREADY_RUNNING when its lease is lost, and NOT_FOUND
   * when it was deleted.
   */
  async function record(leased: LeasedPiece, change: Partial<KnownPost>, also: With = {}): Promise<LeasedPiece> {
    if (Object.keys(change).length > 0) await saved({ leased, change, ...also });
    return { ...leased, here: { ...leased.here, ...change } };
  }

  /** A fault of one of them does not keep the others from being saved. */
  async function saveAll(records: readonly Recorded[]): Promise<(true | Error)[]> {
    try {
      return await saveTogether(records);
    } catch (error) {
      if (records.length === 1) throw error;
      const results: (true | Error)[] = [];
      for (const alone of records) results.push(...(await saveTogether([alone]).catch((fault) => [asError(fault)])));
      return results;
    }
  }

  async function saveTogether(records: readonly Recorded[]): Promise<(true | Error)[]> {
    const changes = records.map(({ leased, change }) => ({ id: leased.piece.id, change }));
    const held = await saveUnderLeases(token, site.id, changes, (db, kept) =>
      saveWith(
        db,
        records.filter(({ leased }) => kept.has(leased.piece.id)),
      ),
    );
    const lost = changes.filter(({ id }) => !held.has(id)).map(({ id }) => id);
    const there = new Set(lost.length > 0 ? (await piecesToPublish(actor, lost)).map(({ id }) => id) : []);
    return changes.map(({ id }) => held.has(id) || (there.has(id) ? busy() : pieceNotFound()));
  }

  async function saveWith(db: Db, records: Recorded[]): Promise<void> {
    const { userId, context } = actor;
    for (const action of new Set(records.flatMap((each) => each.action ?? []))) {
      const subjects = records.filter((each) => each.action === action).map(({ leased }) => leased.piece.id);
      await auditEachIn(db, { userId, context, action }, subjects);
    }
    const texts = records.filter(({ isPublished }) => isPublished).map(({ leased }) => leased.piece);
    if (texts.length > 0) await savePublishedRevisions(db, userId, texts);
    const [accepted] = records.flatMap((each) => (each.accepted ? [each.accepted] : []));
    if (accepted) await saveAcceptedFields(db, site.id, accepted);
  }

  /**
   * Sends a write to the site, and records before that it is on its way, with the hashes of its text. One that the site refuses does
   * not stay open. Throws what the site said, what `record` throws, and NotBegun.
   */
  function send(leased: LeasedPiece, write: Write, hashes?: string[]): Promise<Sent> {
    const { waiting, batches } = "create" in write ? creations : changes;
    return new Promise((resolve, reject) => {
      waiting.push({ leased, write, hashes, resolve, reject });
      void batches(() => sendNext(waiting));
    });
  }

  async function sendNext(waiting: Waiting[]): Promise<void> {
    if (waiting.length === 0) return;
    await sleep(GATHER_MS);
    const batch = takeBatch(waiting);
    try {
      await sendAll((await Promise.all(batch.map(marked))).flat());
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** As many as the site takes well, and no more text than a batch may have, unless one alone has. */
  function takeBatch(waiting: Waiting[]): Waiting[] {
    const most = Math.min(client.batchSize(), MAX_WRITES);
    let length = 0;
    const tooLong = waiting.findIndex(({ leased }, at) => {
      length += leased.piece.body.length;
      return at > 0 && length > MAX_BATCH_LENGTH;
    });
    return waiting.splice(0, tooLong < 0 ? most : Math.min(tooLong, most));
  }

  async function marked(each: Waiting): Promise<Waiting[]> {
    if (!each.hashes) return [each];
    try {
      if (!(await mayBegin())) throw new NotBegun();
      await record(each.leased, pendingWrite(each.leased, each.hashes));
      return [each];
    } catch (error) {
      each.reject(error);
      return [];
    }
  }

  async function sendAll(batch: Waiting[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const drafts = batch.flatMap(({ write }) => ("create" in write ? [write.create] : []));
    const updates = batch.flatMap(({ write }) => ("update" in write ? [write.update] : []));
    const outcomes = await ("create" in first.write ? client.createDrafts(drafts) : client.updatePosts(updates));
    countWrites(outcomes);
    await Promise.all(
      batch.map(async ({ leased, hashes, resolve, reject }, at) => {
        const outcome = outcomes[at];
        // Without hashes an earlier write of the piece is open, which the site may have got twice.
        const answered = hashes && !leased.here.unansweredSince ? SETTLED : {};
        if (outcome?.ok) return resolve({ leased, post: outcome.post, answered });
        if (!isUnanswered(outcome?.error)) await record(leased, answered).catch(() => undefined);
        reject(outcome?.error);
      }),
    );
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Nothing is on its way to the post any more. */
export const SETTLED = { unansweredSince: null, unansweredHashes: [] };

/** How many unanswered texts of a post are known again. */
const MAX_UNANSWERED = 12;

/** What is recorded of a post to which a write is on its way. */
export function pendingWrite({ here }: LeasedPiece, hashes: string[]): Partial<KnownPost> {
  return {
    unansweredSince: new Date(),
    unansweredHashes: [...(here.unansweredHashes ?? []), ...hashes].slice(-MAX_UNANSWERED),
  };
}

/** Could the site have done a write that failed for us? */
export function isUnanswered(error: unknown): boolean {
  return error instanceof WordPressWriteError ? error.outcome === "unknown" : !isAppError(error);
}
