import { spread, table, verdict } from "@/tests/bench/figures";

describe("the figures of a benchmark", () => {
  it("keeps a promise up to its very figure, and tells when the aim is reached too", () => {
    const limit = { must: 200, aim: 100 };
    expect([100, 101, 200, 201].map((value) => verdict(value, limit))).toEqual([
      "held, and the aim",
      "held",
      "held",
      "missed",
    ]);
  });

  it("takes the middle of the rounds, whatever their order and the slowest", () => {
    expect(spread([5, 1, 4, 2, 9_000])).toMatchObject({ median: 4, p10: 1.4 });
    expect(spread([1, 2])).toMatchObject({ median: 1.5 });
  });

  it("puts figures at the right of their column and words at the left", () => {
    const rows = [
      ["/", "5 opened", "9"],
      ["/content", "-", "10 (8–12)"],
    ];
    expect(table(["route", "when", "nodes"], rows)).toEqual([
      "route     when      nodes",
      "────────  ────────  ─────────",
      "/         5 opened          9",
      "/content  -         10 (8–12)",
    ]);
  });
});
