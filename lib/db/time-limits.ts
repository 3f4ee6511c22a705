import "server-only";
import pg from "pg";
import { cancelStatement } from "@/lib/db/cancel";
import { codesOf } from "@/lib/utils/database";

/** How long a statement that only reads may take, in milliseconds. */
const READ_MS = 5_000;
/** How long any other may take: less than the silence after which its socket is closed (impatient-socket.ts). */
const WRITE_MS = 14_000;

/**
 * From now on cancels each statement of this connection that takes too long. From our side, because a pooler refuses
 * `statement_timeout` when a connection is opened, and a role's default would also end migrations and backups.
 */
export function limitStatements(client: pg.ClientBase): void {
  Object.assign(client, {
    query(...args: unknown[]): unknown {
      const end = startClock(client, mostTimeOf(args[0]));
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

/** Cancels when the time is up; what it answers is called with the outcome, which it passes on. */
function startClock(client: pg.ClientBase, ms: number): (outcome: unknown[]) => unknown[] {
  let isCancelled = false;
  const timer = setTimeout(() => {
    isCancelled = true;
    cancelStatement(client);
  }, ms);
  return (outcome) => {
    clearTimeout(timer);
    // The request may still be on its way, and would meet the next statement.
    if (isCancelled && !isCancelledError(outcome[0])) void (client as pg.Client).end();
    return outcome;
  };
}

/** Did the statement end because it was cancelled or timed out? (57014, query_canceled) */
export function isCancelledError(error: unknown): boolean {
  return codesOf(error).includes("57014");
}

/** How long this statement may take, in milliseconds. What locks rows to write them waits for other writers. */
export function mostTimeOf(asked: unknown): number {
  const text = typeof asked === "string" ? asked : String((asked as { text?: unknown }).text);
  return /^\s*(?:SELECT|WITH)\b/i.test(text) && !WRITES.test(text) ? READ_MS : WRITE_MS;
}

const WRITES = /\b(?:INSERT|UPDATE|DELETE|take_room)\b/i;
