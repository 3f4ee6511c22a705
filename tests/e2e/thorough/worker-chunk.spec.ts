import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "@playwright/test";

const SERVER = path.resolve(".next/server");
const ENTRY = /\[worker thread\]-lib_workers_worker.*\.js$/;

/** Copies the chunks that a host which deploys by file trace, such as Vercel, would have. */
function copyTraced(route: string, folder: string): string[] {
  const trace = path.join(SERVER, "app/api", route, "route.js.nft.json");
  const { files } = JSON.parse(readFileSync(trace, "utf8")) as { files: string[] };
  const chunks = files.map((file) => path.resolve(path.dirname(trace), file)).filter((file) => file.startsWith(SERVER));
  return chunks.map((chunk) => {
    const copy = path.join(folder, "server", path.relative(SERVER, chunk));
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(chunk, copy);
    return copy;
  });
}

for (const route of ["content/[id]/publish", "content/reviews", "projects/[id]/publish-all-to-wordpress"]) {
  test(`has the worker that renders posts, and all it needs, in the build's trace of ${route}`, async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "trace-"));
    try {
      const entry = copyTraced(route, folder).find((file) => ENTRY.test(file));
      const worker = new Worker(entry ?? "");
      expect((await once(worker, "message"))[0]).toEqual({ kind: "ready" });
      worker.postMessage({ task: "renderPost", text: "Hello *you*" });
      expect((await once(worker, "message"))[0]).toEqual({
        kind: "done",
        text: "<!-- wp:paragraph -->\n<p>Hello <em>you</em></p>\n<!-- /wp:paragraph -->",
      });
      await worker.terminate();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
