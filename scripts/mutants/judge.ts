import { readFileSync } from "node:fs";
import path from "node:path";
import { installed, startChild } from "@/scripts/child";
import type { Scratch } from "@/scripts/mutants/scratch";
import type { TestPostgres } from "@/tests/support/test-postgres";

/**
 * `killed`: a test failed, or the tests did not come to an end. `invalid`: PostgreSQL could not even read the statement, which
 * says nothing about the tests.
 */
export type Verdict = { fate: "survived" | "killed" | "invalid"; by: string };

const UNREADABLE =
  /ERROR: {2}(syntax error|could not determine data type|operator does not exist|argument of \S+ must be type|\S+ types .* cannot be matched|column \S+ is of type)/;

const FAILED = /^FAIL \S+ (tests\/\S+)/;

/**
 * Runs these tests in the scratch copy as it is, on a fresh copy of the database, up to the first test that fails or until
 * the time is over.
 */
export async function judge(
  scratch: Scratch,
  postgres: TestPostgres,
  tests: string[],
  timeoutMs: number,
): Promise<Verdict> {
  await postgres.renew();
  const logged = readFileSync(postgres.log).length;
  const failed = await firstFailure(scratch, postgres, tests, timeoutMs);
  if (failed === undefined) return { fate: "survived", by: "" };
  const log = readFileSync(postgres.log).subarray(logged).toString();
  return { fate: UNREADABLE.test(log) ? "invalid" : "killed", by: failed };
}

/** The suite that failed, or that the tests did not end; undefined when all passed. */
async function firstFailure(
  { folder }: Scratch,
  postgres: TestPostgres,
  tests: string[],
  timeoutMs: number,
): Promise<string | undefined> {
  let failed: string | undefined;
  const child = startChild(
    installed(
      "jest/bin/jest.js",
      ...["--selectProjects", "unit", "api", "--runInBand", "--bail"],
      `--testSequencer=${path.join(folder, "scripts/mutants/sequencer.mjs")}`,
      ...["--reporters=default", `--reporters=${path.join(folder, "scripts/mutants/reporter.mjs")}`],
      ...["--testPathPatterns", ...tests.map((name) => name.replaceAll(".", "\\."))],
    ),
    {
      cwd: folder,
      env: {
        ...process.env,
        NODE_ENV: "test",
        FORCE_COLOR: "0",
        TEST_DATABASE_BASE: postgres.url,
        MUTANT_SUITES: JSON.stringify(tests),
      },
      onLine: (line) => {
        failed ??= FAILED.exec(line)?.[1];
        if (failed) child.stop(0);
      },
    },
  );
  const timer = setTimeout(() => {
    failed ??= `no end within ${Math.round(timeoutMs / 1000)} s`;
    child.stop(0);
  }, timeoutMs);
  const { code, lastLines } = await child.ended;
  clearTimeout(timer);
  if (code !== 0 && failed === undefined) throw new Error(`Jest could not run:\n${lastLines}`);
  return failed;
}
