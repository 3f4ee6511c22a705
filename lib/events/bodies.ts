import "server-only";
import { AppError } from "@/lib/errors";
import {
  CHUNK_OVERHEAD,
  ENGINE_BODY_MS,
  ENGINE_BYTES,
  ENGINE_LARGE_BODY,
  ENGINE_LARGE_BYTES,
} from "@/lib/limits/bounds";
import { boundedSet } from "@/lib/utils/bounded";

type Reading = { bytes: number; end: (why: AppError) => void };
type Room = { max: number; used: number; readings: Set<Reading> };

/** Large bodies must not crowd out the small ones, which nearly all calls are. */
const small = room(ENGINE_BYTES);
const large = room(ENGINE_LARGE_BYTES);

function room(max: number): Room {
  const reason = "Each has an overhead, so that the oldest has made way for more.";
  return { max, used: 0, readings: boundedSet("bodies being read", Math.ceil(max / CHUNK_OVERHEAD) + 1, reason) };
}

/**
 * Reads the body of a call of the engine, or of a stranger who pretends to be it. What has arrived of unfinished bodies
 * is bounded: the one that began first makes way, since a call of the engine arrives at once. Throws
 * PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE when it makes way, VALIDATION_ERROR five seconds after its first byte.
 */
export async function readEngineBody(request: Request, max: number): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (Number.isFinite(declared) && declared > max) throw new AppError("PAYLOAD_TOO_LARGE");
  const reader = request.body?.getReader();
  if (!reader) return "";
  const room = declared > ENGINE_LARGE_BODY ? large : small;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let failure: AppError | undefined;
  const reading: Reading = {
    bytes: 0,
    end(why) {
      failure ??= why;
      free(room, reading);
      void reader.cancel().catch(() => undefined);
    },
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        // Its code is ECONNRESET, which would be taken for the database's.
        throw failure ?? brokenOff();
      });
      if (failure) throw failure;
      if (done) return Buffer.concat(chunks).toString("utf8");
      timer ??= setTimeout(() => reading.end(tooSlow()), ENGINE_BODY_MS).unref();
      chunks.push(value);
      size += value.byteLength;
      if (size > max) throw new AppError("PAYLOAD_TOO_LARGE");
      hold(room, reading, value.byteLength + CHUNK_OVERHEAD);
    }
  } finally {
    clearTimeout(timer);
    reading.end(tooSlow());
  }
}

function hold(room: Room, reading: Reading, bytes: number): void {
  room.readings.add(reading);
  reading.bytes += bytes;
  room.used += bytes;
  for (const oldest of room.readings) {
    if (room.used <= room.max) return;
    oldest.end(makesWay());
  }
}

function free(room: Room, reading: Reading): void {
  if (!room.readings.delete(reading)) return;
  room.used -= reading.bytes;
}

function tooSlow(): AppError {
  return new AppError("VALIDATION_ERROR", { message: "The body of this call took too long to arrive. Send it again." });
}

function brokenOff(): AppError {
  return new AppError("VALIDATION_ERROR", { message: "The body of this call broke off. Send it again." });
}

function makesWay(): AppError {
  return new AppError("SERVICE_UNAVAILABLE", { message: "Too many calls are arriving. Send it again.", retryAfter: 1 });
}
