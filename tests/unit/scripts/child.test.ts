import { runChild, startChild, stopChildren } from "@/scripts/child";
import { pause, startTimeOf } from "@/scripts/processes";
import { createShutdown } from "@/scripts/shutdown";

const node = (code: string) => [process.execPath, "-e", code];
const env = { ...process.env };

/** Starts a program and waits for its first line. */
function started(code: string): Promise<{ child: ReturnType<typeof startChild>; line: string }> {
  return new Promise((resolve) => {
    const child = startChild(node(code), { env, onLine: (line) => resolve({ child, line }) });
  });
}

describe("runChild", () => {
  it("returns the exit code and the last lines of both outputs", async () => {
    const code = "for (let i = 1; i <= 9; i++) console.log(i); console.error('oops'); process.exitCode = 3";
    const result = await runChild(node(code), { env, keepLines: 3 });
    expect(result.code).toBe(3);
    expect(result.lastLines.split("\n")).toHaveLength(3);
    expect(result.lastLines).toContain("9");
  });

  it("reports a program that does not exist", async () => {
    expect(await runChild(["/no/such/program"], { env })).toMatchObject({ code: 127 });
  });
});

describe("stopping a child", () => {
  it("ends the child's own children too", async () => {
    const forks = `
      const { spawn } = require("node:child_process");
      const inner = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      console.log(inner.pid); setInterval(() => {}, 1000);`;
    const { child, line } = await started(forks);
    expect(startTimeOf(Number(line))).toBeDefined();
    await child.stop();
    for (let i = 0; i < 100 && startTimeOf(Number(line)); i++) await pause(20);
    expect(startTimeOf(Number(line))).toBeUndefined();
  });

  it("kills a child that ignores SIGTERM", async () => {
    const { child } = await started("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)");
    await child.stop(100);
    expect(startTimeOf(child.pid)).toBeUndefined();
  });

  it("ends all children that still run", async () => {
    const { child } = await started("console.log('up'); setInterval(() => {}, 1000)");
    await stopChildren();
    expect(startTimeOf(child.pid)).toBeUndefined();
  });
});

describe("createShutdown", () => {
  it("ends the newest part first, and each part once", async () => {
    const ends: string[] = [];
    const shutdown = createShutdown();
    await shutdown.add(() => void ends.push("database"));
    await shutdown.add(() => void ends.push("engine"));
    await Promise.all([shutdown.run(), shutdown.run()]);
    expect(ends).toEqual(["engine", "database"]);
  });

  it("ends a part at once that is added after the shutdown, and fails the start", async () => {
    const ends: string[] = [];
    const shutdown = createShutdown();
    await shutdown.run();
    await expect(shutdown.add(() => void ends.push("late"))).rejects.toThrow("Stopped while starting");
    expect(ends).toEqual(["late"]);
  });

  it("ends the rest when one part fails to end", async () => {
    const ends: string[] = [];
    const shutdown = createShutdown();
    await shutdown.add(() => void ends.push("database"));
    await shutdown.add(() => Promise.reject(new Error("stuck")));
    const errors = jest.spyOn(console, "error").mockImplementation(() => undefined);
    await shutdown.run();
    expect(ends).toEqual(["database"]);
    expect(errors.mock.calls).toEqual([["A cleanup failed: stuck"]]);
  });
});
