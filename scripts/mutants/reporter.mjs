import path from "node:path";

/** Jest's reporter for mutants: tells of a test that failed at once, not with its whole suite. */
export default class AtOnce {
  onTestCaseResult(test, { status }) {
    if (status === "failed") process.stdout.write(`FAIL test ${path.relative(process.cwd(), test.path)}\n`);
  }
}
