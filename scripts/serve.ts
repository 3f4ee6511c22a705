import { ignoreBrokenPipe } from "@/lib/utils/broken-pipe";
import { stopChildren } from "@/scripts/child";
import { createShutdown, type Shutdown } from "@/scripts/shutdown";
import { type Stack, type StackOptions, startStack } from "@/scripts/stack";

/** Serves until a signal comes (exit code 0) or something ends too often (throws). `ready` is called once. */
export async function serve(options: StackOptions, ready: (stack: Stack, shutdown: Shutdown) => void): Promise<number> {
  ignoreBrokenPipe();
  const shutdown = createShutdown();
  const asked = untilAsked();
  const started = startStack(options, shutdown);
  try {
    const stack = await Promise.race([started, asked]);
    if (stack) ready(stack, shutdown);
    const gaveUp = stack && (await Promise.race([stack.gaveUp, asked]));
    if (gaveUp) throw gaveUp;
    console.log("Stopping …");
    return 0;
  } finally {
    hurryWhenAskedAgain();
    await shutdown.run();
    // A start that was interrupted ends what it still made, then gives up.
    await started.catch(() => undefined);
  }
}

/** Settles at Ctrl+C, at SIGTERM, and when the process that started us was killed. */
function untilAsked(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(event, () => resolve(undefined));
  });
}

/** One Ctrl+C can come twice, from the terminal and from the process above us; a later one is a user who will not wait. */
const SAME_KEYSTROKE_MS = 500;

function hurryWhenAskedAgain(): void {
  const began = performance.now();
  process.on("SIGINT", () => {
    if (performance.now() - began > SAME_KEYSTROKE_MS) stopChildren(0);
  });
}
