/** @jest-environment node */
import { randomUUID } from "node:crypto";
import { itemFunction } from "@/inngest/runs";
import { outlineItemQueued } from "@/lib/events/catalogue";
import type { ItemRun, RunOutcome } from "@/lib/features/work/schema";

// What a run does with the outcomes of its looks.

type Context = { event: { data: object }; step: object; runId: string; isFirstCall: boolean };

/** Runs the function as the engine would, with the steps that it takes. */
async function run(outcomes: (n: number) => RunOutcome, isFirstCall = true) {
  const looks: ItemRun[] = [];
  const steps: string[] = [];
  const sent: object[] = [];
  const step = {
    run: async ({ id, name }: { id: string; name: string }, work: () => Promise<RunOutcome>) => {
      steps.push(`${id}: ${name}`);
      return work();
    },
    sleep: async ({ id }: { id: string }, ms: number) => void steps.push(`${id}: ${ms}`),
    sendEvent: async (_: object, { data }: { data: object }) => void sent.push(data),
  };
  const itemId = randomUUID();
  const data = { itemId, jobId: randomUUID(), userId: randomUUID(), dispatch: `${itemId}-7` };
  const made = itemFunction(
    { id: "outlines", name: "Outlines", trigger: outlineItemQueued, limit: 4 },
    async (item) => {
      looks.push(item);
      return outcomes(looks.length);
    },
  );
  const { fn } = made as unknown as { fn: (context: Context) => Promise<{ status: string }> };
  const { status } = await fn({ event: { data }, step, runId: "run-1", isFirstCall });
  return { status, steps, looks, sent, data };
}

const END = { next: "end", as: "completed" } as const;

it("takes no step for an item that ends at the first look", async () => {
  const { status, steps, looks, data } = await run(() => END);
  expect([status, steps]).toEqual(["completed", []]);
  expect(looks).toEqual([{ itemId: data.itemId, runId: "run-1", sends: 7 }]);
});

it("names a call as the one before said, and waits whole seconds", async () => {
  const outcomes: RunOutcome[] = [{ next: "more", name: "Section 2 of 2" }, { next: "wait", waitSeconds: 2.1 }, END];
  const { status, steps } = await run((n) => outcomes[n - 1] ?? END);
  expect(status).toBe("completed");
  expect(steps).toEqual(["look-1: First look", "look-2: Section 2 of 2", "wait-3: 3000", "look-3: Look 3"]);
});

it("looks again for a run that the release before began", async () => {
  const { status, steps } = await run(() => END, false);
  expect([status, steps]).toEqual(["completed", ["look-1: First look", "wait-2: 1000", "look-2: Look 2"]]);
});

it("hands over to a new event after 300 looks, unless the last one is the end", async () => {
  const { status, looks, sent, data } = await run(() => ({ next: "wait", waitSeconds: 15 }));
  expect([status, looks.length, sent]).toEqual(["handed over", 300, [data]]);
  const last = await run((n) => (n < 300 ? { next: "wait", waitSeconds: 15 } : END));
  expect([last.status, last.sent]).toEqual(["completed", []]);
});
