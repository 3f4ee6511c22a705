import { type EventPayload, type GetStepTools, Middleware } from "inngest";
import { MAX_RETRIES, withEngineErrors } from "@/inngest/failures";
import {
  type contentItemQueued,
  type nextItemQueued,
  type outlineItemQueued,
  type publishingQueued,
  sendsOf,
} from "@/lib/events/catalogue";
import { inngest } from "@/lib/events/client";
import type { ItemRun, JobType, RunEnd, RunOutcome, RunWait } from "@/lib/features/work/schema";

/** Tells a function whether this is its run's first call. */
class FirstCall extends Middleware.BaseMiddleware {
  readonly id = "first-call";

  override transformFunctionInput(input: Middleware.TransformFunctionInputArgs) {
    return { ...input, ctx: { ...input.ctx, isFirstCall: Object.keys(input.steps).length === 0 } };
  }
}

/** The engine ends a run at 1,000 steps; a look may take two. */
const MAX_LOOKS = 300;

type Run = { step: GetStepTools<typeof inngest>; isFirstCall: boolean };

/**
 * Looks at work until it has ended, and returns how; after many looks it hands over to a new run. The first look takes no step, so
 * that work of one call takes one call of the engine. State of truth is the database: a look that is repeated does nothing twice.
 */
async function lookUntilEnd(
  { step, isFirstCall }: Run,
  look: () => Promise<RunOutcome>,
  handOver: EventPayload,
): Promise<{ status: RunEnd["as"] | "handed over" }> {
  const first = isFirstCall ? await withEngineErrors(look) : LOOK_AGAIN;
  if (first.next === "end") return { status: first.as };
  // The engine keeps the outcome, and makes each later call a request of its own.
  let outcome: RunOutcome = await step.run({ id: "look-1", name: "First look" }, () => first);
  for (let n = 2; n <= MAX_LOOKS && outcome.next !== "end"; n++) {
    if (outcome.next === "wait") await step.sleep({ id: `wait-${n}`, name: "Wait" }, pauseOf(outcome));
    const name: string = (outcome.next === "more" && outcome.name) || `Look ${n}`;
    outcome = await step.run({ id: `look-${n}`, name }, () => withEngineErrors(look));
  }
  if (outcome.next === "end") return { status: outcome.as };
  await step.sendEvent({ id: "hand-over", name: "Hand over" }, handOver);
  return { status: "handed over" };
}

/** A function with one run per item; `limit` of a user run at once. */
export function itemFunction(
  {
    id,
    name,
    trigger,
    limit,
  }: {
    id: string;
    name: string;
    trigger: typeof outlineItemQueued | typeof contentItemQueued | typeof nextItemQueued;
    limit: number;
  },
  look: (run: ItemRun, jobType: JobType | undefined) => Promise<RunOutcome>,
) {
  return inngest.createFunction(
    {
      id,
      name,
      triggers: [trigger],
      retries: MAX_RETRIES,
      concurrency: { key: "event.data.userId", limit },
      middleware: [FirstCall],
    },
    ({ event, step, runId, isFirstCall }) => {
      const run = { itemId: event.data.itemId, runId, sends: sendsOf(event.data) };
      return lookUntilEnd(
        { step, isFirstCall },
        () => look(run, event.data.jobType),
        trigger.create({ ...event.data }),
      );
    },
  );
}

/** A function with one run per job. Any number of runs may look at a job: its lease admits one at a time. */
export function jobFunction(
  { id, name, trigger }: { id: string; name: string; trigger: typeof publishingQueued },
  look: (jobId: string) => Promise<RunOutcome>,
) {
  return inngest.createFunction(
    {
      id,
      name,
      triggers: [trigger],
      retries: MAX_RETRIES,
      concurrency: { key: "event.data.jobId", limit: 1 },
      middleware: [FirstCall],
    },
    ({ event, step, isFirstCall }) =>
      lookUntilEnd({ step, isFirstCall }, () => look(event.data.jobId), trigger.create({ ...event.data })),
  );
}

/** For a run that the release before began. */
const LOOK_AGAIN: RunOutcome = { next: "wait", waitSeconds: 0 };

/** In milliseconds. The engine counts whole seconds, from one. */
function pauseOf({ waitSeconds }: RunWait): number {
  return 1_000 * Math.max(1, Math.ceil(waitSeconds));
}
