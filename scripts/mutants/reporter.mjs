import path from "node:path";

/** Reports a failed test at once instead of with its whole suite. */
export default class ImmediateReporter {
  onTestCaseResult(test, { status }) {
    if (status === "failed") process.stdout.write(`FAIL test ${path.relative(process.cwd(), test.path)}\n`);
  }
}
