import { readJson } from "@/lib/wordpress/json";
import { cpuTime } from "@/tests/support/cpu-time";

it("reads what WordPress answers, with the notices of a plugin around it", () => {
  expect(readJson('\uFEFF{"a":[1]}')).toEqual({ a: [1] });
  expect(readJson('<b>Notice</b>: "[a] {x" in line 7 [{"id":1,"name":"a, b"}]')).toEqual([{ id: 1, name: "a, b" }]);
  expect(readJson("<!doctype html><p>[]</p>")).toBeUndefined();
});

const long = (unit: string) => unit.repeat(Math.floor(8_000_000 / unit.length));

it.each([
  ["empty objects", `[${long("{},")}{}]`],
  ["broken objects", `{"a":[${long("{},")}x`],
  ["openings", long('{"')],
  ["nested lists", long("[")],
  ["a broken text with brackets", `{"a":"${long('{\\"[{\\"')}`],
  ["numbers", `[${long("1,")}1]`],
])("takes no longer for eight megabytes of %s than for a long post", (_what, text) => {
  expect(cpuTime(() => expect(readJson(text)).toBeUndefined())).toBeLessThan(2_500);
});

it("reads the longest post there can be", () => {
  const raw = "\\u00e4".repeat(1_200_000);
  expect(readJson(`{"content":{"raw":"${raw}"}}`)).toEqual({ content: { raw: "ä".repeat(1_200_000) } });
});
