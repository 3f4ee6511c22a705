import { comparisonKey, countWords, fingerprint, storable } from "@/lib/utils/text";
import { text } from "@/lib/utils/zod";

describe("text", () => {
  it("trims and normalises to NFC", () => {
    expect(text(10).parse("  a\u0308 ")).toBe("ä");
  });

  it("refuses NUL and lone surrogates, which Postgres cannot store", () => {
    for (const bad of ["a\0b", "\uD800", "x\uDC00"]) expect(text(10).safeParse(bad).success).toBe(false);
    expect(text(10).parse("🌱")).toBe("🌱");
  });

  it("measures length after trimming", () => {
    expect(text(3, 1).safeParse("   ").success).toBe(false);
    expect(text(3, 1).parse(" abc ")).toBe("abc");
    expect(text(3, 1).safeParse("abcd").success).toBe(false);
  });
});

describe("countWords", () => {
  it("splits on white space and counts a blank text as 0", () => {
    expect(countWords(" one  two\nthree ")).toBe(3);
    expect(countWords(" \n ")).toBe(0);
  });
});

describe("comparing titles and keywords", () => {
  it("compares titles by their words in order, whatever their case, punctuation and spacing", () => {
    expect(fingerprint("How to prune: Apple trees!")).toBe("how to prune apple trees");
    expect(fingerprint("Trees: prune")).not.toBe(fingerprint("Prune trees"));
  });

  it("keeps what tells C from C++ and NET from .NET, but no dots and signs of their own", () => {
    expect(fingerprint("C++, C# + .NET … ...and Node.js #")).toBe("c++ c# .net and node js");
  });

  it("bounds what one character may become", () => {
    expect(fingerprint("\uFDFA".repeat(300)).length).toBeLessThanOrEqual(1_000);
  });

  it("treats keywords alike whatever their case and spaces, but not their punctuation", () => {
    expect(comparisonKey("  Seed   Mix ")).toBe("seed mix");
    expect(comparisonKey("C++")).not.toBe(comparisonKey("C"));
  });
});

describe("storable", () => {
  it("removes what Postgres cannot store and normalises to NFC", () => {
    expect(storable("a\0b\uD800c\uDC00")).toBe("ab\uFFFDc\uFFFD");
    expect(storable("a\u0308 🌱 园艺\n")).toBe("ä 🌱 园艺\n");
  });
});
