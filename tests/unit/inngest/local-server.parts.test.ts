import { createHash } from "node:crypto";
import fc from "fast-check";
import { parseCron } from "@/inngest/local-server/cron";
import { delayUntil, retryAfterMs } from "@/inngest/local-server/durations";
import { parseFunctionId, parseMatch, parsePath, valueAt } from "@/inngest/local-server/expressions";
import { createKeyedQueue } from "@/inngest/local-server/queue";
import { bearsSigningKey, canonicalJson } from "@/inngest/local-server/signature";

describe("schedules", () => {
  const at = (text: string) => Date.parse(`${text}Z`);

  it.each([
    ["*/5 * * * *", "2030-01-01T12:10", "2030-01-01T12:11"],
    ["0 3 * * *", "2030-01-01T03:00", "2030-01-01T04:00"],
    ["15,45 9-17 * * *", "2030-01-01T17:45", "2030-01-01T18:45"],
    ["0 0 1 */3 *", "2030-04-01T00:00", "2030-05-01T00:00"],
    ["0 0 * * 1-5", "2030-01-04T00:00", "2030-01-05T00:00"],
    ["0 0 * * 7", "2030-01-06T00:00", "2030-01-07T00:00"],
    // Either day is enough when both are restricted.
    ["0 0 13 * 5", "2030-01-13T00:00", "2030-01-14T00:00"],
    ["0 0 13 * 5", "2030-01-04T00:00", "2030-01-05T00:00"],
  ])("%s matches %s and not %s", (text, on, off) => {
    const matches = parseCron(text);
    expect([matches(at(on)), matches(at(off))]).toEqual([true, false]);
  });

  it.each([
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "*/0 * * * *",
    "5-1 * * * *",
    "@hourly",
    "0 0 * * MON",
    "1-9/2 * * * *",
    "0 0 L * *",
  ])("refuses %s", (text) => {
    expect(() => parseCron(text)).toThrow(/five fields|is not a/);
  });
});

describe("durations", () => {
  it.each([
    ["1s", 1000],
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["1w2d", 777_600_000],
    ["1970-01-01T00:00:10.000Z", 9000],
    ["1970-01-01T00:00:00.000Z", 0],
  ])("reads %s as %i ms from now", (text, ms) => {
    expect(delayUntil(text, 1000)).toBe(ms);
  });

  it("refuses what is neither a duration nor a date", () => {
    expect(() => delayUntil("1 fortnight", 0)).toThrow('"1 fortnight" is neither a duration nor a date.');
  });

  it.each([
    ["30", 30_000],
    ["1970-01-01T00:00:10.000Z", 9000],
    ["soon", undefined],
    [undefined, undefined],
  ])("reads Retry-After: %s as %s ms", (header, ms) => {
    expect(retryAfterMs(header, 1000)).toBe(ms);
  });
});

describe("expressions", () => {
  const event = { name: "go", data: { userId: 7, name: "7", nested: { id: "x" }, none: null } };

  it.each([
    ["event.data.userId", "7"],
    ["event.data.name", '"7"'],
    ["event.data.nested.id", '"x"'],
    ["event.name", '"go"'],
    ["event.data.nested", undefined],
    ["event.data.none", undefined],
    ["event.data.absent.id", undefined],
    ["event.data.constructor", undefined],
  ])("evaluates %s to %s", (text, value) => {
    expect(valueAt(parsePath(text), event)).toBe(value);
  });

  it.each(["event", "data.userId", "event.data[0]", "event.data.a + 1", '"a"', "", "event.data.a == 'b'"])(
    "refuses %s",
    (text) => {
      expect(() => parsePath(text)).toThrow("the expression");
    },
  );

  it("accepts match and failure conditions only in the SDK's own form", () => {
    expect(parseMatch("event.data.jobId == async.data.jobId")).toEqual(["data", "jobId"]);
    expect(parseMatch("async.data.jobId == event.data.jobId")).toEqual(["data", "jobId"]);
    expect(() => parseMatch("event.data.jobId == event.data.jobId")).toThrow("the expression");
    expect(parseFunctionId("event.data.function_id == 'app-fn'")).toBe("app-fn");
    expect(parseFunctionId('event.data.function_id == "app-fn"')).toBe("app-fn");
    expect(() => parseMatch("event.data.jobId == async.data.id")).toThrow("the expression");
    expect(() => parseFunctionId("event.data.function_id == 'a' || true")).toThrow("the expression");
  });
});

describe("canonical JSON", () => {
  it("sorts keys and is equivalent to JSON", () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: "é\n" }], u: undefined })).toBe(
      '{"a":[{"c":"é\\n","d":null}],"b":1}',
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

describe("the signing key", () => {
  it("is accepted, and any other authorization is refused", () => {
    const key = `signkey-test-${"ab".repeat(32)}`;
    const hashed = "signkey-test-a7e1c9a30c9d1d0c6d1d6cd4fb3bb8a4f1a1a5a5c1c5b9f5d6b1f1f0e0b1c2d3";
    expect(bearsSigningKey(`Bearer ${key}`, key)).toBe(true);
    for (const header of [undefined, "", key, `Basic ${key}`, `Bearer ${key}0`, `Bearer ${hashed}`]) {
      expect(bearsSigningKey(header, key)).toBe(false);
    }
  });

  it("is accepted hashed, as the SDK sends it", () => {
    const key = "signkey-test-00ff";
    const hash = createHash("sha256").update(Buffer.from("00ff", "hex")).digest("hex");
    expect(bearsSigningKey(`Bearer signkey-test-${hash}`, key)).toBe(true);
    expect(bearsSigningKey(`Bearer ${hash}`, key)).toBe(false);
  });
});

describe("the keyed queue", () => {
  type Item = { user: string; at: number };

  it("runs every item once, within all limits and in each user's order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (users, perUser, inAll) => {
          const ran: Item[] = [];
          const now = new Map<string, number>();
          const count = (key: string, by: number) => now.set(key, (now.get(key) ?? 0) + by).get(key) ?? 0;
          const queue = createKeyedQueue<Item>({
            maxParallel: 100,
            isDropped: () => false,
            run: async (item) => {
              ran.push(item);
              expect(count(item.user, 1)).toBeLessThanOrEqual(perUser);
              expect(count("all", 1)).toBeLessThanOrEqual(inAll);
              await new Promise((resolve) => setImmediate(resolve));
              count(item.user, -1);
              count("all", -1);
            },
          });
          const perUserRule = { limit: perUser };
          const inAllRule = { limit: inAll };
          for (const [at, user] of users.entries()) {
            const slots = [
              { key: user, rule: perUserRule },
              { key: "all", rule: inAllRule },
            ];
            queue.add({ user, at }, { key: user, slots }, "starting");
          }
          while (queue.counts().running > 0) await new Promise((resolve) => setImmediate(resolve));
          expect(queue.counts()).toEqual({ waiting: 0, running: 0 });
          expect(ran).toHaveLength(users.length);
          for (const user of ["a", "b", "c"]) {
            const order = ran.filter((item) => item.user === user).map((item) => item.at);
            expect(order).toEqual(order.toSorted((x, y) => x - y));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("continues runs before it starts others, skips dropped items, and starts none while paused", async () => {
    const ran: string[] = [];
    const queue = createKeyedQueue<string>({
      maxParallel: 1,
      isDropped: (item) => item.startsWith("dropped"),
      run: async (item) => {
        ran.push(item);
      },
    });
    const lane = { key: "lane", slots: [] };
    queue.pause();
    queue.add("new", lane, "starting");
    queue.add("dropped new", lane, "starting");
    queue.add("dropped step", lane, "continuing");
    queue.add("next step", lane, "continuing");
    expect(ran).toEqual([]);
    queue.resume();
    while (queue.counts().waiting > 0 || queue.counts().running > 0)
      await new Promise((resolve) => setImmediate(resolve));
    expect(ran).toEqual(["next step", "new"]);
  });
});
