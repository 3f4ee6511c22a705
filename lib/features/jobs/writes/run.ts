import "server-only";
import type { Db } from "@/lib/db/prisma";
import { transaction } from "@/lib/db/transaction";
import { isAppError } from "@/lib/errors";
import { type Outcome, whatNow } from "@/lib/features/jobs/rules";
import type { JobType } from "@/lib/features/jobs/schema";
import {
  type AtWork,
  claimItem as claimItemRow,
  completeItem,
  endItem,
  findItemOfRun,
  freeLostItems,
  type HeldItem,
  lockItem,
  type RunOf,
  readItem,
} from "@/lib/features/jobs/sql/items";
import { beginTry, Settled, type Try, tryFailed, tryWorked } from "@/lib/features/jobs/writes/gate";
import { release } from "@/lib/lease/lease";
import { againAfterDeadlock } from "@/lib/utils/database";
import { createInFlight } from "@/lib/utils/in-flight";
import { uuid } from "@/lib/utils/zod";

/** A run as its event and the engine name it. */
export type ItemRun = { itemId: string; dispatch: string; runId: string };

export type { Outcome } from "@/lib/features/jobs/rules";
export { type AtWork, closeTry } from "@/lib/features/jobs/sql/items";

const once = createInFlight<Outcome>();

/**
 * Does one step of an item's work under its claim; may run twice. Failures that a person would meet become the row's next
 * state first: the one thrown then is for the engine, which shows it (see inngest/failures.ts). The engine calls again when
 * an answer did not reach it; the first call may still be waiting for the provider.
 */
export function withItem(
  step: string,
  jobType: JobType,
  run: ItemRun,
  work: (at: AtWork) => Promise<Outcome>,
): Promise<Outcome> {
  return once(`${step} ${run.itemId} ${run.runId}`, async () => {
    const at = await claimItem({ ...run, jobType });
    if ("next" in at) return at;
    try {
      return await work(at);
    } catch (error) {
      // What happened before a paid call and is not in the catalogue (the database away, say) is the engine's to try again.
      if (error instanceof Settled || !isAppError(error)) throw error;
      return tryFailed(at, undefined, error);
    }
  });
}

/**
 * A paid call of an item: counted in its row before it is made, so that `maxRetries` bounds what a person pays whatever
 * becomes of the process. `keep` stores the answer, even if another run holds the item by then.
 */
export async function payFor<T>(
  at: AtWork,
  call: () => Promise<T>,
  keep: (answer: T) => Promise<Outcome>,
): Promise<Outcome> {
  const begun = await beginTry(at);
  if ("next" in begun) return begun;
  let answer: T;
  try {
    answer = await call();
  } catch (error) {
    return tryFailed(at, begun, error);
  }
  return kept(at, begun, () => keep(answer));
}

async function kept(at: AtWork, begun: Try, keep: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await keep();
  await tryWorked(at.item.userId, begun);
  return outcome;
}

/** Claims an item for this run, or says what the run does instead. What is lost or cannot go on ends here. */
async function claimItem(run: RunOf): Promise<AtWork | Outcome> {
  for (let look = 0; look < 2; look++) {
    const item = await againAfterDeadlock(() => claimItemRow(run));
    if (item) return { item, held: { itemId: run.itemId, jobType: run.jobType, token: item.token } };
    const seen = whatNow(await readItem(run));
    if (seen === "lost") await freeLostItems(null, run.itemId);
    else if (seen === "cancel") await endItem(run, "cancel", null);
    else return seen;
  }
  return { next: "wait", waitSeconds: 1 };
}

/**
 * Ends an item in one transaction with what `write` does, fenced by its claim and its lease. `write` answers a note for
 * the person, or null. False: this run holds it no more, nothing was written.
 */
export function finishItem(
  held: HeldItem,
  usage: { tokensIn: number; tokensOut: number },
  write: (db: Db) => Promise<string | null>,
): Promise<boolean> {
  return transaction(async (db) => {
    if (!(await lockItem(db, held))) return false;
    const note = await write(db);
    return completeItem(db, held, { note, ...usage });
  });
}

/** finishItem as the last step of a run. */
export async function endsItem({ item, held }: AtWork, write: (db: Db) => Promise<string | null>): Promise<Outcome> {
  const isFinished = await finishItem(held, { tokensIn: 0, tokensOut: 0 }, write);
  return isFinished ? { next: "end", as: "completed" } : letGo({ item, held });
}

/** The item is this run's no more: so is its piece. The next look says what became of the item. */
export async function letGo({ item, held }: AtWork): Promise<Outcome> {
  await release({ kind: "writing", subject: item.contentPieceId, token: held.token });
  return { next: "wait", waitSeconds: 1 };
}

/**
 * The engine ended a run by itself: its item ends too, where it has not and was not handed over again since. `dispatch` is
 * null where the engine does not tell what the run began with; then only a run that has begun is known.
 */
export async function endWithRun(
  { runId, dispatch }: { runId: string; dispatch: string | null },
  as: "failed" | "cancelled",
): Promise<boolean> {
  const itemId = uuid.safeParse(dispatch?.slice(0, 36)).data ?? null;
  const run = await findItemOfRun(runId, itemId);
  if (!run) return false;
  const [move, error] = as === "failed" ? (["giveUp", STOPPED] as const) : (["cancel", CANCELLED] as const);
  return againAfterDeadlock(() => endItem({ ...run, dispatch: dispatch ?? run.dispatch }, move, error));
}

const STOPPED = "The work stopped before it was done. Try again.";
const CANCELLED = "Its run was cancelled in the job engine.";
