import fc from "fast-check";
import { parseOutlineSections, wordBudgets } from "@/lib/ai/prompts/outline-sections";

const headings = (outline: string) => parseOutlineSections(outline).map(({ heading }) => heading);

it("reads a section with its brief and its subheadings", () => {
  const outline =
    "# Title\n\nNotes.\n\n## Light\n\nWhat a window gives.\n\n### Lamps\n\nWhen they pay.\n\n## Water\n\nHow to tell.";
  expect(parseOutlineSections(outline)).toEqual([
    {
      heading: "Light",
      level: 2,
      brief: "What a window gives.",
      subheadings: [{ heading: "Lamps", level: 3, brief: "When they pay." }],
    },
    { heading: "Water", level: 2, brief: "How to tell.", subheadings: [] },
  ]);
});

describe("outlines written by hand", () => {
  it.each([
    ["emphasis, closing marks and colons", "## **Light:**\n\n## Water ##", ["Light", "Water"]],
    ["Windows line ends", "## Light\r\nLine\r\n## Water\r\n", ["Light", "Water"]],
    ["only H3 under a title", "# Title\n### Light\n### Water", ["Light", "Water"]],
    ["underlined headings", "Light\n-----\nLine\n\nWater\n-----\n", ["Light", "Water"]],
    ["rules between H2 sections", "## Light\nLine\n---\n## Water", ["Light", "Water"]],
    ["bold lines", "**Light**\nLine\n\n**Water**\nLine", ["Light", "Water"]],
    ["a numbered list", "1. Light\n   - windows\n2. Water", ["Light", "Water"]],
    ["a title over a list", "# Title\n- Light\n- Water", ["Light", "Water"]],
    ["a fence around the whole", "```markdown\n## Light\n\n## Water\n```", ["Light", "Water"]],
    ["nothing but a sentence", "Write about light", ["Write about light"]],
    ["a single bullet", "- Light", ["Light"]],
    ["a title alone", "# Light", ["Light"]],
    ["blank lines", " \n\n", []],
  ])("may have %s", (_what, outline, expected) => {
    expect(headings(outline)).toEqual(expected);
  });

  it("keep nested points in the brief of their section", () => {
    expect(parseOutlineSections("- Light\n  - windows\n  - lamps\n- Water")[0]?.brief).toContain("lamps");
  });

  it("become one section with a short heading when they are one long paragraph", () => {
    const [only, ...others] = parseOutlineSections("word ".repeat(200));
    expect(others).toEqual([]);
    expect(only?.heading.length).toBeLessThanOrEqual(120);
    expect(only?.brief.split(" ")).toHaveLength(200);
  });

  it("never yield a section without a heading, and yield no section only when blank", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("## A", "# B", "### C", "- d", "**e**", "text", "", "```", "---", "##")),
        (lines) => {
          const sections = parseOutlineSections(lines.join("\n"));
          expect(sections.every(({ heading }) => heading.trim() !== "")).toBe(true);
          if (lines.some((line) => line === "text")) expect(sections.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("word budgets", () => {
  it("give a section with subheadings more words than one without", () => {
    const [plain, rich] = wordBudgets(parseOutlineSections("## A\nx\n## B\nx\n### C\nx\n### D\nx"), 1_000);
    expect(rich).toBeGreaterThan(plain ?? 0);
  });

  it("give each section at least 80 words, and are empty without sections", () => {
    expect(Math.min(...wordBudgets(parseOutlineSections("## A\n".repeat(30)), 100))).toBe(80);
    expect(wordBudgets([], 1_000)).toEqual([]);
  });
});

describe("a section with a budget of words", () => {
  const budgets = (outline: string, target = 1_000) => wordBudgets(parseOutlineSections(outline), target);

  it.each([
    ["Words: 300", 300],
    ["words:1,200", 1_200],
    ["  Words: 90  ", 90],
    ["Words: 2 000", 2_000],
  ])("has what %j says", (line, words) => {
    const [section] = parseOutlineSections(`## One\nWhat it says.\n${line}\nNote: with a picture.`);
    expect(section).toMatchObject({ words, brief: "What it says.\nNote: with a picture." });
  });

  it.each(["Words: many", "Words: 300 or so", "In other words: 300", "Words: 0", "Words: 12345"])(
    "has none for %j",
    (line) => {
      expect(parseOutlineSections(`## One\n${line}`)[0]).not.toHaveProperty("words");
    },
  );

  it("leaves the rest to the others", () => {
    expect(budgets("## One\nWords: 400\n## Two\n## Three")).toEqual([400, 300, 300]);
    expect(budgets("## One\nWords: 2000\n## Two")).toEqual([2_000, 80]);
    expect(budgets("## One\nWords: 100\n## Two\nWords: 200")).toEqual([100, 200]);
  });

  it("adds up what its subheadings have", () => {
    expect(budgets("## One\n### A\nWords: 150\n### B\nWords: 50\n## Two")).toEqual([200, 800]);
    expect(budgets("## One\nWords: 500\n### A\nWords: 150\n## Two")).toEqual([500, 500]);
  });
});
