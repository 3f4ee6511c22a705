import { fittingKeywords, KEYWORD_MAX, MAX_SUGGESTED, separateKeywords } from "@/lib/features/topics/rules";

const partsOf = (text: string) => separateKeywords(text).parts;

it.each([
  ["one\ntwo", ["one", "two"]],
  ["one\r\n\r\n  two \r\nthree\r", ["one", "two", "three"]],
  ["one\ttwo\tthree", ["one", "two", "three"]],
  ["one\u2028two\u2029three\u0085four\vfive\fsix", ["one", "two", "three", "four", "five", "six"]],
  ["\n\t \n", []],
])("separates at every line end and tab: %j", (text, keywords) => {
  expect(separateKeywords(text)).toEqual({ lines: keywords, parts: keywords });
});

it.each([
  ["red, blue", ["red", "blue"]],
  ["red; blue;", ["red", "blue"]],
  ["red ,\u00a0blue, ; green", ["red", "blue", "green"]],
  ["restaurants in paris, france", ["restaurants in paris", "france"]],
  ["one two three four five six, seven", ["one two three four five six", "seven"]],
  ["best soil, cheap\nheat mats", ["best soil", "cheap", "heat mats"]],
])("offers to separate at commas and semicolons before a space or the end: %j", (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
  expect(separateKeywords(text).lines).toEqual(text.split("\n"));
});

it.each([
  "1,000 calorie diet",
  "red,blue",
  "c;c++",
  "red,",
  ", red",
  "one two three four five six seven, eight",
  "，red，blue、green",
])("leaves %j as one keyword", (text) => {
  expect(partsOf(text)).toEqual([text]);
});

it.each([
  ["commas", ", ".repeat(200_000)],
  ["commas without spaces", ",".repeat(400_000)],
  ["spaces", " ".repeat(400_000)],
  ["a comma behind each word", "a, ".repeat(130_000)],
  ["a long sentence with one comma", `${"a ".repeat(200_000)}, b`],
  ["tabs and line ends", "\t\r\n".repeat(130_000)],
  ["marks and surrogates", "\u0301\ud83d,\udc00 ".repeat(100_000)],
  ["null characters", "\0, ".repeat(130_000)],
])("separates %s without losing a letter", (_what, text) => {
  const letters = (value: string) => value.replace(/[\s,;]/g, "");
  expect(letters(partsOf(text).join(""))).toBe(letters(text));
});

it("lets a hundred go at once, and keeps what is too long and the rest in their order", () => {
  const long = "x".repeat(KEYWORD_MAX + 1);
  const short = Array.from({ length: MAX_SUGGESTED + 2 }, (_, at) => `${at}`.padStart(KEYWORD_MAX, "k"));
  const { fitting, tooLong, later } = fittingKeywords([long, ...short]);
  expect(fitting).toEqual(short.slice(0, MAX_SUGGESTED));
  expect(tooLong).toEqual([long]);
  expect(later).toEqual([...short.slice(MAX_SUGGESTED), long]);
});
