import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { lockFolder } from "@/scripts/folder-lock";
import { acquireLock } from "@/scripts/lock-file";
import { startTimeOf } from "@/scripts/processes";

let folder: string;
let file: string;
let other: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "lock-"));
  file = path.join(folder, "running.json");
  other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
});

afterEach(() => {
  other.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function writeLock(pid: number, startedAt: string | undefined, note: object = {}): void {
  writeFileSync(file, JSON.stringify({ pid, startedAt, ...note }));
}

async function kill(process: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => process.once("exit", resolve));
  process.kill("SIGKILL");
  await ended;
}

describe("acquireLock", () => {
  it("takes a free lock and records its holder", () => {
    expect(acquireLock(file, { url: "http://localhost:1" })).toEqual({ holder: undefined, left: undefined });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      pid: process.pid,
      startedAt: startTimeOf(process.pid),
      url: "http://localhost:1",
    });
    expect(readdirSync(folder)).toEqual(["running.json"]);
  });

  it("does not take the lock of a running process", () => {
    writeLock(other.pid ?? 0, startTimeOf(other.pid ?? 0), { url: "http://localhost:2" });
    expect(acquireLock(file, { url: "" }).holder).toMatchObject({ pid: other.pid, url: "http://localhost:2" });
  });

  it("takes the lock of a killed process and returns its note", async () => {
    const startedAt = startTimeOf(other.pid ?? 0);
    await kill(other);
    writeLock(other.pid ?? 0, startedAt, { url: "http://localhost:3" });
    expect(acquireLock(file, { url: "" })).toMatchObject({ holder: undefined, left: { url: "http://localhost:3" } });
  });

  it("does not mistake another process with the same id for the holder", () => {
    writeLock(other.pid ?? 0, "long ago");
    expect(acquireLock(file, {}).holder).toBeUndefined();
  });

  it("treats a damaged file as a free lock", () => {
    writeFileSync(file, "{");
    expect(acquireLock(file, {}).holder).toBeUndefined();
  });
});

describe("lockFolder", () => {
  const BOOT = "6f1c1a7e-9c41-4b57-8b0e-3a1f0c2d4e5f";

  it("says where the product is already running", async () => {
    writeLock(other.pid ?? 0, startTimeOf(other.pid ?? 0), { url: "http://localhost:3000" });
    await expect(lockFolder(folder, "http://localhost:3001")).rejects.toThrow(
      `Content Planner is already running on http://localhost:3000 (process ${other.pid})`,
    );
  });

  it("kills the app that a killed launcher left behind", async () => {
    const ended = new Promise<string | null>((resolve) => other.once("exit", (_code, signal) => resolve(signal)));
    writeLock(999_999, "long ago", { url: "", app: { pid: other.pid, startedAt: startTimeOf(other.pid ?? 0) } });
    const claim = await lockFolder(folder, "");
    expect(await ended).toBe("SIGKILL");
    claim.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does not touch a process that merely has the same id", async () => {
    writeLock(999_999, "long ago", { url: "", app: { pid: other.pid, startedAt: "long ago" } });
    await lockFolder(folder, "");
    expect(startTimeOf(other.pid ?? 0)).toBeDefined();
  });

  it("remembers the app for the next start", async () => {
    const claim = await lockFolder(folder, "http://localhost:3000");
    claim.remember(other.pid ?? 0, BOOT);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      pid: process.pid,
      app: { pid: other.pid, startedAt: startTimeOf(other.pid ?? 0), bootId: BOOT },
    });
  });

  it("keeps the boot id of an app that has ended until there is another", async () => {
    writeLock(999_999, "long ago", { url: "", app: { pid: 999_998, startedAt: "long ago", bootId: BOOT } });
    const claim = await lockFolder(folder, "");
    expect(claim.orphanBootId).toBe(BOOT);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: process.pid, app: { bootId: BOOT } });
  });

  it("waits for an app to end by itself when it knows that its launcher is gone", async () => {
    const exit = new Promise<string | null>((resolve) => other.once("exit", (_code, signal) => resolve(signal)));
    setTimeout(() => other.kill("SIGTERM"), 700);
    const app = { pid: other.pid, startedAt: startTimeOf(other.pid ?? 0), bootId: BOOT };
    writeLock(999_999, "long ago", { url: "", app });
    const printed: string[] = [];
    await lockFolder(folder, "", (line) => printed.push(line));
    expect(await exit).toBe("SIGTERM");
    expect(printed).toEqual(["  The app of an earlier start is finishing its last requests …"]);
  });
});
