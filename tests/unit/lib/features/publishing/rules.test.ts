import { inParts } from "@/lib/features/publishing/rules";

describe("a set of pieces", () => {
  const parts = (sizes: number[], most: number) => {
    const ids = sizes.map((_, n) => `id-${n}`);
    const bytes = new Map(ids.map((id, n) => [id, sizes[n] ?? 0]));
    const made = inParts(ids, bytes, most);
    expect(made.flat()).toEqual(ids);
    return made.map((part) => part.length);
  };

  it.each<[string, number[], number[]]>([
    ["of ordinary texts in one part", [10, 20, 30], [3]],
    ["of just as many bytes as are allowed in one part", [50, 50], [2]],
    ["of one byte more in two", [50, 51], [1, 1]],
    ["of longer texts in several, each as full as it gets", [60, 40, 1, 99, 100], [2, 2, 1]],
    ["with a text that is too long for any part, which has one of its own", [10, 300, 10], [1, 1, 1]],
    ["of nothing in none", [], []],
  ])("%s", (_what, sizes, expected) => {
    expect(parts(sizes, 100)).toEqual(expected);
  });

  it("counts a piece that is gone as nothing", () => {
    expect(
      inParts(
        ["a", "gone", "b"],
        new Map([
          ["a", 50],
          ["b", 50],
        ]),
        100,
      ),
    ).toEqual([["a", "gone", "b"]]);
  });
});
