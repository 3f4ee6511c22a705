import "server-only";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { AppError } from "@/lib/errors";
import { ARRIVING_BYTES } from "@/lib/limits/bounds";
import { MAX_CONTENT_BODY } from "@/lib/transport/body";

/** What a request, and each part in which its body arrives, takes of memory beside the bytes. */
const REQUEST_BYTES = 10_000;
const PART_BYTES = 200;

type Arriving = { caller: string; bytes: number; isHere: boolean; end: (why: Error) => void };

export type Arrival = {
  /**
   * Resolves when the body is here. Rejects with PAYLOAD_TOO_LARGE, with SERVICE_UNAVAILABLE when it had to make way, and
   * when its client has gone.
   */
  here: Promise<void>;
  /** The body is being read: it no longer counts. */
  release: () => void;
};

/**
 * Keeps a request's body from whoever reads it until all of it is here, so that nothing waits for a slow client with a
 * place in the gate. What is kept is bounded: of the caller with the most, the body that began first makes way. Call it
 * when the request is announced, before its first bytes.
 */
export function createArrivals(max = ARRIVING_BYTES) {
  const kept = new Set<Arriving>();
  let used = 0;

  function arrive(request: IncomingMessage, caller: string): Arrival {
    const { headers } = request;
    const declared = Number(headers["content-length"] ?? 0);
    if (declared === 0 && headers["transfer-encoding"] === undefined) return NOTHING;
    const parts: Buffer[] = [];
    let size = 0;
    let settle: { resolve: () => void; reject: (why: Error) => void };
    const here = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // Nobody may be waiting for it yet.
    here.catch(() => undefined);
    const end = (why: Error) => {
      parts.length = 0;
      release();
      settle.reject(why);
    };
    const arriving: Arriving = { caller, bytes: 0, isHere: false, end };

    function release(): void {
      if (kept.delete(arriving)) used -= arriving.bytes;
    }

    function keep(bytes: number): void {
      arriving.bytes += bytes;
      used += bytes;
      makeRoom();
    }

    /** Node's parser calls this; null is the end. Nothing slows the client down, whose bytes are bounded here. */
    request.push = (part: Buffer | null) => {
      if (!kept.has(arriving)) return true;
      if (part) {
        size += part.byteLength;
        parts.push(part);
        if (size > MAX_CONTENT_BODY) end(new AppError("PAYLOAD_TOO_LARGE"));
        else keep(part.byteLength + PART_BYTES);
        return true;
      }
      arriving.isHere = true;
      const push = Readable.prototype.push.bind(request);
      if (size > 0) push(Buffer.concat(parts));
      parts.length = 0;
      push(null);
      settle.resolve();
      return true;
    };
    request.once("close", () => end(new Error("The client has gone.")));
    kept.add(arriving);
    if (declared > MAX_CONTENT_BODY) end(new AppError("PAYLOAD_TOO_LARGE"));
    else keep(REQUEST_BYTES);
    return { here, release };
  }

  function makeRoom(): void {
    while (used > max) {
      const bytes = new Map<string, number>();
      for (const each of kept) bytes.set(each.caller, (bytes.get(each.caller) ?? 0) + each.bytes);
      const unfinished = [...kept].filter(({ isHere }) => !isHere);
      const most = Math.max(...unfinished.map(({ caller }) => bytes.get(caller) ?? 0));
      const first = unfinished.find(({ caller }) => bytes.get(caller) === most);
      if (!first) return;
      first.end(makesWay());
    }
  }

  return { arrive, used: () => used };
}

const NOTHING: Arrival = { here: Promise.resolve(), release: () => undefined };

function makesWay(): AppError {
  const message = "Too much is arriving at once. Wait a few seconds, then try again.";
  return new AppError("SERVICE_UNAVAILABLE", { message, retryAfter: 3 });
}
