import "server-only";
import { STEP_LIMITS, type StepLimits, THINGS, type Thing } from "@/lib/features/deletion/rules";
import { markBelow, removePart, removeThings, selectDeleted } from "@/lib/features/deletion/sql/removal";
import { noteDeletion } from "@/lib/limits/storage-quota";
import { oneAtATime } from "@/lib/utils/one-at-a-time";

/**
 * Removes the rows of all that is deleted, in small steps, until nothing is left or `ms` have passed. Each step is a transaction
 * of its own, so that it may end at any point and run in several processes at once: the next run goes on.
 */
export function removeDeleted({ ms = Number.POSITIVE_INFINITY, limits = STEP_LIMITS } = {}): Promise<void> {
  const until = Date.now() + ms;
  return inTurn(() => removeAll(until, limits));
}

/** A process runs one removal at a time, however much was deleted. */
const inTurn = oneAtATime();

async function removeAll(until: number, limits: StepLimits): Promise<void> {
  const hasTime = () => Date.now() < until;
  let removed = 1;
  while (removed > 0 && hasTime()) {
    removed = 0;
    await markBelow();
    for (const thing of THINGS) removed += await removeThingsWithParts(thing, limits, hasTime);
  }
}

/** Returns how many of the things it removed. */
async function removeThingsWithParts(thing: Thing, limits: StepLimits, hasTime: () => boolean): Promise<number> {
  let removed = 0;
  while (hasTime()) {
    const deleted = await selectDeleted(thing, limits.rows);
    const ids = deleted.map(({ id }) => id);
    for (const part of thing.parts) while (hasTime() && (await removePart(thing, part, ids, limits)) > 0);
    const gone = hasTime() && ids.length > 0 ? await removeThings(thing, ids, limits) : 0;
    for (const userId of new Set(deleted.map((each) => each.userId))) await noteDeletion(userId);
    // Without any left, or with those alone that another process is removing.
    if (gone === 0) break;
    removed += gone;
  }
  return removed;
}
