import { jestFailures, playwrightFailures } from "@/scripts/test-failures";

export type Counts = {
  passed: number;
  failed: number;
  /** What failed and why, as lines to print. */
  failures?: string[];
};

/** Counts from jest's `--json` report. A suite that could not run, or a missing report, is one failure. */
export function jestCounts(report: unknown): Counts {
  return {
    passed: numberOf(report, "numPassedTests"),
    failed: isReport(report) ? numberOf(report, "numFailedTests") + numberOf(report, "numRuntimeErrorTestSuites") : 1,
    failures: jestFailures(report),
  };
}

/** Counts from Playwright's JSON report. A flaky test counts as failed. */
export function playwrightCounts(report: unknown): Counts {
  if (!isReport(report)) return { passed: 0, failed: 1 };
  const errors = Array.isArray(report.errors) ? report.errors.length : 0;
  return {
    passed: numberOf(report.stats, "expected"),
    failed: numberOf(report.stats, "unexpected") + numberOf(report.stats, "flaky") + errors,
    failures: playwrightFailures(report),
  };
}

export function sum(all: Counts[]): Counts {
  return {
    passed: all.reduce((total, counts) => total + counts.passed, 0),
    failed: all.reduce((total, counts) => total + counts.failed, 0),
    failures: all.flatMap(({ failures = [] }) => failures),
  };
}

/** What failed, and as the last line how many did. */
export function summaryOf(counts: Counts): string {
  return [...(counts.failures ?? []), `Tests: ${counts.passed} passed, ${counts.failed} failed`].join("\n");
}

/** The counts of a summary line; undefined for any other line. */
export function countsOfLine(line: string): Counts | undefined {
  const [, passed, failed] = /^Tests: (\d+) passed, (\d+) failed$/.exec(line) ?? [];
  return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
}

/**
 * The counts of a finished command. A command that runs tests must say how many (`counts`, of its summary line); another,
 * such as `check`, counts as one test.
 */
export function countsOfRun(command: string[], code: number, counts: Counts | undefined): Counts {
  if (counts) return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  const runsTests = command[0]?.startsWith("test") ?? false;
  return code === 0 && !runsTests ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function isReport(report: unknown): report is Record<string, unknown> {
  return typeof report === "object" && report !== null;
}

function numberOf(report: unknown, name: string): number {
  const value = isReport(report) ? report[name] : undefined;
  return typeof value === "number" ? value : 0;
}
