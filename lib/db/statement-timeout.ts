import "server-only";
import pg from "pg";
import { cancelStatement } from "@/lib/db/cancel";
import { errorCodes } from "@/lib/db/errors";

/** The limit of statements that only read, in milliseconds. */
const READ_MS = 5_000;
/** The limit of all others, shorter than the socket's timeout (timeout-socket.ts). */
const WRITE_MS = 14_000;

/**
 * Cancels slow statements of this connection from our side: a pooler rejects `statement_timeout` on connect, and a
 * role's default would also stop migrations and backups.
 */
export function applyStatementTimeouts(client: pg.ClientBase): void {
  Object.assign(client, {
    query(...args: unknown[]): unknown {
      const end = startClock(client, statementTimeoutMs(args[0]));
      const callback = args.at(-1);
      if (typeof callback === "function") args[args.length - 1] = (...result: unknown[]) => callback(...end(result));
      const answer: unknown = Reflect.apply(pg.Client.prototype.query, client, args);
      if (answer instanceof Promise) {
        return answer.then(
          (result) => end([null, result])[1],
          (error) => {
            throw end([error])[0];
          },
        );
      }
      return answer;
    },
  });
}

/** The result ends the clock and passes the outcome on. */
function startClock(client: pg.ClientBase, ms: number): (outcome: unknown[]) => unknown[] {
  let isCancelled = false;
  const timer = setTimeout(() => {
    isCancelled = true;
    cancelStatement(client);
  }, ms);
  return (outcome) => {
    clearTimeout(timer);
    // The cancel may still be on its way and would hit the next statement.
    if (isCancelled && !isQueryCancelled(outcome[0])) void (client as pg.Client).end();
    return outcome;
  };
}

/** 57014, query_canceled: cancelled or timed out. */
export function isQueryCancelled(error: unknown): boolean {
  return errorCodes(error).includes("57014");
}

/** Statements that lock rows wait for other writers, so they get longer. */
export function statementTimeoutMs(query: unknown): number {
  const text = typeof query === "string" ? query : String((query as { text?: unknown }).text);
  return /^\s*(?:SELECT|WITH)\b/i.test(text) && !WRITES.test(text) ? READ_MS : WRITE_MS;
}

const WRITES = /\b(?:INSERT|UPDATE|DELETE)\b/i;
