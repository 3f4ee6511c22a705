import "server-only";
import type { ServerResponse } from "node:http";
import { endStreams } from "@/lib/limits/place";

/**
 * On shutdown Next.js accepts no new connections and waits for the open ones, but Node keeps serving those for as long
 * as clients send requests. From then on close each connection after its response; call the result with each new one.
 */
export function drainOnShutdown(
  inFlight: Iterable<ServerResponse>,
  signals: Pick<NodeJS.EventEmitter, "once">,
): (response: ServerResponse) => void {
  let draining = false;
  for (const signal of ["SIGTERM", "SIGINT"]) {
    signals.once(signal, () => {
      draining = true;
      for (const response of inFlight) endConnectionAfter(response);
      endStreams();
    });
  }
  return (response) => {
    if (draining) endConnectionAfter(response);
  };
}

function endConnectionAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  // That comes too late for a response whose head has been sent, such as a stream's.
  const { socket } = response;
  response.once("finish", () => socket?.end());
}
