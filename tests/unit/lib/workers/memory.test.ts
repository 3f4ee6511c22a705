import { spawnSync } from "node:child_process";
import { HOSTILE_MARKDOWN } from "@/tests/support/hostile-markdown";

const shape = (name: string, bytes: number) => HOSTILE_MARKDOWN[name]?.(bytes) ?? "";

const TEXTS: { name: string; markdown: string; unchecked?: true; answer: RegExp }[] = [
  {
    name: "is refused before its HTML is made, where that would be 160 MB of 56 KB",
    markdown: `[a]: /${"x".repeat(16_000)}\n\n${"[a] ".repeat(10_000)}`,
    answer: /^TOO_COMPLEX: .* more than 4 MB of HTML: .* Shorten or divide it/,
  },
  {
    name: "is refused before it is parsed: a table of 316 columns with short rows",
    markdown: shape("a table of 316 columns with short rows", 100_000),
    answer: /^TOO_COMPLEX: .*table of 316 columns; at most 250/,
  },
  {
    name: "is refused before it is parsed: lists on every line",
    markdown: shape("lists on every line", 500_000),
    answer: /^TOO_COMPLEX: .*more than 50,000 lines, list items and quotes/,
  },
  {
    name: "costs its thread alone where no check knows it",
    markdown: shape("lists on every line", 500_000),
    unchecked: true,
    answer: /^TOO_COMPLEX: This text (takes longer than 3 seconds|needs more than 256 MB)/,
  },
  { name: "is followed by one that is rendered", markdown: "Hello *you*", answer: /^70 characters$/ },
];

describe("a text that needs more memory than there is", () => {
  let outcomes: string[] = [];

  // In another process: a single allocation past a thread's limit would end this one (134), whatever the limit.
  beforeAll(() => {
    const command = ["--conditions=react-server", "--import", "tsx", "tests/support/render-main.ts"];
    const { status, stdout } = spawnSync(process.execPath, command, {
      input: JSON.stringify(TEXTS),
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, TSX_TSCONFIG_PATH: "tests/support/tsconfig.json" },
    });
    expect(status).toBe(0);
    outcomes = JSON.parse(stdout) as string[];
  });

  it.each(TEXTS.map(({ name, answer }, place) => ({ name, answer, place })))("$name", ({ answer, place }) => {
    expect(outcomes[place]).toMatch(answer);
  });
});
