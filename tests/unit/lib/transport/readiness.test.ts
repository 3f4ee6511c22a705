import { createReadiness } from "@/lib/transport/readiness";

const DOWN = { ok: false, database: "down", migrations: "unknown", engine: "unknown" };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function setUp(migrations: () => Promise<"current">) {
  const asked = jest.fn(migrations);
  return { asked, readiness: createReadiness({ migrations: asked, engine: async () => "up", now: Date.now }) };
}

describe("readiness", () => {
  it("asks once for all who ask within a second, and again after it", async () => {
    const { asked, readiness } = setUp(async () => "current");
    const answers = await Promise.all([readiness(), readiness(), readiness()]);
    await readiness();
    expect([new Set(answers).size, asked.mock.calls.length]).toEqual([1, 1]);
    jest.advanceTimersByTime(999);
    await readiness();
    expect(asked).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    expect(await readiness()).toEqual({ ok: true, database: "up", migrations: "current", engine: "up" });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("calls a database that hangs down after two seconds, and does not ask it again until it has answered", async () => {
    let answer = (_: "current") => {};
    const { asked, readiness } = setUp(() => new Promise((resolve) => (answer = resolve)));
    for (let round = 0; round < 5; round++) {
      const given = readiness();
      await jest.advanceTimersByTimeAsync(1_999);
      expect(await Promise.race([given, Promise.resolve("open")])).toBe("open");
      await jest.advanceTimersByTimeAsync(1);
      expect(await given).toEqual(DOWN);
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(asked).toHaveBeenCalledTimes(1);
    answer("current");
    await jest.advanceTimersByTimeAsync(0);
    const again = readiness();
    answer("current");
    expect(await again).toMatchObject({ ok: true });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("is up without an answer about the engine", async () => {
    const readiness = createReadiness({
      migrations: async () => "current",
      engine: () => Promise.reject(new Error("no such table")),
      now: Date.now,
    });
    expect(await readiness()).toEqual({ ok: true, database: "up", migrations: "current", engine: "unknown" });
  });
});
