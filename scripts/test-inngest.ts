import { parseArgs } from "node:util";
import { buildWhenStale } from "@/scripts/build";
import { runJest } from "@/scripts/checks";
import { loadEnvFiles } from "@/scripts/env-files";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { type Counts, sum, summaryOf } from "@/scripts/test-counts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

// INNGEST_BASE_URL=… npm run test:inngest -- [--restart "command"] [--embedded] [--only contract|product]: tests the engine's
// contract, and the product with its faults, on a real Inngest server.
runCommand(async () => {
  const { values } = parseArgs({
    options: { restart: { type: "string" }, embedded: { type: "boolean" }, only: { type: "string" } },
  });
  loadEnvFiles();
  const { INNGEST_BASE_URL, INNGEST_SIGNING_KEY, INNGEST_EVENT_KEY } = process.env;
  if (!values.embedded && !INNGEST_BASE_URL) throw new Error(HOW);
  if (values.only && !["contract", "product"].includes(values.only)) {
    throw new Error("--only takes contract or product.");
  }
  if (!values.embedded) {
    Object.assign(process.env, {
      INNGEST_CONTRACT_URL: INNGEST_BASE_URL,
      ...(INNGEST_SIGNING_KEY ? { INNGEST_CONTRACT_SIGNING_KEY: INNGEST_SIGNING_KEY } : {}),
      ...(INNGEST_EVENT_KEY ? { INNGEST_CONTRACT_EVENT_KEY: INNGEST_EVENT_KEY } : {}),
      ...(values.restart ? { INNGEST_CONTRACT_RESTART: values.restart } : {}),
    });
  }
  const counts: Counts[] = [];
  if (values.only !== "product")
    counts.push(await run("the contract", "api", "tests/api/thorough/inngest/.*\\.contract\\."));
  if (values.only !== "contract") {
    await buildWhenStale(process.cwd(), console.log);
    counts.push(await run("the product", "inngest", "tests/inngest/"));
  }
  const total = sum(counts);
  console.log(`\n${summaryOf(total)}`);
  return total.failed === 0 ? 0 : 1;
});

const HOW = `Start an Inngest server that nothing else uses, on this machine, then name it and its keys:
  INNGEST_BASE_URL=http://127.0.0.1:8288 INNGEST_SIGNING_KEY=… INNGEST_EVENT_KEY=… npm run test:inngest
A dev server has no keys. --restart "…" names the command that kills and starts it; --embedded tests our own engine.`;

async function run(name: string, project: string, pattern: string): Promise<Counts> {
  console.log(`\n── ${name} ──`);
  const args = ["--runInBand", "--selectProjects", project, "--testPathPatterns", pattern];
  return (await runJest(name, args, console.log)).counts ?? { passed: 0, failed: 1 };
}
