import "server-only";
import { env } from "@/lib/env";
import { type AppError, isAppError } from "@/lib/errors";
import { UnreachableError } from "@/lib/net/unreachable";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { POST_FIELDS, type PostFields } from "@/lib/wordpress/posts";
import { checkedReply, type createRequester, unexpectedAnswer, type WordPressLogin } from "@/lib/wordpress/request";
import { batchAnswer, post, type SiteIndex, type WordPressPost } from "@/lib/wordpress/schema";

/** A WordPressWriteError for a write that was sent, "refused" or "unknown"; another error for one that was not. */
export type WriteOutcome = { ok: true; post: WordPressPost } | { ok: false; error: WordPressWriteError | AppError };

/** Without an id it creates a post. */
type Write = { id?: number; body: Record<string, unknown> };

/** WordPress' own limit. */
const MAX_WRITES = 25;
/** The answer repeats the texts, six times as long where they are not ASCII, and must fit what we read. */
const MAX_BODY_LENGTH = 1_000_000;
/** A batch takes nearly as long as its writes one by one. */
const BATCH_TIMEOUT_MS = 3_000 * env.WORDPRESS_WRITE_TIMEOUT_SECONDS;

/**
 * Many writes, each with an outcome of its own, in the order given. In batches where the site takes them, otherwise one
 * by one. They throw for faults of ours only.
 */
export function batchCalls(
  request: ReturnType<typeof createRequester>,
  login: WordPressLogin,
  readIndex: () => Promise<SiteIndex>,
) {
  let takesBatches = login.hasBatch;
  return { createDrafts, updatePosts };

  /** Invisible, under markers that find them again. WordPress requires a title. */
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
    if (!takesBatches || writes.length === 1) return Promise.all(writes.map((each) => outcomeOf(() => writeOne(each))));
    try {
      return await writeBatch(writes);
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (!isRefusedAsBatch(error)) return writes.map(() => ({ ok: false, error }));
      if (error.siteStatus !== TOO_LARGE) {
        takesBatches = false;
        return write(writes);
      }
      const half = Math.ceil(writes.length / 2);
      return [...(await write(writes.slice(0, half))), ...(await write(writes.slice(half)))];
    }
  }

  async function writeBatch(writes: Write[]): Promise<WriteOutcome[]> {
    const requests = writes.map(({ id, body }) => ({ method: "POST", path: `/${pathOf(id)}?${PARAMETERS}`, body }));
    // "normal": one write that is not valid does not stop the others.
    const body = { validation: "normal", requests };
    const reply = await request({ path: "batch/v1", body, timeoutMs: BATCH_TIMEOUT_MS, writes: writes.length });
    const answers = batchAnswer.safeParse(reply.json).data?.responses;
    if (reply.status !== 207 || answers?.length !== writes.length) throw unexpectedAnswer(true);
    return Promise.all(
      writes.map(({ id }, at) =>
        outcomeOf(async () => {
          const { status = 0, body: json } = answers[at] ?? {};
          const response = { status, headers: new Headers(), url: login.apiRoot, text: "" };
          checkedReply(response, json, true, login.password);
          return written(id, status, json);
        }),
      ),
    );
  }

  async function writeOne({ id, body }: Write): Promise<WordPressPost> {
    const query = { context: "edit", _fields: POST_FIELDS };
    const { status, json } = await request({ path: pathOf(id), query, body });
    return written(id, status, json);
  }
}

const PARAMETERS = new URLSearchParams({ context: "edit", _fields: POST_FIELDS });

function pathOf(id: number | undefined): string {
  return id === undefined ? "wp/v2/posts" : `wp/v2/posts/${id}`;
}

/** The post in the answer to a write. */
function written(id: number | undefined, status: number, json: unknown): WordPressPost {
  const { data } = post.safeParse(json);
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

const TOO_LARGE = 413;
/** A wrong login and too many requests concern single writes as well. */
const FOR_EVERY_WRITE = [401, 429];

/** Did the site or its firewall refuse the batch as such, before any of its writes? */
function isRefusedAsBatch(error: AppError): error is WordPressWriteError {
  if (!(error instanceof WordPressWriteError) || error.outcome !== "refused") return false;
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
