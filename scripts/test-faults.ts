import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { runJest } from "@/scripts/checks";
import { runCommand } from "@/scripts/progress";
import { createShutdown, exitOnSignal } from "@/scripts/shutdown";
import { summaryOf } from "@/scripts/test-counts";

const shutdown = createShutdown();
exitOnSignal(shutdown);

const FOLDER = "tests/faults";

/** Options that are handed to the tests in the environment. */
const OPTIONS = {
  sequences: "FAULTS_SEQUENCES",
  seed: "FAULTS_SEED",
  publishes: "FAULTS_PUBLISHES",
  kills: "FAULTS_KILLS",
  real: "FAULTS_REAL_TIME",
} as const;
const FLAGS = new Set(["real"]);

// npm run test:faults -- [suite] [file …] [real] [--sequences N] [--seed N] [--publishes N] [--kills N] [--real]
// [--option=of-jest …]
// `real` takes a real WordPress of Debian's packages instead of our double, `--real` lets a slow provider take its real time.
runCommand(async () => {
  const { values, positionals, tokens } = parseArgs({
    args: process.argv.slice(2),
    options: Object.fromEntries(
      Object.keys(OPTIONS).map((name) => [name, { type: FLAGS.has(name) ? "boolean" : "string" } as const]),
    ),
    strict: false,
    tokens: true,
  });
  const suites = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const [suite, ...files] = positionals.filter((word) => word !== "real");
  if (suite && !suites.some(({ name }) => name === suite)) {
    throw new Error(
      `npm run test:faults runs everything; its suites are ${suites.map(({ name }) => name).join(", ")}.`,
    );
  }
  if (positionals.includes("real")) process.env.FAULTS_UPSTREAM = "real";
  for (const [option, name] of Object.entries(OPTIONS)) {
    const value = values[option];
    if (value !== undefined) process.env[name] = String(value);
  }
  const forJest = tokens.flatMap((token) =>
    token.kind === "option" && !(token.name in OPTIONS)
      ? [token.rawName + (token.value === undefined ? "" : `=${token.value}`)]
      : [],
  );
  // One file after the other: a test that waits for a time-out must not wait for other tests as well.
  const args = [...forJest, "--testPathPatterns", patternOf(suite, files), "--runInBand", "--selectProjects", "faults"];
  const result = await runJest("fault tests", args, console.log);
  const counts = result.counts ?? { passed: 0, failed: 1 };
  console.log(`\n${summaryOf(counts)}`);
  return counts.failed === 0 ? 0 : 1;
});

/** Returns the pattern of the files to run. A suite comes with the tests of the proxy itself. */
function patternOf(suite: string | undefined, files: string[]): string {
  if (!suite) return `${FOLDER}/`;
  return files.length > 0 ? `${FOLDER}/${suite}/(${files.join("|")})` : `${FOLDER}/(${suite}/|[^/]*$)`;
}
