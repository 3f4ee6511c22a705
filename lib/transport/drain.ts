import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";

type Asked = Pick<NodeJS.EventEmitter, "once">;

/**
 * When it is asked to end, Next.js takes no new connections and waits for the open ones; but Node would go on serving
 * those for as long as their clients find something to ask. From then on each answer ends its connection.
 */
export function drainWhenAsked(asked: Asked = process): void {
  const inFlight = new Set<ServerResponse>();
  let draining = false;
  subscribe("http.server.request.start", (message) => {
    const { response } = message as { response: ServerResponse };
    if (draining) endConnectionAfter(response);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
  });
  for (const signal of ["SIGTERM", "SIGINT"]) {
    asked.once(signal, () => {
      draining = true;
      for (const response of inFlight) endConnectionAfter(response);
    });
  }
}

function endConnectionAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
