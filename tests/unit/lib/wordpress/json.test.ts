import { readJson } from "@/lib/wordpress/json";
import { cpuTime } from "@/tests/support/cpu-time";

it("reads a response of WordPress with the notices of a plugin around it", () => {
  expect(readJson('\uFEFF{"a":[1]}')).toEqual({ a: [1] });
  expect(readJson('<b>Notice</b>: "[a] {x" in line 7 [{"id":1,"name":"a, b"}]')).toEqual([{ id: 1, name: "a, b" }]);
  expect(readJson("<!doctype html><p>[]</p>")).toBeUndefined();
});

const long = (unit: string) => unit.repeat(Math.floor(8_000_000 / unit.length));

it.each([
  ["empty objects", `[${long("{},")}{}]`],
  ["broken objects", `{"a":[${long("{},")}x`],
  ["opening braces", long('{"')],
  ["nested lists", long("[")],
  ["a broken text with brackets", `{"a":"${long('{\\"[{\\"')}`],
  ["numbers", `[${long("1,")}1]`],
])("gives up quickly on eight megabytes of %s", (_what, text) => {
  expect(cpuTime(() => expect(readJson(text)).toBeUndefined())).toBeLessThan(2_500);
});

it("reads the longest possible post", () => {
  const raw = "\\u00e4".repeat(1_200_000);
  expect(readJson(`{"content":{"raw":"${raw}"}}`)).toEqual({ content: { raw: "ä".repeat(1_200_000) } });
});

describe("a broken response", () => {
  it("is read from 20 brackets on at most", () => {
    const behind = (openings: number) => readJson(`${'{" '.repeat(openings)}[{"id":1}]`);
    expect(behind(19)).toEqual([{ id: 1 }]);
    expect(behind(20)).toBeUndefined();
  });

  it("is read again until 24 million characters have been read", () => {
    const answerBehind = (length: number, answer: string) => readJson(`{"${answer.padStart(length - 2, "x")}`);
    expect(answerBehind(11_999_996, '{"id":1}')).toEqual({ id: 1 });
    expect(answerBehind(11_999_996, '{"id":10}')).toBeUndefined();
  });

  it("gives the longest value in it, the first of equals", () => {
    expect(readJson('[] of {} {"id":7} of []')).toEqual({ id: 7 });
    expect(readJson('[{"a":1}] of {"ab":10} or less')).toEqual([{ a: 1 }]);
  });
});

it("reads no more than 200,000 values", () => {
  const list = (length: number) => readJson(`[${"1,".repeat(length - 1)}1]`);
  expect(list(200_000)).toHaveLength(200_000);
  expect(list(200_001)).toBeUndefined();
});
