import { spread, table, verdict } from "@/tests/bench/figures";

describe("the figures of a benchmark", () => {
  it("meets a limit at exactly its value, and says when the aim is met too", () => {
    const limit = { must: 200, aim: 100 };
    expect([100, 101, 200, 201].map((value) => verdict(value, limit))).toEqual([
      "held, and the aim",
      "held",
      "held",
      "missed",
    ]);
  });

  it("takes the median of the rounds, whatever their order and the slowest one", () => {
    expect(spread([5, 1, 4, 2, 9_000])).toMatchObject({ median: 4, p10: 1.4 });
    expect(spread([1, 2])).toMatchObject({ median: 1.5 });
  });

  it("aligns numbers right and words left", () => {
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
