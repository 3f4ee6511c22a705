import { parseTokens } from "@/lib/markdown/parser";
import { previewOf } from "@/lib/markdown/preview";
import { renderPost } from "@/lib/wordpress/blocks";
import { cpuTime } from "@/tests/support/cpu-time";
import { HOSTILE_MARKDOWN } from "@/tests/support/hostile-markdown";

function costOf(name: string, bytes: number): number {
  const text = HOSTILE_MARKDOWN[name]?.(bytes) ?? "";
  expect(text.length).toBeGreaterThanOrEqual(bytes);
  return cpuTime(() => renderPost(text));
}

/** Each of these once took 8 s or more, most in quadratic time, and now takes about 0.2 s. */
describe("the renderer takes time in proportion to the text's length", () => {
  it.each([
    ["colons and slashes", 400_000],
    ["schemes with a dash", 400_000],
    ["schemes at the end of words", 400_000],
    ["a fence of line separators", 80_000],
    ["unclosed scripts", 400_000],
    ["tables of HTML without an end", 390_000],
  ])("%s", (name, bytes) => {
    expect(costOf(name, bytes)).toBeLessThan(3_000);
  });
});

it.each([
  "bullets of other apps",
  "single bullets of other apps",
  "bullets of other apps on a line",
  "wide spaces after marks",
  "lists under numbers",
  "front matter without an end",
  "wiki links",
  "unclosed wiki links",
  "one unclosed wiki link",
  "embedded files",
])("parses 500,000 characters of %s in 3 s, and shows or refuses them in 1.5 s", (name) => {
  const text = HOSTILE_MARKDOWN[name]?.(500_000) ?? "";
  expect(cpuTime(() => parseTokens(text, {}))).toBeLessThan(3_000);
  expect(cpuTime(() => previewOf({ text }))).toBeLessThan(1_500);
});
