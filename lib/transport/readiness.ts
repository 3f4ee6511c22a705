import "server-only";
import { z } from "zod";
import { migrationState } from "@/lib/db/health";
import { enginePresence } from "@/lib/events/presence";
import { log } from "@/lib/log";
import { answerWithin } from "@/lib/utils/answer-within";

export const readinessOut = z.object({
  ok: z.boolean(),
  database: z.enum(["up", "down"]),
  migrations: z.enum(["current", "pending", "newer", "failed", "unknown"]),
  engine: z.enum(["up", "away", "unknown"]),
});
export type Readiness = z.infer<typeof readinessOut>;

/** This is shorter than a load balancer waits, and than it takes to learn that no connection can be opened (lib/db/pool.ts). */
const LIMIT_MS = 2_000;
/** An answer is shared for this long: anyone may ask, as often as they like. */
const VALID_MS = 1_000;

const DOWN: Readiness = { ok: false, database: "down", migrations: "unknown", engine: "unknown" };

type Questions = {
  migrations: () => Promise<Exclude<Readiness["migrations"], "unknown">>;
  engine: () => Promise<Readiness["engine"]>;
  now: () => number;
};

/**
 * Answers whether this process can serve users: the database answers and has its migrations. Those of a newer version are fine,
 * and so is an engine that is away. All who ask within a second share one answer, and a database that hangs is asked once.
 */
export function createReadiness(questions: Questions): () => Promise<Readiness> {
  let asking: Promise<Readiness> | undefined;
  let shared: { answer: Promise<Readiness>; until: number } | undefined;
  return () => {
    if (shared && questions.now() < shared.until) return shared.answer;
    asking ??= ask(questions).finally(() => {
      asking = undefined;
    });
    const next = { answer: answerWithin(LIMIT_MS, asking, DOWN), until: Number.POSITIVE_INFINITY };
    next.answer.then(() => {
      next.until = questions.now() + VALID_MS;
    });
    shared = next;
    return next.answer;
  };
}

export const readiness = createReadiness({ migrations: migrationState, engine: enginePresence, now: Date.now });

async function ask(questions: Questions): Promise<Readiness> {
  try {
    const migrations = await questions.migrations();
    // Its table may be one of those that are missing.
    const engine = await questions.engine().catch(() => "unknown" as const);
    return { ok: migrations === "current" || migrations === "newer", database: "up", migrations, engine };
  } catch (error) {
    log.error({ err: error }, "the database does not answer");
    return DOWN;
  }
}
