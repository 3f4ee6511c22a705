import "server-only";
import { Socket } from "node:net";

/** This is longer than our longest statement; the pool closes idle connections earlier (pg's default is 10 s). */
const SILENCE_MS = 15_000;

/**
 * A socket that fails with ETIMEDOUT after `silenceMs` without traffic; a silently broken connection would hang for
 * minutes. Neither alternative works: pg's query_timeout returns such a connection to the pool after a transaction, and
 * poolers reject statement_timeout on connect.
 */
export function timeoutSocket(silenceMs = SILENCE_MS): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error("PostgreSQL has not answered in time."), { code: "ETIMEDOUT" }));
  });
}
