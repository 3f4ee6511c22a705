import pg from "pg";
import type { Backend } from "@/tests/support/backend";
import { databaseUrl, query } from "@/tests/support/db";
import { validCalls } from "@/tests/support/operations";
import { newWorld, type World } from "@/tests/support/world";

/** Each call with a key, and what counts as an effect: rows of the user, or provider calls. */
export const CREATIONS: Record<string, string> = {
  "POST /api/instructions": "saved_instructions WHERE user_id = $1",
  "POST /api/projects": "projects WHERE user_id = $1",
  "POST /api/projects/[id]/topics": "topics WHERE user_id = $1",
  "POST /api/projects/[id]/topics/[topicId]/content": "content_pieces WHERE user_id = $1",
  "POST /api/projects/[id]/buyer-persona":
    "buyer_personas p WHERE EXISTS (SELECT FROM projects o WHERE o.id = p.project_id AND o.user_id = $1)",
  "POST /api/topics/[id]/keywords":
    "keywords k WHERE EXISTS (SELECT FROM topics t WHERE t.id = k.topic_id AND t.user_id = $1)",
  "POST /api/topics/[id]/add-suggested-keywords":
    "keywords k WHERE EXISTS (SELECT FROM topics t WHERE t.id = k.topic_id AND t.user_id = $1)",
};
export const PAID: Record<string, string | null> = {
  "POST /api/topics/[id]/suggest-keywords": null,
  "POST /api/projects/[id]/generate-content-ideas": null,
  "POST /api/content/[id]/generate-outline": null,
  "POST /api/content/[id]/generate-from-outline": null,
  "POST /api/content/[id]/rewrite": null,
  "POST /api/chat/message": null,
  "POST /api/topics/[id]/generate-outline-queue": "processing_jobs WHERE user_id = $1",
  "POST /api/topics/[id]/generate-all-content-queue": "processing_jobs WHERE user_id = $1",
};
export const names = [...Object.keys(CREATIONS), ...Object.keys(PAID)];
export const KEY = { "idempotency-key": '"one intention"' };
export const SUGGEST = "POST /api/topics/[id]/suggest-keywords";
export const OUTLINE = "POST /api/content/[id]/generate-outline";

/** A user who can make the call, and the number of effects so far: rows, or provider requests. */
export function keyedCalls(backend: () => Backend) {
  return {
    async ready(name: string): Promise<World> {
      const world = await newWorld();
      await world.caller.patch("/api/user/settings", { openaiApiKey: backend().ai.apiKey });
      await validCalls[name]?.before?.(world);
      return world;
    },
    async countDone(name: string, { id }: World): Promise<number> {
      const rows = CREATIONS[name] ?? PAID[name];
      if (!rows) return backend().ai.requests.length;
      return (await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${rows}`, [id]))[0]?.count ?? -1;
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
  name in CREATIONS ? "idempotency_keys IN SHARE ROW EXCLUSIVE MODE" : "topics IN ACCESS EXCLUSIVE MODE";
