import { jestCounts, playwrightCounts, sum, summaryLine } from "@/scripts/test-counts";
import { chosenParts } from "@/scripts/test-parts";

describe("jestCounts", () => {
  it("returns jest's own numbers", () => {
    expect(jestCounts({ numPassedTests: 12, numFailedTests: 2, numPendingTests: 1 })).toEqual({
      passed: 12,
      failed: 2,
    });
  });

  it("counts a file that could not run as one failure", () => {
    expect(jestCounts({ numPassedTests: 3, numFailedTests: 0, numRuntimeErrorTestSuites: 2 })).toEqual({
      passed: 3,
      failed: 2,
    });
  });

  it("counts a run without a report as one failure", () => {
    expect(jestCounts(undefined)).toEqual({ passed: 0, failed: 1 });
  });
});

describe("playwrightCounts", () => {
  it("returns Playwright's own numbers and counts a flaky test as failed", () => {
    expect(playwrightCounts({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }, errors: [] })).toEqual({
      passed: 5,
      failed: 2,
    });
  });

  it("counts errors outside of tests", () => {
    expect(
      playwrightCounts({ stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{ message: "broken" }] }),
    ).toEqual({
      passed: 0,
      failed: 1,
    });
    expect(playwrightCounts(undefined)).toEqual({ passed: 0, failed: 1 });
  });
});

describe("summaryLine", () => {
  it("adds up the parts of a run", () => {
    const total = sum([
      { passed: 10, failed: 0 },
      { passed: 5, failed: 1 },
    ]);
    expect(summaryLine(total)).toBe("Tests: 15 passed, 1 failed");
    expect(summaryLine(sum([]))).toBe("Tests: 0 passed, 0 failed");
  });
});

describe("chosenParts", () => {
  it("chooses every part when none is named", () => {
    expect(chosenParts([])).toEqual({ parts: ["check", "api", "e2e"], args: [] });
  });

  it("chooses the named part and passes the other arguments to its runner", () => {
    expect(chosenParts(["api", "tests/api/content.test.ts", "-t", "owner"])).toEqual({
      parts: ["api"],
      args: ["tests/api/content.test.ts", "-t", "owner"],
    });
  });

  it("rejects an unknown part", () => {
    expect(() => chosenParts(["everything"])).toThrow("npm test -- check|unit|api|e2e");
  });
});
