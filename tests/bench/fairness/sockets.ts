import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Answers, Call } from "@/tests/bench/fairness/traffic";

/** A stranger whose connection was closed comes back this much later. */
const RETURN_MS = 1_000;
/** The system has answered a write to a closed connection by then. */
const SETTLE_MS = 500;
/** What a dripping body says of its length: never reached. */
const DRIPPED_LENGTH = 200_000;

/** Sockets that each ask for something large and never read the answer. Returns what counts and closes them. */
export function openUnread(url: string, call: Call, count: number): () => Promise<Answers> {
  const sockets = Array.from({ length: count }, () => {
    const socket = open(url);
    // Nobody listens to its data: Node fills a small buffer once and leaves the rest to the system.
    socket.pause().write(headOf(url, call));
    return socket;
  });
  return async () => {
    // A client that does not read does not see an end either: it shows when the second of two writes fails.
    for (const _ of ["asked", "answered with a reset"]) {
      for (const socket of sockets) if (socket.writable) socket.write("\r\n");
      await wait(SETTLE_MS);
    }
    const left = sockets.filter((socket) => !socket.destroyed);
    for (const socket of left) socket.destroy();
    return { times: [], statuses: { "closed by the server": count - left.length, "still open": left.length } };
  };
}

/** Strangers who each send a body a byte at a time, and come back when they are sent away. Returns what ends them. */
export function dripBodies(url: string, call: Call, { sockets, ms }: { sockets: number; ms: number }) {
  const statuses: Record<string, number> = {};
  const dripping = new Set<Socket>();
  let ended = false;
  const begin = () => {
    if (ended) return;
    const socket = open(url);
    dripping.add(socket);
    socket.write(headOf(url, call, { "content-type": "application/json", "content-length": String(DRIPPED_LENGTH) }));
    socket.once("data", (answer) => tell(statuses, /^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? "no answer"));
    socket.once("close", () => {
      dripping.delete(socket);
      setTimeout(begin, RETURN_MS);
    });
  };
  for (let n = 0; n < sockets; n++) begin();
  const drip = setInterval(() => {
    for (const socket of dripping) if (socket.writable) socket.write(" ");
  }, ms);
  return async (): Promise<Answers> => {
    ended = true;
    clearInterval(drip);
    const left = dripping.size;
    for (const socket of dripping) socket.destroy();
    return { times: [], statuses: { ...statuses, "still open": left } };
  };
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  // The server may end the connection while the client is writing.
  return connect({ host: hostname, port: Number(port) }).on("error", () => undefined);
}

function headOf(url: string, { method, path, cookie, headers }: Call, more: Record<string, string> = {}): string {
  const all = { host: new URL(url).host, ...(cookie ? { cookie } : {}), ...headers, ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`;
}

function tell(statuses: Record<string, number>, status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}
