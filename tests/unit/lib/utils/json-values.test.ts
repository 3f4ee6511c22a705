import fc from "fast-check";
import { hasMoreJsonValues } from "@/lib/utils/json-values";

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 0);
}

it("counts every value, and an empty list or object twice at most", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const json = JSON.stringify(value);
      const values = valuesIn(value);
      expect(hasMoreJsonValues(json, 2 * values)).toBe(false);
      if (values > 1) expect(hasMoreJsonValues(json, values - 2)).toBe(true);
    }),
  );
});

it("counts nothing inside a string", () => {
  expect(hasMoreJsonValues(String.raw`["\\",2,"\\\"[,[",4]`, 4)).toBe(false);
  expect(hasMoreJsonValues(String.raw`["\\",2,"\\\"[,[",4]`, 3)).toBe(true);
  expect(hasMoreJsonValues('["[,,,,', 1)).toBe(false);
  expect(hasMoreJsonValues(JSON.stringify({ a: '[{,\\"[{,' }), 1)).toBe(false);
  expect(hasMoreJsonValues("[1,2,3]", 3)).toBe(false);
  expect(hasMoreJsonValues("[1,2,3]", 2)).toBe(true);
});
