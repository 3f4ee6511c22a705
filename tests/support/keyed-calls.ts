import pg from "pg";
import type { Backend } from "@/tests/support/backend";
import { databaseUrl, query } from "@/tests/support/db";
import { operationNames, prepare, successOf } from "@/tests/support/operations";
import { countRows, newWorld, type World } from "@/tests/support/world";

const creations = operationNames(({ idempotent }) => idempotent === "creation");
export const names = operationNames(({ idempotent }) => idempotent);
const paid = operationNames(({ idempotent }) => idempotent === "paid");

/** What a repeated call answers: the same as the first, and for a paid one when that was done. */
export function repeatOf(name: string, body: unknown): unknown {
  const alreadyDoneAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  return paid.includes(name) ? { ...(body as object), alreadyDoneAt } : body;
}
export const KEY = { "idempotency-key": '"one intention"' };
export const SUGGEST = "POST /api/topics/[id]/suggest-keywords";
export const OUTLINE = "POST /api/content/[id]/generate-outline";

/** A user who can make the call, and the number of effects so far: rows of the user, or provider requests. */
export function keyedCalls(backend: () => Backend) {
  return {
    async ready(name: string): Promise<World> {
      const world = await newWorld();
      await world.caller.patch("/api/user/settings", { openaiApiKey: backend().ai.apiKey });
      await prepare(name, world);
      return world;
    },
    async countDone(name: string, world: World): Promise<number> {
      if (creations.includes(name)) return countRows(world);
      // What a job does is not an effect of the call that started it.
      if ((await successOf(name)) === 202) return countRows(world, (table) => table === "processing_jobs");
      return backend().ai.requests.length;
    },
  };
}

export const keysOf = ({ id }: { id: string }) =>
  query<{ key: string; kept: string | null }>("SELECT key, kept FROM idempotency_keys WHERE user_id = $1", [id]);

/** Locks a table while `work` runs, like a slow database. */
export async function withLockedTable<T>(
  table: string,
  work: (releaseLock: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table}`);
    return await work(() => client.query("COMMIT"));
  } finally {
    await client.end();
  }
}

/** Where to block a call: creations as they store their key, paid calls before they reach the provider. */
export const blockedTable = (name: string) =>
  creations.includes(name) ? "idempotency_keys IN SHARE ROW EXCLUSIVE MODE" : "topics IN ACCESS EXCLUSIVE MODE";
