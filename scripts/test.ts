import path from "node:path";
import { printSteps, runChecks, runJest, type StepResult } from "@/scripts/checks";
import { runE2e } from "@/scripts/e2e";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { type Counts, sum, summaryOf } from "@/scripts/test-counts";
import { chosenParts, type TestPart } from "@/scripts/test-parts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

const SEQUENCER = path.resolve("tests/support/longest-first.mjs");

const RUN: Record<TestPart, (args: string[]) => Promise<Counts>> = {
  check: async () => {
    return countsOf(await runChecks(["format", "types", "imports", "unused", "unit"]));
  },
  unit: (args) => jest("unit tests", [...args, "--selectProjects", "unit"]),
  api: (args) =>
    jest("api tests", ["--maxWorkers=100%", `--testSequencer=${SEQUENCER}`, ...args, "--selectProjects", "api"]),
  e2e: (args) => runE2e(args, shutdown),
  faults: (args) => jest("fault tests", ["--runInBand", ...args, "--selectProjects", "faults"]),
};

// npm test: the checks, the unit and API tests, and the main journeys in a browser. npm run test:thorough: what npm run
// test:all has beyond it. `-- unit|api|e2e|faults|check …` runs one part and passes it the other arguments.
runCommand(async () => {
  const { scope, parts, args } = chosenParts(process.argv.slice(2));
  process.env.TEST_SCOPE = scope;
  const counts: Counts[] = [];
  for (const part of parts) {
    console.log(`\n── ${part} ──`);
    counts.push(await orOneFailure(() => RUN[part](args)));
  }
  await shutdown.run();
  const total = sum(counts);
  console.log(`\n${summaryOf(total)}`);
  return total.failed === 0 ? 0 : 1;
});

async function jest(name: string, args: string[]): Promise<Counts> {
  return (await runJest(name, args, console.log)).counts ?? { passed: 0, failed: 1 };
}

/** A step without test counts is one failure if it fails, and no test if it passes. */
function countsOf(results: StepResult[]): Counts {
  printSteps(results, performance.now() - Math.max(...results.map((result) => result.milliseconds)));
  return sum(results.map((result) => result.counts ?? { passed: 0, failed: result.ok ? 0 : 1 }));
}

/** A part that cannot run is one failure; the others still run. */
async function orOneFailure(run: () => Promise<Counts>): Promise<Counts> {
  try {
    return await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}
