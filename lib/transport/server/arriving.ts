import "server-only";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "@/lib/errors";
import { ARRIVING_BYTES, PART_BYTES } from "@/lib/limits/bounds";
import { MAX_CONTENT_BODY } from "@/lib/transport/body";

/** What a request takes of memory beside its body. */
const REQUEST_BYTES = 10_000;

export type Arrival = {
  /**
   * Resolves when the body is here. Rejects with PAYLOAD_TOO_LARGE, with SERVICE_UNAVAILABLE when it had to make way, and
   * when its client has gone.
   */
  here: Promise<void>;
  /** Lets the body be read. Throws what `here` rejects with: a body may have to make way while its request waits. */
  deliver: () => void;
  /** Nobody will read it. */
  drop: () => void;
};

type Kept = { bytes: number; end: (why: Error) => void };

/**
 * Keeps a request's body from whoever reads it until all of it is here and its turn has come, so that nothing waits for a
 * slow client with a place in the gate. What is kept is bounded: of the caller with the most, the body that began first
 * makes way.
 */
export function createArrivals(max = ARRIVING_BYTES) {
  const callers = new Map<string, { bytes: number; all: Set<Kept> }>();
  let used = 0;

  /** Call it when the request is announced, before its first bytes. */
  function arrive(request: IncomingMessage, caller: string): Arrival {
    const { headers } = request;
    const declared = Number(headers["content-length"] ?? 0);
    if (declared === 0 && headers["transfer-encoding"] === undefined) return NOTHING;
    const push = Readable.prototype.push.bind(request);
    const parts: Buffer[] = [];
    let size = 0;
    let state: "arriving" | "here" | "over" = "arriving";
    let failure: Error | undefined;
    let settle: { resolve: () => void; reject: (why: Error) => void };
    const here = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // Nobody may be waiting for it yet.
    here.catch(() => undefined);
    const kept: Kept = { bytes: 0, end };

    function finish(body: Buffer[]): void {
      if (state === "over") return;
      count(caller, kept, -kept.bytes);
      const isHere = state === "here";
      state = "over";
      for (const part of body) push(part);
      parts.length = 0;
      if (isHere) push(null);
    }

    function drop(): void {
      finish([]);
    }

    function deliver(): void {
      if (failure) throw failure;
      finish(size > 0 ? [Buffer.concat(parts)] : []);
    }

    function end(why: Error): void {
      if (state === "over") return;
      failure = why;
      drop();
      settle.reject(why);
    }

    /** Node's parser calls this; null is the end. Nothing slows the client down, whose bytes are bounded here. */
    request.push = (part: Buffer | null) => {
      if (state === "over") return part ? true : push(null);
      if (!part) {
        state = "here";
        settle.resolve();
        return true;
      }
      size += part.byteLength;
      parts.push(part);
      if (size > MAX_CONTENT_BODY) end(new AppError("PAYLOAD_TOO_LARGE"));
      else keep(part.byteLength + PART_BYTES);
      return true;
    };

    function keep(bytes: number): void {
      count(caller, kept, bytes);
      while (used > max) makeWay();
    }

    request.once("close", () => end(new Error("The client has gone.")));
    keep(REQUEST_BYTES);
    if (declared > MAX_CONTENT_BODY) end(new AppError("PAYLOAD_TOO_LARGE"));
    return { here, deliver, drop };
  }

  function count(caller: string, kept: Kept, bytes: number): void {
    const own = callers.get(caller) ?? { bytes: 0, all: new Set() };
    kept.bytes += bytes;
    own.bytes += bytes;
    used += bytes;
    if (kept.bytes > 0) own.all.add(kept);
    else own.all.delete(kept);
    if (own.all.size > 0) callers.set(caller, own);
    else callers.delete(caller);
  }

  function makeWay(): void {
    let most = { bytes: 0, all: new Set<Kept>() };
    for (const own of callers.values()) if (own.bytes > most.bytes) most = own;
    const [first] = most.all;
    const message = "Too much is arriving at once. Wait a few seconds, then try again.";
    first?.end(new AppError("SERVICE_UNAVAILABLE", { message, retryAfter: 3 }));
  }

  return { arrive, used: () => used };
}

const NOTHING: Arrival = { here: Promise.resolve(), deliver: () => undefined, drop: () => undefined };
