import { type GetStepTools, NonRetriableError } from "inngest";
import { settled } from "@/inngest/failures";
import { itemCancelled } from "@/lib/events/catalogue";
import type { inngest } from "@/lib/events/client";
import type { ItemRun, Outcome } from "@/lib/features/jobs/writes/run";

type StepTools = GetStepTools<typeof inngest>;

/** What all runs of an item share. One item is one run, and the run ends as its item does. */
export const ITEM_RUN = {
  /** A waiting run ends with its item: cancelled by the person, or handed over again under another name. */
  cancelOn: [{ event: itemCancelled, match: "data.dispatch" as const }],
};

/**
 * One step of an item's work. Waits are slept through here, not tried again: a step that says "wait" has ended, so that each
 * further look is a step of its own. Its ids must stay what they are, or a paid step runs again.
 */
export async function turn(
  step: StepTools,
  { id, name }: { id: string; name: string },
  work: () => Promise<Outcome>,
): Promise<Exclude<Outcome, { next: "wait" }>> {
  for (let look = 1; ; look++) {
    const options = look === 1 ? { id, name } : { id: `${id}-look-${look}`, name: `${name}, look ${look}` };
    const outcome = await step.run(options, () => settled(work));
    if (outcome.next !== "wait") return outcome;
    await step.sleep({ id: `wait-${id}-${look}`, name: "Wait" }, outcome.waitSeconds * 1000);
  }
}

/** How long a run that is to be cancelled waits for it. */
const CANCEL_WAIT = "1h";

/**
 * The end of a run, as the engine shows it. A run cannot say of itself that it was cancelled: it makes sure of the event that
 * does it, and waits.
 */
export async function endRun(step: StepTools, outcome: Outcome, { dispatch }: Pick<ItemRun, "dispatch">) {
  if (outcome.next !== "end") throw new NonRetriableError("The run ended before its item.");
  if (outcome.as === "cancelled") {
    await step.sendEvent({ id: "cancel", name: "Cancel this run" }, itemCancelled.create({ dispatch }));
    await step.sleep({ id: "until-cancelled", name: "Wait to be cancelled" }, CANCEL_WAIT);
  }
  return { status: outcome.as };
}
