import type { AppError } from "@/lib/errors";
import { claimItem } from "@/lib/features/work/sql/items";
import type { Claim } from "@/lib/features/work/sql/shared";
import { query } from "@/tests/support/db";
import { type Columns, type Item, newGateOf, newItemOf, newJobOf, newOwner, runOf } from "@/tests/support/queue-rows";

// An item as a run of the engine has it, and what has become of its row and its user's gate.

export const newItem = async (columns: Columns = {}, job: Columns = {}) =>
  newItemOf(await newJobOf(await newOwner(), job), columns);

/** An item that a run has just claimed. */
export async function atWork(
  gate?: Columns,
  columns: Columns = {},
  job: Columns = {},
): Promise<Claim & { made: Item }> {
  const made = await newItem(columns, job);
  if (gate) await newGateOf(made.job.owner, gate);
  const item = await claimItem(runOf(made));
  if (!item) throw new Error("not claimed");
  return { item, ref: { itemId: made.id, jobType: made.jobType, token: item.token }, made };
}

export const rowOf = async ({ made }: { made: Item }) =>
  (
    await query<Columns>(
      `SELECT status::text, retry_count, waited_seconds, is_held, is_try_open, error,
         round(extract(epoch FROM not_before - updated_at))::int AS pause FROM processing_queue WHERE id = $1`,
      [made.id],
    )
  )[0];
export const gateOf = async ({ made }: { made: Item }) =>
  (
    await query<Columns>(
      `SELECT epoch, level, closed_until IS NOT NULL AS closed, probe_item, held_error, held_key IS NOT NULL AS has_key
       FROM provider_gates WHERE user_id = $1`,
      [made.job.owner.id],
    )
  )[0];
/** The failure that a run ends or comes back with. */
export const failureOf = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
