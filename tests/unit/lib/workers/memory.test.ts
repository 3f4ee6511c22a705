import { spawnSync } from "node:child_process";
import { HOSTILE_MARKDOWN } from "@/tests/support/hostile-markdown";

/** In a process of its own, which a single allocation past a thread's limit would end (134), whatever the limit. */
function render(markdown: string, ...mode: "unchecked"[]) {
  const command = ["--conditions=react-server", "--import", "tsx", "tests/support/render-main.ts", ...mode];
  const { status, signal, stdout } = spawnSync(process.execPath, command, {
    input: markdown,
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, TSX_TSCONFIG_PATH: "tests/support/tsconfig.json" },
  });
  return { end: signal ?? status, answer: stdout };
}

const shape = (name: string, bytes: number) => HOSTILE_MARKDOWN[name]?.(bytes) ?? "";

describe("a text that needs more memory than there is", () => {
  it("is refused before its HTML is made, where that would be 400 MB of 120 KB", () => {
    const markdown = `[a]: /${"x".repeat(16_000)}\n\n${"[a] ".repeat(25_000)}`;
    expect(render(markdown)).toEqual({
      end: 0,
      answer: expect.stringMatching(/^TOO_COMPLEX: .* more than 4 MB of HTML: .* Shorten or divide it/),
    });
  });

  it.each([
    ["a table of 316 columns with short rows", 100_000, /table of 316 columns; at most 250/],
    ["lists on every line", 500_000, /more than 50,000 lines, list items and quotes/],
  ])("is refused before it is parsed: %s", (name, bytes, sentence) => {
    const { end, answer } = render(shape(name, bytes));
    expect([end, answer.split(":")[0]]).toEqual([0, "TOO_COMPLEX"]);
    expect(answer).toMatch(sentence);
  });

  it("costs its thread alone where no check knows it", () => {
    const { end, answer } = render(shape("lists on every line", 500_000), "unchecked");
    expect(end).toBe(0);
    expect(answer).toMatch(/^TOO_COMPLEX: This text (takes longer than 3 seconds|needs more than 256 MB)/);
  });

  it("is rendered where it is ordinary", () => {
    expect(render("Hello *you*")).toEqual({ end: 0, answer: "70 characters" });
  });
});
