import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { packageCommand, runChild } from "@/scripts/child";
import { readJson } from "@/scripts/json-file";
import { seconds } from "@/scripts/progress";
import { type Counts, jestCounts } from "@/scripts/test-counts";

export type CheckName = "format" | "types" | "imports" | "unused" | "unit";

export type StepResult = {
  name: string;
  ok: boolean;
  milliseconds: number;
  /** Shown if the step failed. */
  output: string;
  /** Counts of a step that runs tests. */
  counts?: Counts;
};

/** The steps, longest first, to keep all processors busy. */
const STEPS: Record<CheckName, () => Promise<Omit<StepResult, "milliseconds">>> = {
  unit: () => runJest("unit tests", ["--maxWorkers=100%", "--selectProjects", "unit"]),
  types: checkTypes,
  imports: () =>
    runTool(
      "imports (dependency-cruiser)",
      "dependency-cruiser/bin/dependency-cruise.mjs",
      SOURCES.filter((name) => existsSync(name)),
    ),
  unused: () => runTool("unused (knip)", "knip/bin/knip.js", []),
  format: () => runTool("format and lint (biome)", "@biomejs/biome/bin/biome", ["check", "."]),
};
const MAX_OUTPUT_LINES = 2_000;
const SOURCES = [
  "app",
  "components",
  "inngest",
  "lib",
  "prisma",
  "scripts",
  "tests",
  "proxy.ts",
  "instrumentation.ts",
  "instrumentation-client.ts",
];

/** Runs the steps in parallel, one per processor, and prints each as it finishes. */
export async function runChecks(names: CheckName[]): Promise<StepResult[]> {
  const waiting = (Object.keys(STEPS) as CheckName[]).filter((name) => names.includes(name));
  const results: StepResult[] = [];
  async function worker(): Promise<void> {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const began = performance.now();
      const result = { ...(await STEPS[name]()), milliseconds: performance.now() - began };
      console.log(`${result.ok ? "✓" : "✗"} ${result.name} (${seconds(began)})`);
      results.push(result);
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return results;
}

/** Prints the failures and the total time; true if all passed. */
export function printSteps(results: StepResult[], began: number): boolean {
  const failed = results.filter((result) => !result.ok);
  for (const result of failed) console.log(`\n── ${result.name} ──\n${result.output}`);
  const summary =
    failed.length === 0 ? "All checks passed" : `Failed: ${failed.map((result) => result.name).join(", ")}`;
  console.log(`${summary} in ${seconds(began)}`);
  return failed.length === 0;
}

/** Runs jest and reads its JSON report; `onLine` gets its output. */
export async function runJest(
  name: string,
  args: string[],
  onLine?: (line: string) => void,
): Promise<Omit<StepResult, "milliseconds">> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "jest-"));
  const file = path.join(folder, "result.json");
  try {
    const command = packageCommand("jest/bin/jest.js", "--ci", ...args, "--json", `--outputFile=${file}`);
    const ran = await runChild(command, {
      env: { ...process.env, NODE_ENV: "test", FORCE_COLOR: "0" },
      keepLines: MAX_OUTPUT_LINES,
      onLine: (line) => line.startsWith("Test results written to:") || onLine?.(line),
    });
    const counts = jestCounts(readJson(file));
    return { name, ok: ran.code === 0 && counts.failed === 0, output: ran.lastLines, counts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTool(name: string, file: string, args: string[]): Promise<Omit<StepResult, "milliseconds">> {
  const ran = await runChild(packageCommand(file, ...args), { env: process.env, keepLines: MAX_OUTPUT_LINES });
  return { name, ok: ran.code === 0, output: ran.lastLines };
}

/** Next generates the route types first, so that TypeScript catches links to missing pages. */
async function checkTypes(): Promise<Omit<StepResult, "milliseconds">> {
  const name = "types (tsc)";
  const generated = await runTool(name, "next/dist/bin/next", ["typegen"]);
  return generated.ok ? runTool(name, "typescript/bin/tsc", ["--noEmit"]) : generated;
}
