import { type GetStepTools, Middleware, NonRetriableError } from "inngest";
import { withEngineErrors } from "@/inngest/failures";
import { itemCancelled } from "@/lib/events/catalogue";
import type { inngest } from "@/lib/events/client";
import type { ItemRun, StepOutcome } from "@/lib/features/work/schema";
import { isUnwanted } from "@/lib/features/work/steps";

type StepTools = GetStepTools<typeof inngest>;

/** Tells a function whether this is its run's first call. */
class FirstCall extends Middleware.BaseMiddleware {
  readonly id = "first-call";

  override transformFunctionInput(input: Middleware.TransformFunctionInputArgs) {
    return { ...input, ctx: { ...input.ctx, isFirstCall: Object.keys(input.steps).length === 0 } };
  }
}

/** Shared by the functions with one run per item. */
export const ITEM_RUN_OPTIONS = {
  middleware: [FirstCall] as [typeof FirstCall],
  /** How a run that was at work cancels itself; one that sleeps is cancelled over the engine's API. */
  cancelOn: [{ event: itemCancelled, match: "data.dispatch" as const }],
};

/**
 * Runs a step, sleeping and looking again for as long as its outcome is "wait". Each look is a step of its own. Never change
 * the step ids: runs in progress would repeat paid steps.
 */
export async function runStep(
  step: StepTools,
  { id, name }: { id: string; name: string },
  work: () => Promise<StepOutcome>,
): Promise<Exclude<StepOutcome, { next: "wait" }>> {
  for (let look = 1; ; look++) {
    const options = look === 1 ? { id, name } : { id: `${id}-look-${look}`, name: `${name}, look ${look}` };
    const outcome = await step.run(options, () => withEngineErrors(work));
    if (outcome.next !== "wait") return outcome;
    await step.sleep({ id: `wait-${id}-${look}`, name: "Wait" }, outcome.waitSeconds * 1000);
  }
}

/**
 * Does the work of an item's run and ends it as its item ended. A run that begins when nobody waits for it ends in its first
 * call, without a step: such runs come by the thousand.
 */
export async function runItem(
  { step, run, isFirstCall }: { step: StepTools; run: ItemRun; isFirstCall: boolean },
  work: () => Promise<StepOutcome>,
) {
  if (isFirstCall && (await withEngineErrors(() => isUnwanted(run)))) return { status: "cancelled" as const };
  return concludeRun(step, await work(), run);
}

/** How long a run waits to be cancelled. */
const CANCEL_WAIT = "1h";

/** Ends a run as its item ended. A run cannot cancel itself, so it sends the event that does, and waits. */
async function concludeRun(step: StepTools, outcome: StepOutcome, { dispatch }: Pick<ItemRun, "dispatch">) {
  if (outcome.next !== "end") throw new NonRetriableError("The run ended before its item.");
  if (outcome.as === "cancelled") {
    await step.sendEvent({ id: "cancel", name: "Cancel this run" }, itemCancelled.create({ dispatch }));
    await step.sleep({ id: "until-cancelled", name: "Wait to be cancelled" }, CANCEL_WAIT);
  }
  return { status: outcome.as };
}
