import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { takeLock } from "@/scripts/lock-file";
import { startOf } from "@/scripts/processes";
import { claimFolder } from "@/scripts/running";

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

function heldBy(pid: number, startedAt: string | undefined, note: object = {}): void {
  writeFileSync(file, JSON.stringify({ pid, startedAt, ...note }));
}

async function gone(process: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => process.once("exit", resolve));
  process.kill("SIGKILL");
  await ended;
}

describe("takeLock", () => {
  it("takes a lock that nobody holds and writes down who did", () => {
    expect(takeLock(file, { url: "http://localhost:1" })).toEqual({ holder: undefined, left: undefined });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      pid: process.pid,
      startedAt: startOf(process.pid),
      url: "http://localhost:1",
    });
    expect(readdirSync(folder)).toEqual(["running.json"]);
  });

  it("leaves a living holder its lock", () => {
    heldBy(other.pid ?? 0, startOf(other.pid ?? 0), { url: "http://localhost:2" });
    expect(takeLock(file, { url: "" }).holder).toMatchObject({ pid: other.pid, url: "http://localhost:2" });
  });

  it("takes the lock of a process that was killed, and hands over its note", async () => {
    const startedAt = startOf(other.pid ?? 0);
    await gone(other);
    heldBy(other.pid ?? 0, startedAt, { url: "http://localhost:3" });
    expect(takeLock(file, { url: "" })).toMatchObject({ holder: undefined, left: { url: "http://localhost:3" } });
  });

  it("does not take another process with the same number for the holder", () => {
    heldBy(other.pid ?? 0, "long ago");
    expect(takeLock(file, {}).holder).toBeUndefined();
  });

  it("takes a damaged file for one that nobody holds", () => {
    writeFileSync(file, "{");
    expect(takeLock(file, {}).holder).toBeUndefined();
  });
});

describe("claimFolder", () => {
  const BOOT = "6f1c1a7e-9c41-4b57-8b0e-3a1f0c2d4e5f";

  it("says in one sentence where the product is already running", async () => {
    heldBy(other.pid ?? 0, startOf(other.pid ?? 0), { url: "http://localhost:3000" });
    await expect(claimFolder(folder, "http://localhost:3001")).rejects.toThrow(
      `Content Planner is already running on http://localhost:3000 (process ${other.pid})`,
    );
  });

  it("ends the app that a killed start left behind", async () => {
    const ended = new Promise<string | null>((resolve) => other.once("exit", (_code, signal) => resolve(signal)));
    heldBy(999_999, "long ago", { url: "", app: { pid: other.pid, startedAt: startOf(other.pid ?? 0) } });
    const claim = await claimFolder(folder, "");
    expect(await ended).toBe("SIGKILL");
    claim.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does not touch a process that merely got the same number", async () => {
    heldBy(999_999, "long ago", { url: "", app: { pid: other.pid, startedAt: "long ago" } });
    await claimFolder(folder, "");
    expect(startOf(other.pid ?? 0)).toBeDefined();
  });

  it("remembers the app for the next start", async () => {
    const claim = await claimFolder(folder, "http://localhost:3000");
    claim.remember(other.pid ?? 0, BOOT);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      pid: process.pid,
      app: { pid: other.pid, startedAt: startOf(other.pid ?? 0), bootId: BOOT },
    });
  });

  it("hands on what an app held that has ended, until there is another", async () => {
    heldBy(999_999, "long ago", { url: "", app: { pid: 999_998, startedAt: "long ago", bootId: BOOT } });
    const claim = await claimFolder(folder, "");
    expect(claim.lostBootId).toBe(BOOT);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: process.pid, app: { bootId: BOOT } });
  });

  it("lets an app that knows its launcher is gone end by itself", async () => {
    const exit = new Promise<string | null>((resolve) => other.once("exit", (_code, signal) => resolve(signal)));
    setTimeout(() => other.kill("SIGTERM"), 700);
    const app = { pid: other.pid, startedAt: startOf(other.pid ?? 0), bootId: BOOT };
    heldBy(999_999, "long ago", { url: "", app });
    const said: string[] = [];
    await claimFolder(folder, "", (line) => said.push(line));
    expect(await exit).toBe("SIGTERM");
    expect(said).toEqual(["  The app of an earlier start is answering its last requests …"]);
  });
});
