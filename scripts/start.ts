import { fillInBackground } from "@/scripts/demo/background";
import { loadEnvFiles } from "@/scripts/env-files";
import { runCommand } from "@/scripts/progress";
import type { Shutdown } from "@/scripts/shutdown";
import type { Stack, StackOptions } from "@/scripts/stack";

const USAGE = "Use npm run dev, npm start, npm run demo, or npm run demo -- --fresh for a new demo account.";

const FOLDERS = { dev: ".data", start: ".data", demo: ".data/demo" };

runCommand(async () => {
  const [word, ...rest] = process.argv.slice(2);
  const mode = modeOf(word);
  const freshAccount = mode === "demo" && rest[0] === "--fresh";
  if (rest.length > (freshAccount ? 1 : 0)) throw new Error(USAGE);
  loadEnvFiles();
  // This is imported late: it reads the environment when it is loaded, and refuses a wrong one with a sentence.
  const { serve } = await import("@/scripts/serve");
  const say = { print: console.log, output: console.log };
  return serve({ mode, folder: FOLDERS[mode], freshAccount, environment: process.env, ...say }, announce);
});

function modeOf(word: string | undefined): StackOptions["mode"] {
  if (word === "dev" || word === "start" || word === "demo") return word;
  throw new Error(USAGE);
}

function announce(stack: Stack, shutdown: Shutdown): void {
  const { url, account, samples } = stack;
  console.log(`Ready on ${url}`);
  if (!account || !samples) return;
  const { ai, wordpress } = samples;
  console.log(`  Sign in as          ${account.username} / ${account.password}`);
  console.log(`  Sample site         ${wordpress.url} (its posts are samples, seen by nobody else)`);
  console.log("  Sample AI provider  answers at once, made up from what you ask; nothing leaves this machine");
  console.log("  A second account    register it, then enter these in its settings:");
  console.log(`    API key           ${ai.apiKey}`);
  console.log(`    Site              ${wordpress.url}`);
  console.log(`    Username          ${wordpress.username}`);
  console.log(`    Password          ${wordpress.applicationPassword}`);
  console.log("  Ctrl+C ends everything; the data stays in .data/demo");
  fillInBackground({ url, account, folder: FOLDERS.demo, print: console.log, shutdown });
}
