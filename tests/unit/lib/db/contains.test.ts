import { contains, maxComparisons } from "@/lib/db/contains";
import { Prisma } from "@/lib/db/generated/client";

/** How many bytes Horspool's search compares, as PostgreSQL's text_position runs it. */
function comparisons(text: string, needle: string): number {
  const skip = new Map<string, number>();
  for (let at = 0; at < needle.length - 1; at++) skip.set(needle[at] as string, needle.length - 1 - at);
  let count = 0;
  for (let end = needle.length - 1; end < text.length; ) {
    let matched = 0;
    while (matched < needle.length) {
      count++;
      if (text[end - matched] !== needle[needle.length - 1 - matched]) break;
      matched++;
    }
    end += skip.get(text[end] as string) ?? needle.length;
  }
  return count;
}

/** All texts of the letters a and b up to this length. */
function words(length: number): string[] {
  if (length === 0) return [""];
  const shorter = words(length - 1);
  return [
    ...shorter,
    ...shorter.filter((word) => word.length === length - 1).flatMap((word) => [`${word}a`, `${word}b`]),
  ];
}

const kindOf = (needle: string) => contains(Prisma.sql`body`, needle).text.split("(")[0]?.trim();

describe("maxComparisons", () => {
  it("is never less than what the search compares on any repetitive text", () => {
    const parts = words(6).filter(Boolean);
    const broken = parts.flatMap((needle) => {
      const bound = maxComparisons(needle);
      // At the start of the text, comparisons are not amortised yet.
      return parts.filter((part) => comparisons(part.repeat(40), needle) > bound * part.length * 40 + needle.length);
    });
    expect(broken).toEqual([]);
  });

  it("is the length of a needle of one repeated letter, and small for words", () => {
    expect(maxComparisons("a".repeat(300))).toBe(300);
    expect(maxComparisons(`b${"a".repeat(299)}`)).toBeGreaterThan(298);
    expect(maxComparisons("watering seeds in a rented flat without grass")).toBeLessThan(6);
  });
});

describe("contains", () => {
  it("uses strpos for words, and a literal regular expression for repetitive needles", () => {
    for (const needle of ["soil", "a", "=====", "balcony herbs, week by week", "日本の庭"])
      expect(kindOf(needle)).toBe("strpos");
    for (const needle of ["a".repeat(300), "A".repeat(20), "ab".repeat(40)]) expect(kindOf(needle)).toBe("body ~");
  });
});
