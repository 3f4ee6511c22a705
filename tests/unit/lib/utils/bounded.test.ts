import { bounded, boundedCache, boundedSet } from "@/lib/utils/bounded";

const REASON = "Nobody has more.";
const refusal = { type: "SERVICE_UNAVAILABLE", cause: new Error("things: all 2 are taken. Nobody has more.") };

it("forgets the entry of a cache that was set longest ago", () => {
  const cache = boundedCache<string, number>("things", 2, REASON);
  cache.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...cache]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});

it("keeps the entries of a cache that are in use, and refuses another when all are", () => {
  const inUse = new Set(["first"]);
  const cache = boundedCache<string, string>("things", 2, REASON, (value) => inUse.has(value));
  cache.set("a", "first").set("b", "second").set("c", "third");
  expect([...cache.keys()]).toEqual(["a", "c"]);
  inUse.add("third");
  expect(() => cache.set("d", "fourth")).toThrow(expect.objectContaining(refusal));
  expect([...cache.keys()]).toEqual(["a", "c"]);
});

it("refuses an entry beyond the maximum of a Map, whose others may change and keep their places", () => {
  const map = bounded<string, number>("things", 2, REASON);
  map.set("a", 1).set("b", 2).set("a", 3);
  expect(() => map.set("c", 4)).toThrow(expect.objectContaining(refusal));
  expect([...map]).toEqual([
    ["a", 3],
    ["b", 2],
  ]);
  map.delete("a");
  expect(map.set("c", 4).size).toBe(2);
});

it("refuses a member beyond the maximum of a Set, but not one that it has", () => {
  const set = boundedSet<string>("things", 2, REASON);
  set.add("a").add("b").add("a");
  expect(() => set.add("c")).toThrow(expect.objectContaining(refusal));
  expect([...set]).toEqual(["a", "b"]);
});
