import "server-only";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "@/lib/errors";
import { BUFFERED_BYTES, CHUNK_OVERHEAD } from "@/lib/limits/bounds";
import { MAX_CONTENT_BODY } from "@/lib/transport/body";
import { bounded, boundedSet } from "@/lib/utils/bounded";

/** Bytes of memory that a request takes besides its body. */
const REQUEST_OVERHEAD = 10_000;

export type BufferedBody = {
  /**
   * Resolves when the whole body has arrived. Rejects with PAYLOAD_TOO_LARGE, with SERVICE_UNAVAILABLE when the body was
   * evicted, and when the client has gone.
   */
  complete: Promise<void>;
  /** Lets the request be read. Throws what `complete` rejects with: a body can be evicted while its request waits. */
  deliver: () => void;
  /** Frees the body: nobody will read it. */
  drop: () => void;
};

type Entry = { bytes: number; reject: (why: Error) => void };

/**
 * Buffers request bodies, so that no call holds a place in the gate while a slow client sends. `max` bounds the memory of
 * all of them, in bytes: when it is full, the oldest body of the caller that holds the most is evicted.
 */
export function createBodyBuffer(max = BUFFERED_BYTES) {
  const most = Math.floor(max / REQUEST_OVERHEAD) + 1;
  const reason = "Each body has an overhead, so that the oldest has been evicted before there are more.";
  const callers = bounded<string, { bytes: number; entries: Set<Entry> }>("callers with bodies", most, reason);
  let used = 0;

  /** Call it in the `request` event: the first chunks follow in the same tick. */
  function buffer(request: IncomingMessage, caller: string): BufferedBody {
    const { headers } = request;
    const declared = Number(headers["content-length"] ?? 0);
    if (declared === 0 && headers["transfer-encoding"] === undefined) return NO_BODY;
    const push = Readable.prototype.push.bind(request);
    const chunks: Buffer[] = [];
    let size = 0;
    let state: "incomplete" | "complete" | "released" = "incomplete";
    let failure: Error | undefined;
    let settle: { resolve: () => void; reject: (why: Error) => void };
    const complete = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // It may reject before anything awaits it.
    complete.catch(() => undefined);
    const entry: Entry = { bytes: 0, reject };

    function release(body?: Buffer): void {
      if (state === "released") return;
      const isComplete = state === "complete";
      state = "released";
      chunks.length = 0;
      count(caller, entry, -entry.bytes);
      if (body) push(body);
      if (isComplete) push(null);
    }

    function deliver(): void {
      if (failure) throw failure;
      release(size > 0 ? Buffer.concat(chunks) : undefined);
    }

    function reject(why: Error): void {
      if (state === "released") return;
      failure = why;
      release();
      settle.reject(why);
    }

    function hold(bytes: number): void {
      count(caller, entry, bytes);
      while (used > max) evict();
    }

    // Node's parser calls this for each chunk, and with null at the end. It needs no backpressure: the bytes are bounded here.
    request.push = (chunk: Buffer | null) => {
      if (state === "released") return chunk ? true : push(null);
      if (!chunk) {
        state = "complete";
        settle.resolve();
        return true;
      }
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > MAX_CONTENT_BODY) reject(new AppError("PAYLOAD_TOO_LARGE"));
      else hold(chunk.byteLength + CHUNK_OVERHEAD);
      return true;
    };
    request.once("close", () => reject(new Error("The client has gone.")));
    hold(REQUEST_OVERHEAD);
    if (declared > MAX_CONTENT_BODY) reject(new AppError("PAYLOAD_TOO_LARGE"));
    return { complete, deliver, drop: () => release() };
  }

  function count(caller: string, entry: Entry, bytes: number): void {
    const own = callers.get(caller) ?? { bytes: 0, entries: boundedSet("bodies of a caller", most, reason) };
    entry.bytes += bytes;
    own.bytes += bytes;
    used += bytes;
    if (entry.bytes > 0) own.entries.add(entry);
    else own.entries.delete(entry);
    if (own.entries.size > 0) callers.set(caller, own);
    else callers.delete(caller);
  }

  function evict(): void {
    let largest = { bytes: 0, entries: new Set<Entry>() };
    for (const own of callers.values()) if (own.bytes > largest.bytes) largest = own;
    const [oldest] = largest.entries;
    const message = "Too much is arriving at once. Wait a few seconds, then try again.";
    oldest?.reject(new AppError("SERVICE_UNAVAILABLE", { message, retryAfter: 3 }));
  }

  return { buffer, used: () => used };
}

const NO_BODY: BufferedBody = { complete: Promise.resolve(), deliver: () => undefined, drop: () => undefined };
