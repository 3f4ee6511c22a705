import type { engineLog as EngineLog } from "@/lib/events/engine-log";

let engineLog: typeof EngineLog;
beforeAll(async () => {
  process.env.LOG_LEVEL = "info";
  ({ engineLog } = await import("@/lib/events/engine-log"));
});

/** The lines that a call writes. */
function logged(call: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const write = jest.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  call();
  write.mockRestore();
  return lines.map((line) => JSON.parse(line));
}

it("says why the SDK failed, with the cause", () => {
  const err = new Error("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:8288") });
  const [line] = logged(() => engineLog.error({ err }, "Failed to register"));
  expect(line).toMatchObject({
    level: 50,
    msg: "inngest: Failed to register",
    err: { message: "fetch failed", cause: { message: "connect ECONNREFUSED 127.0.0.1:8288" } },
  });
});

it("keeps a message alone, an error alone, and several values", () => {
  const alone = new Error("alone");
  const lines = logged(() => {
    engineLog.warn("Missing body");
    engineLog.error(alone);
    engineLog.warn("Skipped", 3);
  });
  expect(lines).toMatchObject([
    { level: 40, msg: "inngest: Missing body" },
    { level: 50, msg: "inngest:", err: { message: "alone" } },
    { level: 40, msg: "inngest: Skipped 3" },
  ]);
});

it("keeps the SDK's news out of the log", () => {
  expect(logged(() => engineLog.info("registered"))).toEqual([]);
});
