import { stopChildren } from "@/scripts/child";
import { createShutdown } from "@/scripts/shutdown";
import { type Stack, type StackOptions, startStack } from "@/scripts/stack";

/** Serves until a signal comes (exit code 0) or the app ends by itself (throws). `ready` is called once. */
export async function serve(options: StackOptions, ready: (stack: Stack) => void): Promise<number> {
  const shutdown = createShutdown();
  const asked = untilAsked();
  const started = startStack(options, shutdown);
  try {
    const stack = await Promise.race([started, asked]);
    if (stack) ready(stack);
    const gone = stack && (await Promise.race([stack.appEnded, asked]));
    if (!gone) {
      console.log("Stopping …");
      return 0;
    }
    throw new Error(`${gone.lastLines}\n\nThe app ended by itself: see the lines above.`);
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

/** One Ctrl+C can come twice, from the terminal and from the process above us; a later one is a person who will not wait. */
const SAME_KEYSTROKE_MS = 500;

function hurryWhenAskedAgain(): void {
  const began = performance.now();
  process.on("SIGINT", () => {
    if (performance.now() - began > SAME_KEYSTROKE_MS) stopChildren(0);
  });
}
