import "server-only";
import { Socket } from "node:net";

/** Far above the silence of our longest statement; a pool closes idle connections before it (pg's own 10 s). */
const SILENCE_MS = 15_000;

/**
 * A socket that ends with ETIMEDOUT when nothing has moved on it for `silenceMs`: over a way that has broken without a
 * word a request would wait for minutes. At the socket, and not by pg's query_timeout, which hands such a connection back
 * to the pool after a transaction, nor by statement_timeout, which poolers refuse when a connection is opened.
 */
export function impatientSocket(silenceMs = SILENCE_MS): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error("PostgreSQL has not answered in time."), { code: "ETIMEDOUT" }));
  });
}
