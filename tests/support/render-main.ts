import { text } from "node:stream/consumers";
import { isAppError } from "@/lib/errors";
import { renderPostAside } from "@/lib/workers/post";
import { runHeavy } from "@/lib/workers/run";

/** Renders the text on its input and says what became of it. `unchecked`: past the check that comes before the thread. */
async function main(): Promise<void> {
  const markdown = await text(process.stdin);
  const isUnchecked = process.argv[2] === "unchecked";
  // Threads keep no process alive.
  const alive = setInterval(() => undefined, 1_000);
  const rendering = isUnchecked ? runHeavy("ann", "renderPost", markdown) : renderPostAside("ann", markdown);
  const answer = await rendering.then(
    (html) => `${html.length} characters`,
    (error) => (isAppError(error) ? `${error.type}: ${error.message}` : String(error)),
  );
  clearInterval(alive);
  process.stdout.write(answer);
}

main();
