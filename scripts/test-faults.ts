import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { runJest } from "@/scripts/checks";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { summaryLine } from "@/scripts/test-counts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

const FOLDER = "tests/faults";

// npm run test:faults -- [suite] [real] [--sequences N] [--seed N] [jest's options]: the product behind a faulty network.
// `real` takes a real WordPress of Debian's packages instead of our double.
runCommand(async () => {
  const { values, positionals, tokens } = parseArgs({
    args: process.argv.slice(2),
    options: { sequences: { type: "string" }, seed: { type: "string" } },
    strict: false,
    tokens: true,
  });
  const suites = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const isReal = positionals.includes("real");
  const [suite, ...rest] = positionals.filter((word) => word !== "real");
  if (suite && !suites.some(({ name }) => name === suite)) {
    throw new Error(`npm run test:faults runs everything; its suites are ${suites.map(({ name }) => name).join(", ")}.`);
  }
  Object.assign(process.env, {
    ...(isReal ? { FAULTS_UPSTREAM: "real" } : {}),
    ...(values.sequences ? { FAULTS_SEQUENCES: String(values.sequences) } : {}),
    ...(values.seed ? { FAULTS_SEED: String(values.seed) } : {}),
  });
  const forJest = tokens.flatMap((token) =>
    token.kind === "option" && !["sequences", "seed"].includes(token.name)
      ? [token.rawName + (token.value === undefined ? "" : `=${token.value}`)]
      : [],
  );
  const pattern = suite ? `${FOLDER}/(${suite}/|[^/]*$)` : `${FOLDER}/`;
  // One file after the other: the tests measure how long answers take.
  const args = [...forJest, ...rest, "--testPathPatterns", pattern, "--runInBand", "--selectProjects", "faults"];
  const result = await runJest("fault tests", args, console.log);
  const counts = result.counts ?? { passed: 0, failed: 1 };
  console.log(`\n${summaryLine(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});
