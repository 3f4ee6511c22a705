import "server-only";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { UNREAD_MS } from "@/lib/limits/bounds";

/** A quarter of an hour of readers that do not read would otherwise fill the memory with their answers. */
const LOOK_EVERY_MS = 5_000;

type Clock = { now(): number; every(ms: number, look: () => void): void };

/**
 * Destroys each connection whose client has taken no byte of what waits for it for a minute. A connection on which
 * nothing waits may be silent for as long as the work takes.
 */
export function endUnread(inFlight: Iterable<ServerResponse>, clock: Clock = SYSTEM_CLOCK): void {
  const seen = new WeakMap<Socket, { taken: number; since: number }>();
  clock.every(LOOK_EVERY_MS, () => {
    for (const { socket } of inFlight) {
      if (!socket) continue;
      if (socket.writableLength === 0) {
        seen.delete(socket);
        continue;
      }
      const taken = bytesTaken(socket);
      const before = seen.get(socket);
      if (before?.taken !== taken) seen.set(socket, { taken, since: clock.now() });
      else if (clock.now() - before.since >= UNREAD_MS) socket.destroy();
    }
  });
}

/**
 * What has left this process. Of a large write the stream knows only that it has not ended; its handle knows how much
 * is left (Node's own socket timeout reads it too, in lib/net.js).
 */
function bytesTaken(socket: Socket): number {
  const { writeQueueSize = 0 } = (socket as { _handle?: { writeQueueSize?: number } | null })._handle ?? {};
  return socket.bytesWritten - socket.writableLength - writeQueueSize;
}

const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  every: (ms, look) => void setInterval(look, ms).unref(),
};
