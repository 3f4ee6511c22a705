import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";

type Signals = Pick<NodeJS.EventEmitter, "once">;

/**
 * On shutdown Next.js accepts no new connections and waits for the open ones, but Node keeps serving those for as long
 * as clients send requests. From then on close each connection after its response.
 */
export function drainOnShutdown(signals: Signals = process): void {
  const inFlight = new Set<ServerResponse>();
  let draining = false;
  subscribe("http.server.request.start", (message) => {
    const { response } = message as { response: ServerResponse };
    if (draining) endConnectionAfter(response);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
  });
  for (const signal of ["SIGTERM", "SIGINT"]) {
    signals.once(signal, () => {
      draining = true;
      for (const response of inFlight) endConnectionAfter(response);
    });
  }
}

function endConnectionAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
