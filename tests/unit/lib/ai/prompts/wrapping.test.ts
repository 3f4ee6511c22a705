import { withoutWrapping } from "@/lib/ai/prompts/wrapping";
import { ANSWER_BEGINNINGS, FENCED_ANSWERS } from "@/tests/support/answer-beginnings";

const TEXT = "Water in the morning.\n\nFeel the soil first.";
const ANNOUNCED = ANSWER_BEGINNINGS.filter(({ announces }) => announces).map(({ line }) => line);
const WRITTEN = ANSWER_BEGINNINGS.filter(({ announces }) => !announces).map(({ line }) => line);

it.each(ANNOUNCED)("removes %j before a blank line", (line) => {
  expect(withoutWrapping(`${line}\n\n${TEXT}`)).toBe(TEXT);
});

it.each(WRITTEN)("keeps %j", (line) => {
  expect(withoutWrapping(`${line}\n\n${TEXT}`)).toBe(`${line}\n\n${TEXT}`);
});

it("keeps an announcement without a blank line after it, which may be a list's or a code's", () => {
  expect(withoutWrapping(`Here is the section:\n${TEXT}`)).toBe(`Here is the section:\n${TEXT}`);
});

it.each(FENCED_ANSWERS)("takes the inside of a fence around the text only: $answer", ({ answer, inside }) => {
  expect(withoutWrapping(answer)).toBe(inside ?? answer.trim());
});
