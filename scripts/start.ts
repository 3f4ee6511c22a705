import { loadEnvFiles } from "@/scripts/env-files";
import { runCommand } from "@/scripts/progress";
import type { Stack, StackOptions } from "@/scripts/stack";

const FOLDERS = { dev: ".data", start: ".data", demo: ".data/demo" };

runCommand(async () => {
  const mode = modeOf(process.argv[2]);
  loadEnvFiles();
  // This is imported late: it reads the environment when it is loaded, and refuses a wrong one with a sentence.
  const { serve } = await import("@/scripts/serve");
  const say = { print: console.log, output: console.log };
  return serve({ mode, folder: FOLDERS[mode], environment: process.env, ...say }, announce);
});

function modeOf(word: string | undefined): StackOptions["mode"] {
  if (word === "dev" || word === "start" || word === "demo") return word;
  throw new Error("Use npm run dev, npm start or npm run demo.");
}

function announce(stack: Stack): void {
  console.log(`Ready on ${stack.url}`);
  if (!stack.account || !stack.samples) return;
  console.log(`  Sign in as          ${stack.account.username} / ${stack.account.password}`);
  console.log(`  Sample site         ${stack.samples.wordpress.url} (its posts are samples, seen by nobody else)`);
  console.log("  Sample AI provider  answers at once, made up from what you ask; nothing leaves this machine");
  console.log("  Ctrl+C ends everything; the data stays in .data/demo");
}
