import "server-only";
import { env } from "@/lib/env";
import { type AppError, isAppError } from "@/lib/errors";
import { UnreachableError } from "@/lib/net/unreachable";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { POST_FIELDS, type PostFields } from "@/lib/wordpress/posts";
import { type Requester, type SiteReply, unexpectedAnswer, type WordPressLogin } from "@/lib/wordpress/request";
import { batchAnswer, post, type SiteIndex, type WordPressPost } from "@/lib/wordpress/schema";

/** A WordPressWriteError for a write that was sent, "refused" or "unknown"; another error for one that was not. */
export type WriteOutcome = { ok: true; post: WordPressPost } | { ok: false; error: WordPressWriteError | AppError };

type SentBatch = { sent: number; answers: WriteOutcome[]; error?: AppError };

/** Without an id it creates a post. */
type Write = { id?: number; body: Record<string, unknown> };

/** WordPress' own limit. */
const MAX_WRITES = 25;
/** The answer repeats the texts, six times as long where they are not ASCII, and must fit what we read. */
const MAX_BODY_LENGTH = 1_000_000;
/** A batch takes nearly as long as its writes one by one. */
const BATCH_TIMEOUT_MS = 3_000 * env.WORDPRESS_WRITE_TIMEOUT_SECONDS;

/**
 * Many writes, each with an outcome of its own, in the order given. They are sent in batches where the site takes them,
 * otherwise one by one. They throw for faults of ours only.
 */
export function batchCalls(request: Requester, login: WordPressLogin, readIndex: () => Promise<SiteIndex>) {
  let takesBatches = login.hasBatch;
  let asking: Promise<AppError | null> | undefined;
  return { prepareBatches, createDrafts, updatePosts };

  /** Asks in advance whether the site takes batches. One that does not answer is asked again when a write comes. */
  function prepareBatches(): void {
    findOut().catch(() => undefined);
  }

  /** Creates invisible drafts, under markers that find them again. WordPress requires a title. */
  function createDrafts(drafts: { marker: string; title: string }[]): Promise<WriteOutcome[]> {
    return writeAll(drafts.map(({ marker, title }) => ({ body: { slug: marker, title, status: "draft" } })));
  }

  /** A deleted post fails with REMOTE_GONE. */
  function updatePosts(updates: { id: number; fields: Partial<PostFields> }[]): Promise<WriteOutcome[]> {
    return writeAll(updates.map(({ id, fields }) => ({ id, body: fields })));
  }

  async function writeAll(writes: Write[]): Promise<WriteOutcome[]> {
    const unreachable = writes.length > 1 ? await findOut() : null;
    if (unreachable) return writes.map(() => ({ ok: false, error: unreachable }));
    return (await Promise.all(inBatches(writes).map(write))).flat();
  }

  /** Sets `takesBatches`. Returns the error if no write would get through either. */
  async function findOut(): Promise<AppError | null> {
    if (takesBatches !== undefined) return null;
    asking ??= askIndex().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function askIndex(): Promise<AppError | null> {
    try {
      takesBatches = (await readIndex()).hasBatch;
    } catch (error) {
      if (!isAppError(error)) throw error;
      // Plugins may hide the index alone.
      if (error.cause instanceof UnreachableError) return error;
    }
    return null;
  }

  async function write(writes: Write[]): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    let [most, unknown] = [MAX_WRITES, 0];
    while (outcomes.length < writes.length) {
      const left = writes.slice(outcomes.length);
      if (!takesBatches || left.length === 1) return [...outcomes, ...(await writeSingly(left))];
      const { sent, answers, error } = await writeBatch(left, most);
      if (!error) {
        outcomes.push(...answers);
        unknown = 0;
      } else if (!isRefusedAsBatch(error)) {
        outcomes.push(...failures(sent, error));
        // A site that is down fails all of them; one that is slow takes those that follow, which are smaller.
        if (isUnknown(error) && ++unknown < MAX_UNKNOWN) continue;
        return [...outcomes, ...failures(left.length - sent, notSent(error))];
      } else if (error.siteStatus !== TOO_LARGE) takesBatches = false;
      else if (sent > 1) most = Math.ceil(sent / 2);
      else outcomes.push(...(await writeSingly(left.slice(0, 1))));
    }
    return outcomes;
  }

  function writeSingly(writes: Write[]): Promise<WriteOutcome[]> {
    return Promise.all(writes.map((each) => outcomeOf(() => writeOne(each))));
  }

  /** The first of these writes, as many as the site takes well; `error` if they failed together. */
  async function writeBatch(writes: Write[], most: number): Promise<SentBatch> {
    let sent = writes.length;
    try {
      const reply = await request({
        path: "batch/v1",
        timeoutMs: BATCH_TIMEOUT_MS,
        phase: writes[0]?.id === undefined ? "create" : "update",
        batch: (size) => {
          // 13 and 12 rather than 24 and 1.
          sent = Math.ceil(writes.length / Math.ceil(writes.length / Math.min(size, most)));
          // "normal": one write that is not valid does not stop the others.
          return { writes: sent, body: { validation: "normal", requests: writes.slice(0, sent).map(inBatch) } };
        },
      });
      const responses = reply.read(batchAnswer).data?.responses;
      if (reply.status !== 207 || responses?.length !== sent) throw unexpectedAnswer(true);
      const outcomes = writes.slice(0, sent).map(({ id }, at) =>
        outcomeOf(async () => {
          const { status = 0, body } = responses[at] ?? {};
          return written(id, request.replyInBatch(status, body));
        }),
      );
      return { sent, answers: await Promise.all(outcomes) };
    } catch (error) {
      if (!isAppError(error)) throw error;
      return { sent, answers: [], error };
    }
  }

  async function writeOne({ id, body }: Write): Promise<WordPressPost> {
    const query = { context: "edit", _fields: POST_FIELDS };
    return written(id, await request({ path: pathOf(id), query, body }));
  }
}

const PARAMETERS = new URLSearchParams({ context: "edit", _fields: POST_FIELDS });

function inBatch({ id, body }: Write) {
  return { method: "POST", path: `/${pathOf(id)}?${PARAMETERS}`, body };
}

function pathOf(id: number | undefined): string {
  return id === undefined ? "wp/v2/posts" : `wp/v2/posts/${id}`;
}

/** The post in the answer to a write. */
function written(id: number | undefined, { status, read }: SiteReply): WordPressPost {
  const { data } = read(post);
  const isIt = id === undefined ? status === 201 : data?.id === id;
  if (!data || !isIt) throw unexpectedAnswer(true);
  return data;
}

async function outcomeOf(attempt: () => Promise<WordPressPost>): Promise<WriteOutcome> {
  try {
    return { ok: true, post: await attempt() };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { ok: false, error };
  }
}

/** Batches in a row whose outcome is not known. */
const MAX_UNKNOWN = 2;

function isUnknown(error: AppError): boolean {
  return error instanceof WordPressWriteError && error.outcome === "unknown";
}

function failures(count: number, error: AppError): WriteOutcome[] {
  return Array.from({ length: count }, () => ({ ok: false, error }));
}

/** The error of writes that would have followed one that failed. */
function notSent(error: AppError): AppError {
  return error instanceof WordPressWriteError ? new WordPressWriteError("refused", error) : error;
}

const TOO_LARGE = 413;
/** A wrong login, a server that was too slow and too many requests concern single writes as well. */
const FOR_EVERY_WRITE = [401, 408, 429];

/**
 * Did the site or its firewall refuse the batch as such? If it was carried out all the same, single writes make drafts a second
 * time, which settlePosts removes.
 */
function isRefusedAsBatch(error: AppError): error is WordPressWriteError {
  if (!(error instanceof WordPressWriteError)) return false;
  const { siteStatus: status = 0 } = error;
  return status >= 400 && status < 500 && !FOR_EVERY_WRITE.includes(status);
}

function inBatches(writes: Write[]): Write[][] {
  const batches: Write[][] = [];
  let length = 0;
  for (const each of writes) {
    const added = JSON.stringify(each.body).length;
    const last = batches.at(-1);
    if (last && last.length < MAX_WRITES && length + added <= MAX_BODY_LENGTH) {
      last.push(each);
      length += added;
    } else {
      batches.push([each]);
      length = added;
    }
  }
  return batches;
}
