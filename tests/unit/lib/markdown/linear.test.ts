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
