import { text } from "node:stream/consumers";
import { isAppError } from "@/lib/errors";
import { renderPostInWorker } from "@/lib/workers/post";
import { runInWorker } from "@/lib/workers/run";

/** Renders the texts from stdin, a JSON array, one after the other and prints the outcomes. `unchecked` skips the check before the thread. */
async function main(): Promise<void> {
  const texts = JSON.parse(await text(process.stdin)) as { markdown: string; unchecked?: boolean }[];
  // Threads do not keep a process alive.
  const alive = setInterval(() => undefined, 1_000);
  const outcomes: string[] = [];
  for (const { markdown, unchecked } of texts) {
    const rendering = unchecked ? runInWorker("ann", "renderPost", markdown) : renderPostInWorker("ann", markdown, "");
    outcomes.push(
      await rendering.then(
        (html) => `${html.length} characters`,
        (error) => (isAppError(error) ? `${error.type}: ${error.message}` : String(error)),
      ),
    );
  }
  clearInterval(alive);
  process.stdout.write(JSON.stringify(outcomes));
}

main();
