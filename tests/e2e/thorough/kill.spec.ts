import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "@/scripts/ports";
import { removePostgres } from "@/scripts/postgres";
import type { Account } from "@/scripts/samples/start";
import { newTopicOfPieces, queueJob, signInOverHttp } from "@/tests/support/http-caller";
import { startStackProcess } from "@/tests/support/stack-process";

type Ready = { url: string; account: Account };

const PIECES = 20;
const OUTLINE = "## First\nWhat it is.\n\n## Second\nHow it works.\n\n## Third\nWhat to do next.";

const start = (folder: string, port: number) => startStackProcess<Ready>("run-stack.ts", [folder, String(port), "120"]);

test("completes a queue of 20 after kill -9, writes each text once and keeps the counts right", async () => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), "kill-"));
  const port = await freePort();
  let running = await start(folder, port);
  try {
    const call = await signInOverHttp(running.url, running.account);
    const { topicId, pieces } = await newTopicOfPieces(call, "Killed in the middle", PIECES, { outline: OUTLINE });
    const { jobId } = await call<{ jobId: string }>("POST", `/api/topics/${topicId}/generate-all-content-queue`);
    const jobOf = (ask: typeof call) => queueJob(ask, jobId);
    await expect
      .poll(async () => (await jobOf(call))?.completedItems, { timeout: 30_000, intervals: [50] })
      .toBeGreaterThanOrEqual(3);
    expect((await jobOf(call))?.completedItems).toBeLessThan(PIECES);

    await running.kill();
    running = await start(folder, port);
    const again = await signInOverHttp(running.url, running.account);
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
    await running.kill();
    // The database outlives its parent by design; as root, its data may be in another folder.
    await removePostgres(path.join(folder, "postgres"));
    rmSync(folder, { recursive: true, force: true });
  }
});
