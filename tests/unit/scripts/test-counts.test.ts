import { closingLine, jestCounts, playwrightCounts, sum } from "@/scripts/test-counts";
import { chosenParts } from "@/scripts/test-parts";

describe("jestCounts", () => {
  it("takes jest's own figures", () => {
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
  it("takes Playwright's own figures, and a flaky test for a failed one", () => {
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

describe("closingLine", () => {
  it("adds up the parts of a run", () => {
    const total = sum([
      { passed: 10, failed: 0 },
      { passed: 5, failed: 1 },
    ]);
    expect(closingLine(total)).toBe("Tests: 15 passed, 1 failed");
    expect(closingLine(sum([]))).toBe("Tests: 0 passed, 0 failed");
  });
});

describe("chosenParts", () => {
  it("is everything when nothing is named", () => {
    expect(chosenParts([])).toEqual({ parts: ["check", "api", "e2e"], args: [] });
  });

  it("is one part, with the rest for its runner", () => {
    expect(chosenParts(["api", "tests/api/content.test.ts", "-t", "owner"])).toEqual({
      parts: ["api"],
      args: ["tests/api/content.test.ts", "-t", "owner"],
    });
  });

  it("refuses a part that does not exist", () => {
    expect(() => chosenParts(["everything"])).toThrow("npm test -- check|unit|api|e2e");
  });
});
