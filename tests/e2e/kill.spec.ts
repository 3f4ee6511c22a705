import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "@/scripts/ports";
import { removePostgres } from "@/scripts/postgres";

type Running = { process: ChildProcess; url: string; account: { username: string; password: string } };
type Job = {
  id: string;
  status: string;
  completedItems: number;
  failedItems: number;
  cancelledItems: number;
  completedAt: string | null;
};

const PIECES = 20;
const OUTLINE = "## First\nWhat it is.\n\n## Second\nHow it works.\n\n## Third\nWhat to do next.";

function start(folder: string, port: number): Promise<Running> {
  const command = [
    "--conditions=react-server",
    "--import",
    "tsx",
    "tests/support/run-stack.ts",
    folder,
    String(port),
    "120",
  ];
  // A process group of its own, so that all of it can be killed at once.
  const child = spawn(process.execPath, command, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let printed = "";
    const read = (chunk: Buffer) => {
      printed += chunk;
      const ready = /^Stack ready (.+)$/m.exec(printed);
      if (ready?.[1]) resolve({ process: child, ...JSON.parse(ready[1]) });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`The stack did not start:\n${printed}`)));
  });
}

function kill(running: Running): Promise<void> {
  return new Promise((resolve) => {
    running.process.removeAllListeners("exit");
    running.process.once("exit", () => resolve());
    process.kill(-(running.process.pid ?? 0), "SIGKILL");
  });
}

async function signedIn({ url, account }: Running) {
  const login = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
}

test("completes a queue of 20 after kill -9, writes each text once and keeps the counts right", async () => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), "kill-"));
  const port = await freePort();
  let running = await start(folder, port);
  try {
    const call = await signedIn(running);
    const project = await call<{ id: number }>("POST", "/api/projects", { title: "Killed in the middle" });
    const topic = await call<{ id: number }>("POST", `/api/projects/${project.id}/topics`, {
      name: "Twenty",
      description: "Twenty pieces.",
    });
    const pieces: string[] = [];
    for (let n = 0; n < PIECES; n++) {
      const url = `/api/projects/${project.id}/topics/${topic.id}/content`;
      const { id } = await call<{ id: string }>("POST", url, { title: `Piece ${n + 1} of twenty` });
      await call("PATCH", `/api/content/${id}`, { outline: OUTLINE });
      pieces.push(id);
    }
    const { jobId } = await call<{ jobId: string }>("POST", `/api/topics/${topic.id}/generate-all-content-queue`);
    const jobOf = async (ask: typeof call) =>
      (await ask<{ jobs: Job[] }>("GET", "/api/queue/status")).jobs.find(({ id }) => id === jobId);
    await expect
      .poll(async () => (await jobOf(call))?.completedItems, { timeout: 30_000, intervals: [50] })
      .toBeGreaterThanOrEqual(3);
    expect((await jobOf(call))?.completedItems).toBeLessThan(PIECES);

    await kill(running);
    running = await start(folder, port);
    const again = await signedIn(running);
    await expect.poll(async () => (await jobOf(again))?.completedAt, { timeout: 90_000 }).toBeTruthy();

    expect(await jobOf(again)).toMatchObject({
      status: "completed",
      completedItems: PIECES,
      failedItems: 0,
      cancelledItems: 0,
    });
    for (const id of pieces) {
      const piece = await again<{ body: string }>("GET", `/api/content/${id}`);
      expect(piece.body.match(/^## .+$/gm)).toEqual(["## First", "## Second", "## Third"]);
      const revisions = await again<{ author: string }[]>("GET", `/api/content/${id}/revisions`);
      expect(revisions.filter(({ author }) => author === "ai")).toHaveLength(1);
    }
  } finally {
    await kill(running);
    // The database outlives its parent by design; as root, its data may be in another folder.
    await removePostgres(path.join(folder, "postgres"));
    rmSync(folder, { recursive: true, force: true });
  }
});
