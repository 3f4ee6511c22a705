import type { Exit } from "@/scripts/child";
import { type Running, type Service, type Supervised, supervise } from "@/scripts/supervise";

type Fake = Running & { end(how?: Partial<Exit>): void; startedAt: number };

let now: number;
let ending: boolean;
let printed: string[];
let pauses: number[];
let started: Fake[];
let cleared: [Fake, boolean][];
/** The errors of the next starts; they succeed when it is empty. */
let failures: string[];

beforeEach(() => {
  [now, ending, printed, pauses, started, cleared, failures] = [0, false, [], [], [], [], []];
});

function fake(): Fake {
  let end: Fake["end"] = () => {};
  const ended = new Promise<Exit>((resolve) => {
    end = (how) => resolve({ code: 1, lastLines: "boom", ...how });
  });
  return { ended, end, startedAt: now, stop: async () => end({ code: 0 }) };
}

const part: Service<Fake> = {
  name: "The app",
  async start() {
    now += 2_000;
    const failure = failures.shift();
    if (failure) throw new Error(failure);
    started.push(fake());
    return started.at(-1) as Fake;
  },
  async clear(gone, _how, asked) {
    cleared.push([gone, asked]);
  },
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

function watch(): { supervised: Supervised; reason: () => string | undefined } {
  started.push(fake());
  const supervised = supervise(part, started[0] as Fake, {
    clock: {
      now: () => now,
      pause: async (milliseconds) => {
        pauses.push(milliseconds);
        now += milliseconds;
      },
    },
    print: (line) => printed.push(line),
    isEnding: () => ending,
  });
  let reason: string | undefined;
  supervised.gaveUp.then(({ message }) => {
    reason = message;
  });
  return { supervised, reason: () => reason };
}

/** The service runs for this long, then exits by itself. */
async function endAfter(milliseconds: number, how?: Partial<Exit>): Promise<void> {
  now += milliseconds;
  started.at(-1)?.end(how);
  await settled();
}

it("restarts a crashed service at once, after cleaning up", async () => {
  watch();
  await endAfter(500, { code: 137 });
  expect(started).toHaveLength(2);
  expect(cleared).toEqual([[started[0], false]]);
  expect(printed).toEqual(["The app exited (code 137) and is being restarted.", "✓ The app is running again (2.0 s)"]);
});

it("waits longer before each restart after an early crash", async () => {
  watch();
  for (let end = 0; end < 4; end++) await endAfter(100);
  expect(pauses).toEqual([0, 1_000, 2_000, 4_000]);
  expect(started).toHaveLength(5);
});

it("gives up with the last lines at the fifth crash within a minute, however long each start takes", async () => {
  const { reason } = watch();
  for (let end = 0; end < 5; end++) await endAfter(14_000, { lastLines: `end ${end + 1}` });
  expect(reason()).toBe("end 5\n\nThe app crashed five times within a minute; see the lines above.");
  expect(started).toHaveLength(5);
});

it("keeps restarting a service that runs for a while each time", async () => {
  const { reason } = watch();
  for (let end = 0; end < 20; end++) await endAfter(16_000);
  expect(reason()).toBeUndefined();
  expect(started).toHaveLength(21);
  expect(Math.max(...pauses)).toBe(4_000);
});

it("counts a failed start as a crash", async () => {
  const { reason } = watch();
  failures = ["no port", "no port", "no port", "no port"];
  await endAfter(100);
  expect(reason()).toBe("no port\n\nThe app crashed five times within a minute; see the lines above.");
});

it("restarts nothing during the shutdown, but still cleans up", async () => {
  const { supervised } = watch();
  ending = true;
  await supervised.stop();
  expect(started).toHaveLength(1);
  expect(cleared).toEqual([[started[0], true]]);
  expect(printed).toEqual([]);
});

it("stops a service that is still starting", async () => {
  const { supervised } = watch();
  started[0]?.end();
  await supervised.stop();
  for (const each of started) expect((await each.ended).code).toBeDefined();
});

it("restarts on request without counting it as a crash", async () => {
  const { supervised, reason } = watch();
  for (let time = 0; time < 6; time++) await supervised.restart();
  expect(started).toHaveLength(7);
  expect(cleared.every(([, asked]) => asked)).toBe(true);
  expect(pauses).toEqual([]);
  expect(reason()).toBeUndefined();
});

it("does not wait for a restart that keeps failing", async () => {
  const { supervised } = watch();
  failures = Array.from({ length: 9 }, () => "no port");
  await supervised.restart();
  expect(started).toHaveLength(1);
});
