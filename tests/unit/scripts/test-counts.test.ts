import path from "node:path";
import { jestCounts, playwrightCounts, sum, summaryOf } from "@/scripts/test-counts";
import { chosenParts } from "@/scripts/test-parts";

describe("jestCounts", () => {
  it("returns jest's own numbers", () => {
    expect(jestCounts({ numPassedTests: 12, numFailedTests: 2, numPendingTests: 1 })).toMatchObject({
      passed: 12,
      failed: 2,
    });
  });

  it("counts a file that could not run as one failure", () => {
    expect(jestCounts({ numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 2 })).toMatchObject({
      passed: 3,
      failed: 2,
    });
  });

  it("counts a run without a report as one failure", () => {
    expect(jestCounts(undefined)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe("playwrightCounts", () => {
  it("returns Playwright's own numbers and counts a flaky test as failed", () => {
    expect(playwrightCounts({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }, errors: [] })).toMatchObject(
      {
        passed: 5,
        failed: 2,
      },
    );
  });

  it("counts errors outside of tests", () => {
    expect(
      playwrightCounts({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{ message: "broken" }] }),
    ).toMatchObject({
      passed: 0,
      failed: 1,
    });
    expect(playwrightCounts(undefined)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe("summaryOf", () => {
  it("adds up the parts of a run", () => {
    const total = sum([
      { passed: 10, failed: 0 },
      { passed: 5, failed: 1 },
    ]);
    expect(summaryOf(total)).toBe("Tests: 15 passed, 1 failed");
    expect(summaryOf(sum([]))).toBe("Tests: 0 passed, 0 failed");
  });

  it("says what failed in jest and in Playwright, with its last line alone", () => {
    const jest = jestCounts({
      numPassedTests: 1,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      testResults: [
        {
          name: path.resolve("tests/unit/a.test.ts"),
          status: "failed",
          message: "in colours",
          assertionResults: [
            { status: "passed", fullName: "a stays", failureMessages: [] },
            {
              status: "failed",
              fullName: "b goes",
              failureMessages: [
                "Expected: \u001b[32m1\u001b[39m\n\nReceived: 2\n    at run (node_modules/jest/run.js:1:2)",
              ],
            },
          ],
        },
        {
          name: path.resolve("tests/unit/c.test.ts"),
          status: "failed",
          message: "No such module",
          assertionResults: [],
        },
        { name: path.resolve("tests/unit/d.test.ts"), status: "passed", message: "", assertionResults: [] },
      ],
    });
    const spec = (title: string, status: string, message?: string) => ({
      title,
      file: "cards.spec.ts",
      tests: [{ status, results: [{ errors: message ? [{ message }] : [] }] }],
    });
    const playwright = playwrightCounts({
      stats: { expected: 1, unexpected: 1, flaky: 1 },
      errors: [{ message: "No browser" }],
      suites: [
        {
          specs: [spec("opens", "expected")],
          suites: [{ specs: [spec("keeps words", "unexpected", "Timeout"), spec("closes", "flaky", "Too late")] }],
        },
      ],
    });
    expect(summaryOf(sum([jest, { passed: 3, failed: 0 }, playwright])).split("\n")).toEqual([
      "✗ tests/unit/a.test.ts › b goes",
      "✗     Expected: 1",
      "✗     Received: 2",
      "✗ tests/unit/c.test.ts",
      "✗     No such module",
      "✗ cards.spec.ts › keeps words",
      "✗     Timeout",
      "✗ cards.spec.ts › closes",
      "✗     Too late",
      "✗ outside of the tests",
      "✗     No browser",
      "Tests: 5 passed, 5 failed",
    ]);
  });

  it("cuts what is long", () => {
    const failed = { status: "failed", fullName: "t", failureMessages: [`${"x".repeat(5_000)}\n${"y\n".repeat(500)}`] };
    const lines = summaryOf(
      jestCounts({
        testResults: [{ name: "a", status: "failed", message: "", assertionResults: Array(500).fill(failed) }],
      }),
    ).split("\n");
    expect(lines).toContain("✗ and 480 more");
    expect(lines.length).toBeLessThan(400);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(310);
  });
});

describe("chosenParts", () => {
  it("chooses the parts of the scope when none is named", () => {
    expect(chosenParts(["main"])).toEqual({ scope: "main", parts: ["check", "api", "e2e"], args: [] });
    expect(chosenParts(["thorough"])).toEqual({ scope: "thorough", parts: ["unit", "api", "e2e", "faults"], args: [] });
    expect(chosenParts(["all"])).toEqual({ scope: "all", parts: ["check", "api", "e2e", "faults"], args: [] });
  });

  it("chooses the named part, and looks for what its arguments name in all its suites", () => {
    expect(chosenParts(["main", "api"])).toEqual({ scope: "main", parts: ["api"], args: [] });
    const args = ["--testPathPatterns=hostile"];
    expect(chosenParts(["main", "api", ...args])).toEqual({ scope: "all", parts: ["api"], args });
  });

  it("rejects an unknown part", () => {
    expect(() => chosenParts(["main", "everything"])).toThrow("npm test -- check|unit|api|e2e|faults");
  });
});
