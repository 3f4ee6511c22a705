export type Counts = { passed: number; failed: number };

/** Jest's own counts (`--json`); a file that could not run at all is one failure. No report at all is one failure. */
export function jestCounts(report: unknown): Counts {
  return {
    passed: numberOf(report, "numPassedTests"),
    failed: isReport(report) ? numberOf(report, "numFailedTests") + numberOf(report, "numRuntimeErrorTestSuites") : 1,
  };
}

/** Playwright's own counts (its json reporter); what passed only on a second try has not passed. */
export function playwrightCounts(report: unknown): Counts {
  if (!isReport(report)) return { passed: 0, failed: 1 };
  const errors = Array.isArray(report.errors) ? report.errors.length : 0;
  return {
    passed: numberOf(report.stats, "expected"),
    failed: numberOf(report.stats, "unexpected") + numberOf(report.stats, "flaky") + errors,
  };
}

export function sum(all: Counts[]): Counts {
  return {
    passed: all.reduce((total, counts) => total + counts.passed, 0),
    failed: all.reduce((total, counts) => total + counts.failed, 0),
  };
}

/** The last line of a test run. */
export function closingLine(counts: Counts): string {
  return `Tests: ${counts.passed} passed, ${counts.failed} failed`;
}

function isReport(report: unknown): report is Record<string, unknown> {
  return typeof report === "object" && report !== null;
}

function numberOf(report: unknown, name: string): number {
  const value = isReport(report) ? report[name] : undefined;
  return typeof value === "number" ? value : 0;
}
