import { NonRetriableError, RetryAfterError } from "inngest";
import { type Build, contractSuite, pause, REAL_SERVER, until } from "@/tests/support/inngest-contract";

// How runs end and what a dashboard shows: completed, failed, cancelled. Like the rest of the contract this runs
// against the embedded engine, or against a real server when INNGEST_CONTRACT_URL says where one is.

const gates: (() => void)[] = [];
// Before the harness is closed: a call that is still held would keep the app's server up.
afterEach(() => {
  for (const open of gates.splice(0)) open();
});
const { serve, harness } = contractSuite();

type ShownRun = { status: string; output: unknown; function_name?: string; attempts?: number; steps?: unknown[] };

async function shown(runId: string): Promise<ShownRun> {
  const { data } = (await (await harness().api("GET", `/v1/runs/${runId}`)).json()) as { data: ShownRun };
  return data;
}

/** Only the embedded engine's API has steps; real servers show them in their dashboard. */
function expectSteps(run: ShownRun, steps: unknown[]): void {
  if (!REAL_SERVER) expect(run.steps).toMatchObject(steps);
}

/** A real server drops an event that arrives before it waits for it. */
async function heldByServer(): Promise<void> {
  if (REAL_SERVER) await pause(1000);
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gates.push(open);
  return { opened, open };
}

describe("a run", () => {
  it("is Completed with its output and the names of function and steps", async () => {
    const { run } = await serve((inngest, name) => [
      inngest.createFunction(
        { id: "write", name: "Write a post", triggers: [{ event: name("go") }] },
        async ({ step }) => {
          await step.run({ id: "section-1", name: "Section 1 of 2" }, () => ({ words: 7 }));
          await step.sleep({ id: "rest", name: "Rest a second" }, "1s");
          return { sections: 2 };
        },
      ),
    ]);

    const { run_id, ...listed } = await run("go");
    expect(listed).toMatchObject({ status: "Completed", output: { sections: 2 } });
    const one = await shown(run_id);
    expect(one).toMatchObject({ status: "Completed", output: { sections: 2 } });
    if (!REAL_SERVER) expect(one).toMatchObject({ function_name: "Write a post", attempts: 1, executions: 3 });
    expectSteps(one, [
      { id: "section-1", name: "Section 1 of 2", status: "Completed", attempts: 1, output: { words: 7 } },
      { id: "rest", name: "Rest a second", status: "Completed", attempts: 1, output: null },
    ]);
  });

  it("counts the attempts of a retried step, and keeps the steps before it", async () => {
    const tries: number[] = [];
    let before = 0;
    const { run } = await serve((inngest, name) => [
      inngest.createFunction(
        { id: "retried", triggers: [{ event: name("go") }], retries: 5 },
        async ({ step, attempt }) => {
          await step.run("before", () => ++before);
          return step.run("ask", () => {
            tries.push(attempt);
            if (attempt < 2) throw new RetryAfterError("Too many requests.", REAL_SERVER ? 1000 : 0);
            return "answered";
          });
        },
      ),
    ]);

    const { run_id } = await run("go");
    expect([tries, before]).toEqual([[0, 1, 2], 1]);
    const one = await shown(run_id);
    expect(one).toMatchObject({ status: "Completed", output: "answered" });
    if (!REAL_SERVER) expect(one.attempts).toBe(3);
    expectSteps(one, [
      { id: "before", status: "Completed", attempts: 1 },
      { id: "ask", status: "Completed", attempts: 3, output: "answered" },
    ]);
  });

  it("is Failed with the sentence of the step that failed permanently, which is tried once", async () => {
    let tries = 0;
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "final", triggers: [{ event: name("go") }], retries: 5 }, async ({ step }) => {
        await step.run({ id: "ask", name: "Ask the provider" }, () => {
          tries++;
          throw new NonRetriableError("The provider refused the key.");
        });
      }),
    ]);

    const { run_id } = await run("go");
    expect(await shown(run_id)).toMatchObject({
      status: "Failed",
      output: { message: "The provider refused the key." },
    });
    expect(tries).toBe(1);
    expectSteps(await shown(run_id), [
      { id: "ask", name: "Ask the provider", status: "Failed", output: { message: "The provider refused the key." } },
    ]);
  });
});

describe("cancelling", () => {
  it.each([
    ["match", { match: "data.dispatch" }],
    ["if", { if: "event.data.dispatch == async.data.dispatch" }],
    ["if, the other way round", { if: "async.data.dispatch == event.data.dispatch" }],
  ])("by an event cancels the runs that match by `%s`, and no others", async (_, rule) => {
    const finished: string[] = [];
    const hold = gate();
    const { send, ended } = await serve((inngest, name) => [
      inngest.createFunction(
        { id: "item", triggers: [{ event: name("go") }], cancelOn: [{ event: name("cancelled"), ...rule }] },
        async ({ event, step }) => {
          await step.run("begin", () => hold.opened);
          await step.run("finish", () => finished.push(event.data.dispatch));
        },
      ),
    ]);

    const [one, other] = [await send("go", { dispatch: "one" }), await send("go", { dispatch: "other" })];
    await heldByServer();
    await send("cancelled", { dispatch: "one" });
    expect(await ended(one)).toMatchObject([{ status: "Cancelled" }]);
    hold.open();
    expect(await ended(other)).toMatchObject([{ status: "Completed" }]);
    expect(finished).toEqual(["other"]);
  });

  const states = ["is queued", "sleeps", "waits for a retry", "is in a call"] as const;

  it.each(states)("ends a run that %s at once, and nothing of it runs afterwards", async (state) => {
    const ran: string[] = [];
    const hold = gate();
    const { send, ended } = await serve((inngest, name) => [
      inngest.createFunction(
        {
          id: "item",
          triggers: [{ event: name("go") }],
          concurrency: [{ limit: 1 }],
          retries: 3,
          cancelOn: [{ event: name("cancelled"), match: "data.dispatch" }],
        },
        async ({ event, step }) => {
          const { dispatch } = event.data;
          if (dispatch === "sleeps") await step.sleep("wait", "2s");
          await step.run("call", async () => {
            ran.push(`${dispatch} calls`);
            if (dispatch === "waits for a retry") throw new RetryAfterError("Wait.", 2000);
            await hold.opened;
          });
          await step.run("after", () => ran.push(`${dispatch} goes on`));
        },
      ),
    ]);

    const blocker = state === "is queued" ? await send("go", { dispatch: "blocker" }) : undefined;
    if (blocker) await until(() => ran.includes("blocker calls"));
    const id = await send("go", { dispatch: state });
    if (state === "is in a call") await until(() => ran.length === 1);
    if (state === "sleeps" || state === "waits for a retry") await untilWaiting(id);
    await heldByServer();
    const before = [...ran];

    await send("cancelled", { dispatch: state });
    expect(await ended(id)).toMatchObject([{ status: "Cancelled" }]);
    hold.open();
    if (blocker) expect(await ended(blocker)).toMatchObject([{ status: "Completed" }]);
    if (!REAL_SERVER) await harness().engine().idle();
    else await pause(4000);
    expect(ran.filter((line) => line.startsWith(state))).toEqual(before.filter((line) => line.startsWith(state)));
  });

  /** Waits until the step sleeps or waits; a real server does not show that. */
  async function untilWaiting(eventId: string): Promise<void> {
    if (REAL_SERVER) return;
    const steps = () => harness().engine().runsOfEvent(eventId)[0]?.records.all() ?? [];
    await until(() => steps().some((step) => step.status === "Waiting"));
  }
});

describe("after a run's end", () => {
  type End = { of: string; run: string; item: string; message: string };

  /** Functions that follow the ends of `item` and of `other`, and the events they got. */
  function following(end: "cancelled" | "failed", ends: Record<string, End[]>): Build {
    return (inngest, name) => {
      const appId = inngest.id;
      const follow = (id: string, condition: string) =>
        inngest.createFunction(
          { id, triggers: [{ event: `inngest/function.${end}`, if: condition }] },
          async ({ event, step }) => {
            const { function_id, run_id, error, event: first } = event.data;
            await step.run("note", () => {
              ends[id]?.push({ of: function_id, run: run_id, item: first.data.itemId, message: error.message });
            });
          },
        );
      const item = (id: string) =>
        inngest.createFunction(
          {
            id,
            triggers: [{ event: name(id) }],
            retries: 0,
            cancelOn: [{ event: name("cancelled"), match: "data.itemId" }],
          },
          async ({ step }) => {
            if (end === "cancelled") await step.sleep("wait", "1h");
            await step.run("fail", () => {
              throw new NonRetriableError("out of credit");
            });
          },
        );
      return [
        item("item"),
        item("other"),
        follow("of-item", `event.data.function_id == '${appId}-item'`),
        follow("of-other", `event.data.function_id == '${appId}-other'`),
      ];
    };
  }

  const message = { cancelled: "function cancelled", failed: "out of credit" };

  it.each(["an event", "the API"])("starts the functions that follow a run cancelled by %s once", async (by) => {
    const ends: Record<string, End[]> = { "of-item": [], "of-other": [] };
    const { send, ended, api, inngest } = await serve(following("cancelled", ends));
    const id = await send("item", { itemId: "i-7" });
    let runId = "";
    await until(async () => {
      const { data } = (await (await api("GET", `/v1/events/${id}/runs`)).json()) as {
        data: { run_id: string }[] | null;
      };
      runId = data?.[0]?.run_id ?? "";
      return runId !== "";
    });
    await heldByServer();
    if (by === "an event") await send("cancelled", { itemId: "i-7" });
    else expect((await api("DELETE", `/v1/runs/${runId}`)).ok).toBe(true);

    expect(await ended(id)).toMatchObject([{ status: "Cancelled" }]);
    await until(() => ends["of-item"]?.length === 1);
    await settled();
    expect(ends).toEqual({
      "of-item": [{ of: `${inngest.id}-item`, run: runId, item: "i-7", message: message.cancelled }],
      "of-other": [],
    });
  });

  it("starts the functions that follow a failed run once", async () => {
    const ends: Record<string, End[]> = { "of-item": [], "of-other": [] };
    const { run, inngest } = await serve(following("failed", ends));
    const { run_id, status } = await run("other", { itemId: "i-8" });
    expect(status).toBe("Failed");
    await until(() => ends["of-other"]?.length === 1);
    await settled();
    expect(ends).toEqual({
      "of-item": [],
      "of-other": [{ of: `${inngest.id}-other`, run: run_id, item: "i-8", message: message.failed }],
    });
  });

  it("leaves an ended run as it is when it is cancelled", async () => {
    const ends: Record<string, End[]> = { "of-item": [], "of-other": [] };
    const { run, api } = await serve(following("failed", ends));
    const { run_id } = await run("item", { itemId: "i-9" });
    await api("DELETE", `/v1/runs/${run_id}`);
    expect(await shown(run_id)).toMatchObject({ status: "Failed" });
  });

  async function settled(): Promise<void> {
    if (REAL_SERVER) await pause(1000);
    else await harness().engine().idle();
  }
});
