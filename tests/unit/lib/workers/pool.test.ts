import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import { createPool, type PoolLimits, type WorkerTaskError } from "@/lib/workers/pool";

/** A real thread that follows the order in the job's text, over the pool's own messages. */
const OBEDIENT = `
  const { parentPort, threadId } = require("node:worker_threads");
  const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const orders = {
    echo: (value) => value,
    wait: (ms) => { wait(Number(ms)); return ms; },
    loop: () => { for (;;); },
    eat: () => { const eaten = []; for (;;) eaten.push({ a: [1, 2, 3] }); },
    thread: () => String(threadId),
    exit: () => process.exit(7),
  };
  parentPort.on("message", ({ text }) => {
    const [order, value] = text.split(" ");
    if (order === "nonsense") return parentPort.postMessage({ kind: "what" });
    if (order === "fail") return parentPort.postMessage({ kind: "failed", message: "No such luck." });
    parentPort.postMessage({ kind: "done", text: orders[order](value) });
  });
  parentPort.postMessage({ kind: "ready" });`;

const LIMITS: PoolLimits = {
  threads: 2,
  threadsPerOwner: 1,
  waiting: 6,
  waitingPerOwner: 4,
  waitMs: 5_000,
  workMs: 400,
  startMs: 5_000,
  idleMs: 200,
  idleAfterLong: { length: 1_000, ms: 200 },
};

function testPool(limits: Partial<PoolLimits> = {}, code = OBEDIENT) {
  const started: Worker[] = [];
  const pool = createPool(
    () => {
      const worker = new Worker(code, {
        eval: true,
        resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
      });
      started.push(worker);
      return worker;
    },
    { ...LIMITS, ...limits },
  );
  const ask = (owner: string, order: string) => pool.run(owner, "renderPost", order);
  return {
    ask,
    started,
    reasonOf: (asked: Promise<string>) => asked.then(String, ({ reason }: WorkerTaskError) => reason),
  };
}

describe("the pool of threads", () => {
  it("starts no thread before there is work, reuses it, and ends it when it is idle", async () => {
    const { ask, started } = testPool();
    expect(started).toHaveLength(0);
    expect(await ask("ann", "echo a")).toBe("a");
    expect(await ask("ann", "thread")).toBe(await ask("ann", "thread"));
    expect(started).toHaveLength(1);
    await new Promise((resolve) => started[0]?.once("exit", resolve));
    expect(await ask("ann", "echo b")).toBe("b");
    expect(started).toHaveLength(2);
  });

  it("ends an idle thread sooner when it has had a long text", async () => {
    const { ask, started } = testPool({ idleMs: 30_000, idleAfterLong: { length: 100, ms: 100 } });
    const endOf = (worker: Worker | undefined) => new Promise((resolve) => worker?.once("exit", resolve));
    await ask("ann", `echo ${"x".repeat(95)}`);
    const ended = endOf(started[0]);
    const early = new Promise((resolve) => setTimeout(resolve, 400, "early"));
    expect(await Promise.race([ended, early])).toBe("early");
    await ask("ann", `echo ${"x".repeat(96)}`);
    await ask("ann", "echo short");
    await ended;
    expect(started).toHaveLength(1);
  });

  it("ends a job that exceeds its time with its thread, and runs the next one in a new thread", async () => {
    const { ask, reasonOf, started } = testPool();
    const began = performance.now();
    const refused = reasonOf(ask("ann", "loop"));
    const next = ask("ann", "echo a");
    expect(await refused).toBe("tooSlow");
    expect(await next).toBe("a");
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(started).toHaveLength(2);
  });

  it("ends a job that exceeds its memory, and the process survives", async () => {
    const { ask, reasonOf } = testPool({ workMs: 10_000 });
    expect(await reasonOf(ask("ann", "eat"))).toBe("tooMuchMemory");
    expect(await ask("ann", "echo a")).toBe("a");
  });

  it.each(["exit", "nonsense", "fail"])(
    "fails a job whose thread answers with %s, and keeps working",
    async (order) => {
      const { ask, reasonOf } = testPool();
      expect(await reasonOf(ask("ann", order))).toBe("failed");
      expect(await ask("ann", "echo a")).toBe("a");
    },
  );

  it("fails every job when its thread does not start", async () => {
    const { ask, reasonOf } = testPool({}, "throw new Error('broken')");
    expect(await Promise.all(["a", "b", "c"].map((owner) => reasonOf(ask(owner, "echo"))))).toEqual([
      "failed",
      "failed",
      "failed",
    ]);
  });

  it("keeps a thread for others, so that one user's slow texts do not delay another user's", async () => {
    const { ask, reasonOf, started } = testPool({ workMs: 1_000 });
    await ask("bob", "echo warm");
    const ends: string[] = [];
    const slow = [1, 2].map(() => reasonOf(ask("ann", "wait 60000")).then((reason) => ends.push(reason)));
    ends.push(await ask("bob", "echo small"));
    await Promise.all(slow);
    expect(ends).toEqual(["small", "tooSlow", "tooSlow"]);
    expect(started.length).toBeGreaterThan(1);
  });

  it("serves users in turn when there is only one thread", async () => {
    const { ask } = testPool({ threads: 1 });
    const order: string[] = [];
    const note = (owner: string, count: number) =>
      Array.from({ length: count }, () => ask(owner, "wait 20").then(() => order.push(owner)));
    await Promise.all([...note("ann", 4), ...note("bob", 1), ...note("cyd", 1)]);
    expect(order).toEqual(["ann", "ann", "bob", "cyd", "ann", "ann"]);
  });

  it("refuses jobs that do not fit into the queue, for one user sooner than for all", async () => {
    const { ask, reasonOf } = testPool({ threads: 1 });
    const anns = Array.from({ length: 6 }, () => reasonOf(ask("ann", "wait 30")));
    const others = ["bob", "cyd", "dee"].map((owner) => reasonOf(ask(owner, "echo a")));
    // One is running, four are waiting, and the queue holds six.
    expect(await Promise.all(anns)).toEqual(["30", "30", "30", "30", "30", "busy"]);
    expect(await Promise.all(others)).toEqual(["a", "a", "busy"]);
  });

  it("refuses a job that waited too long, and does not count waiting as its own time", async () => {
    const { ask, reasonOf } = testPool({ threads: 1, waitMs: 150, workMs: 300 });
    await ask("ann", "echo warm");
    const first = reasonOf(ask("ann", "wait 220"));
    const second = reasonOf(ask("ann", "echo a"));
    await new Promise((resolve) => setTimeout(resolve, 120));
    const third = reasonOf(ask("ann", "wait 250"));
    expect(await Promise.all([first, second, third])).toEqual(["220", "busy", "250"]);
  });

  it("does not keep the process alive", () => {
    const script = `
      import { Worker } from "node:worker_threads";
      import { createPool } from "./lib/workers/pool";
      const pool = createPool(() => new Worker(${JSON.stringify(OBEDIENT)}, { eval: true, execArgv: [] }), ${JSON.stringify({ ...LIMITS, idleMs: 60_000 })});
      const alive = setTimeout(() => {}, 10_000);
      pool.run("ann", "renderPost", "echo a").then((text) => { console.log(text); clearTimeout(alive); });`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--conditions=react-server", "--import", "tsx", "--input-type=module", "--eval", script],
      { encoding: "utf8", timeout: 15_000 },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "a\n", stderr: "" });
  });
});
