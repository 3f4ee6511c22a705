import { readFileSync } from "node:fs";
import path from "node:path";
import { packageCommand, startChild } from "@/scripts/child";
import type { Sandbox } from "@/scripts/mutants/sandbox";
import type { TestPostgres } from "@/tests/support/test-postgres";

/**
 * `killed`: a test failed or timed out. `invalid`: PostgreSQL could not parse the statement, which says nothing about
 * the tests.
 */
export type Verdict = { fate: "survived" | "killed" | "invalid"; by: string };

const UNPARSABLE =
  /ERROR: {2}(syntax error|could not determine data type|operator does not exist|argument of \S+ must be type|\S+ types .* cannot be matched|column \S+ is of type)/;

const FAILED = /^FAIL \S+ (tests\/\S+)/;

/** Runs the tests in the sandbox on a fresh copy of the database, until the first failure or the timeout. */
export async function judge(
  sandbox: Sandbox,
  postgres: TestPostgres,
  tests: string[],
  timeoutMs: number,
): Promise<Verdict> {
  await postgres.renew();
  const logged = readFileSync(postgres.log).length;
  const failed = await firstFailure(sandbox, postgres, tests, timeoutMs);
  if (failed === undefined) return { fate: "survived", by: "" };
  const log = readFileSync(postgres.log).subarray(logged).toString();
  return { fate: UNPARSABLE.test(log) ? "invalid" : "killed", by: failed };
}

/** The suite that failed, or the timeout; undefined if all passed. */
async function firstFailure(
  { folder }: Sandbox,
  postgres: TestPostgres,
  tests: string[],
  timeoutMs: number,
): Promise<string | undefined> {
  let failed: string | undefined;
  const child = startChild(
    packageCommand(
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
    failed ??= `timed out after ${Math.round(timeoutMs / 1000)} s`;
    child.stop(0);
  }, timeoutMs);
  const { code, lastLines } = await child.ended;
  clearTimeout(timer);
  if (code !== 0 && failed === undefined) throw new Error(`Jest could not run:\n${lastLines}`);
  return failed;
}
