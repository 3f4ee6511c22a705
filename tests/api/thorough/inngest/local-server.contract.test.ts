import { type FailureEventArgs, type GetStepTools, type Inngest, NonRetriableError, RetryAfterError } from "inngest";
import { canonicalJson, signBody } from "@/inngest/local-server/signature";
import { type Build, contractSuite, pause, REAL_SERVER, SIGNED, until } from "@/tests/support/inngest-contract";

// What our functions need of an Inngest server, through the real SDK over HTTP. Runs against the embedded engine,
// or against a real server when INNGEST_CONTRACT_URL says where one is.
const { serve, harness } = contractSuite();

/** A failure that is retried soon: the embedded engine has a short backoff, a real server is asked for one. */
function passing(message: string): Error {
  return REAL_SERVER ? new RetryAfterError(message, 1000) : new Error(message);
}

describe("runs", () => {
  it("delivers an event and runs each step once, whatever follows it", async () => {
    const ran: string[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "steps", triggers: [{ event: name("go") }] }, async ({ event, step }) => {
        const first = await step.run("first", () => ran.push("first") && { n: event.data.n });
        const second = await step.run("second", () => ran.push("second") && first.n + 1);
        return { first, second };
      }),
    ]);

    expect(await run("go", { n: 41 })).toMatchObject({ status: "Completed", output: { first: { n: 41 }, second: 42 } });
    expect(ran).toEqual(["first", "second"]);
  });

  it("runs parallel steps concurrently, each once, and continues when all are done", async () => {
    const ran: string[] = [];
    let open = () => {};
    const allRun = new Promise<void>((resolve) => {
      open = resolve;
    });
    const work = async (id: string) => {
      if (ran.push(id) === 3) open();
      await allRun;
      return id;
    };
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "parallel", triggers: [{ event: name("go") }] }, async ({ step }) => {
        const parts = await Promise.all(["a", "b", "c"].map((id) => step.run(id, () => work(id))));
        return step.run("join", () => parts.join(""));
      }),
    ]);

    expect(await run("go")).toMatchObject({ status: "Completed", output: "abc" });
    expect(ran.toSorted()).toEqual(["a", "b", "c"]);
  });

  it("sleeps at least as long as requested, without repeating earlier steps", async () => {
    const at: number[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "sleeper", triggers: [{ event: name("go") }] }, async ({ step }) => {
        await step.run("before", () => at.push(Date.now()));
        await step.sleep("a-second", "1s");
        await step.run("after", () => at.push(Date.now()));
      }),
    ]);

    expect(await run("go")).toMatchObject({ status: "Completed" });
    expect(at).toHaveLength(2);
    expect(Number(at[1]) - Number(at[0])).toBeGreaterThanOrEqual(990);
  });

  it("fans out with sendEvent, one run per event", async () => {
    const items: number[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "job", triggers: [{ event: name("job") }] }, async ({ event, step }) => {
        const events = Array.from({ length: event.data.items }, (_, i) => ({ name: name("item"), data: { i } }));
        await step.sendEvent("fan-out", events);
        return events.length;
      }),
      inngest.createFunction({ id: "item", triggers: [{ event: name("item") }] }, async ({ event, step }) => {
        await step.run("write", () => items.push(event.data.i));
      }),
    ]);

    expect(await run("job", { items: 12 })).toMatchObject({ output: 12 });
    await until(() => items.length === 12);
    await pause(50);
    expect(items.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  });

  it("lets an app register its functions when it is asked to sync", async () => {
    const { app } = await serve((inngest, name) => [
      inngest.createFunction({ id: "echo", triggers: [{ event: name("go") }] }, async ({ event }) => event.data),
    ]);

    const response = await fetch(app.url, { method: "PUT" });
    expect(await response.json()).toMatchObject({ message: "Successfully registered" });
    expect(await harness().run("go", { n: 1 })).toMatchObject({ status: "Completed", output: { n: 1 } });
  });

  it("starts one run for an event id, however often it is sent", async () => {
    let runs = 0;
    const { send, ended } = await serve((inngest, name) => [
      inngest.createFunction({ id: "once", triggers: [{ event: name("go") }] }, async ({ step }) => {
        await step.run("count", () => ++runs);
      }),
    ]);

    const id = `item-1-dispatch-0-${Date.now()}`;
    const sent = await send("go", {}, { id });
    await send("go", {}, { id });
    await ended(sent);
    await ended(await send("go", {}, { id: `${id}-again` }));
    expect(runs).toBe(2);
  });
});

describe("failures", () => {
  it("retries a step alone and keeps the steps before it", async () => {
    const ran: string[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction(
        { id: "flaky", triggers: [{ event: name("go") }], retries: 3 },
        async ({ step, attempt }) => {
          await step.run("before", () => ran.push("before"));
          return step.run("flaky", () => {
            ran.push(`flaky ${attempt}`);
            if (attempt < 2) throw passing("not yet");
            return "done";
          });
        },
      ),
    ]);

    expect(await run("go")).toMatchObject({ status: "Completed", output: "done" });
    expect(ran).toEqual(["before", "flaky 0", "flaky 1", "flaky 2"]);
  });

  it("makes at most retries + 1 attempts, then fails with the last error", async () => {
    const attempts: string[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction(
        { id: "bounded", triggers: [{ event: name("go") }], retries: 2 },
        async ({ step, attempt, maxAttempts }) => {
          await step.run("never", () => {
            attempts.push(`${attempt} of ${maxAttempts}`);
            throw passing("still broken");
          });
        },
      ),
    ]);

    expect(await run("go")).toMatchObject({ status: "Failed", output: { message: "still broken" } });
    expect(attempts).toEqual(["0 of 3", "1 of 3", "2 of 3"]);
  });

  it("waits as long as a RetryAfterError says", async () => {
    const at: number[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "limited", triggers: [{ event: name("go") }], retries: 1 }, async ({ step }) => {
        await step.run("ask", () => {
          if (at.push(Date.now()) === 1) throw new RetryAfterError("429", 2000);
        });
      }),
    ]);

    expect(await run("go")).toMatchObject({ status: "Completed" });
    // Real servers round to the second; without the error they would wait for fifteen.
    expect(Number(at[1]) - Number(at[0])).toBeGreaterThanOrEqual(REAL_SERVER ? 990 : 1990);
    expect(Number(at[1]) - Number(at[0])).toBeLessThan(10_000);
  });

  it.each([
    ["in a step", true],
    ["outside of steps", false],
  ])("does not retry after a NonRetriableError %s", async (_, inStep) => {
    let attempts = 0;
    const refuse = () => {
      attempts++;
      throw new NonRetriableError("the key was refused");
    };
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "final", triggers: [{ event: name("go") }], retries: 5 }, async ({ step }) => {
        if (inStep) await step.run("refused", refuse);
        else refuse();
      }),
    ]);

    expect(await run("go")).toMatchObject({ status: "Failed", output: { message: "the key was refused" } });
    expect(attempts).toBe(1);
  });

  it("lets a function catch the error of a step that has failed for good", async () => {
    const { run } = await serve((inngest, name) => [
      inngest.createFunction({ id: "catcher", triggers: [{ event: name("go") }] }, async ({ step }) => {
        const first = await step
          .run("broken", () => {
            throw new NonRetriableError("boom");
          })
          .catch((error: Error) => `caught ${error.message}`);
        return step.run("after", () => first);
      }),
    ]);

    expect(await run("go")).toMatchObject({ status: "Completed", output: "caught boom" });
  });

  it("calls onFailure once, with the error and the event that failed", async () => {
    const failures: unknown[] = [];
    const { run } = await serve((inngest, name) => [
      inngest.createFunction(
        { id: "other", triggers: [{ event: name("other") }], onFailure: async () => void failures.push("not mine") },
        async () => {},
      ),
      inngest.createFunction(
        {
          id: "failing",
          triggers: [{ event: name("go") }],
          retries: 0,
          onFailure: async ({ error, event, step }: FailureEventArgs & { step: GetStepTools<Inngest> }) => {
            await step.run("mark", () => failures.push([error.message, event.data.event.data, event.data.run_id]));
          },
        },
        async ({ step }) => {
          await step.run("broken", () => {
            throw new Error("out of credit");
          });
        },
      ),
    ]);

    const failed = await run("go", { itemId: "i-7" });
    await until(() => failures.length > 0);
    await pause(50);
    expect(failures).toEqual([["out of credit", { itemId: "i-7" }, failed.run_id]]);
  });
});

describe("concurrency", () => {
  it("enforces the limit of each key, and keys do not block one another", async () => {
    const now: Record<string, number> = { a: 0, b: 0 };
    const most: Record<string, number> = { a: 0, b: 0, both: 0 };
    let done = 0;
    const { inngest, name } = await serve((client, event) => [
      client.createFunction(
        { id: "limited", triggers: [{ event: event("go") }], concurrency: [{ limit: 2, key: "event.data.userId" }] },
        async ({ event: { data }, step }) => {
          await step.run("work", async () => {
            const user: string = data.userId;
            now[user] = (now[user] ?? 0) + 1;
            most[user] = Math.max(most[user] ?? 0, now[user]);
            most.both = Math.max(most.both ?? 0, (now.a ?? 0) + (now.b ?? 0));
            await pause(30);
            now[user]--;
            done++;
          });
        },
      ),
    ]);

    await inngest.send(
      ["a", "b"].flatMap((userId) => Array.from({ length: 8 }, () => ({ name: name("go"), data: { userId } }))),
    );
    await until(() => done === 16);
    expect(most).toMatchObject({ a: 2, b: 2 });
    // More than one key may have; on a busy machine not all four come to run in the same moment.
    expect(most.both).toBeGreaterThan(2);
  });
});

// A dev server without keys neither signs nor checks.
if (SIGNED) {
  describe("signatures", () => {
    let ran = 0;
    const build: Build = (inngest, name) => [
      inngest.createFunction({ id: "guarded", triggers: [{ event: name("go") }] }, async () => ++ran),
    ];

    function call(signature?: string): Promise<Response> {
      const functionId = `${harness().inngest.id}-guarded`;
      return fetch(`${harness().app.url}?fnId=${functionId}&stepId=step`, {
        method: "POST",
        body: callBody(),
        headers: signature === undefined ? {} : { "x-inngest-signature": signature },
      });
    }

    function callBody(): string {
      const event = { name: harness().name("go"), data: {} };
      return canonicalJson({ event, events: [event], steps: {}, ctx: { run_id: "run", attempt: 0 } });
    }

    beforeEach(() => {
      ran = 0;
    });

    it("accepts the server's own call and a call signed now with the same key", async () => {
      const { run, signingKey: key } = await serve(build);
      expect(await run("go")).toMatchObject({ status: "Completed", output: 1 });
      expect((await call(signBody(callBody(), String(key), Date.now()))).status).toBe(200);
      expect(ran).toBe(2);
    });

    it("refuses a call that is unsigned, or signed for another body, with another key or over 5 minutes ago", async () => {
      const { signingKey: key } = await serve(build);
      const now = Date.now();
      const signatures = [
        undefined,
        signBody(`${callBody()} `, String(key), now),
        signBody(callBody(), `signkey-test-${"00".repeat(32)}`, now),
        signBody(callBody(), String(key), now - 5 * 60_000 - 2000),
      ];
      const answers = await Promise.all(signatures.map((signature) => call(signature)));
      expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401]);
      expect(ran).toBe(0);
    });
  });
}
