import { loadEnvFiles } from "@/scripts/env-files";
import { runCommand } from "@/scripts/progress";
import { createShutdown } from "@/scripts/shutdown";
import type { Stack, StackOptions } from "@/scripts/stack";

const FOLDERS = { dev: ".data", start: ".data", demo: ".data/demo" };

runCommand(() => serve(modeOf(process.argv[2])));

/** Serves until a signal comes (exit code 0) or the app ends by itself (1). */
async function serve(mode: StackOptions["mode"]): Promise<number> {
  loadEnvFiles();
  // Only now: it reads the environment when it is loaded, and refuses a wrong one with a sentence.
  const { startStack } = await import("@/scripts/stack");
  const shutdown = createShutdown();
  const asked = untilAsked();
  const started = startStack(
    { mode, folder: FOLDERS[mode], environment: process.env, print: console.log, output: console.log },
    shutdown,
  );
  try {
    const stack = await Promise.race([started, asked]);
    if (stack) announce(stack);
    const gone = stack && (await Promise.race([stack.appEnded, asked]));
    if (!gone) {
      console.log("Stopping …");
      return 0;
    }
    throw new Error(`${gone.lastLines}\n\nThe app ended by itself: see the lines above.`);
  } finally {
    await shutdown.run();
    // A start that was interrupted ends what it still made, then gives up.
    await started.catch(() => undefined);
  }
}

function modeOf(word: string | undefined): StackOptions["mode"] {
  if (word === "dev" || word === "start" || word === "demo") return word;
  throw new Error("Use npm run dev, npm start or npm run demo.");
}

/** Settles at Ctrl+C, at SIGTERM, and when the process that started us was killed. */
function untilAsked(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(event, () => resolve(undefined));
  });
}

function announce(stack: Stack): void {
  console.log(`Ready on ${stack.url}`);
  if (!stack.account || !stack.samples) return;
  console.log(`  Sign in as          ${stack.account.username} / ${stack.account.password}`);
  console.log(`  Sample site         ${stack.samples.wordpress.url} (its posts are samples, seen by nobody else)`);
  console.log("  Sample AI provider  answers at once, made up from what you ask; nothing leaves this machine");
  console.log("  Ctrl+C ends everything; the data stays in .data/demo");
}
