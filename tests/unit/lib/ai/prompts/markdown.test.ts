import { cleanSection, lastWords, lengthInWords, withoutOuterFence } from "@/lib/ai/prompts/markdown";

describe("a section as it is stored", () => {
  it.each([
    ["its own heading", "## Light\n\nText."],
    ["its own heading in other dress", "### **light:**\n\nText."],
    ["its own heading in bold", "**Light**\n\nText."],
    ["a fence around the whole", "```markdown\n## Light\n\nText.\n```"],
    ["an announcement", "Here is the section:\n\n## Light\n\nText."],
    ["a rule after it", "Text.\n\n---\n"],
  ])("loses %s", (_what, markdown) => {
    expect(cleanSection(markdown, "Light")).toBe("Text.");
  });

  it("opens no section of its own: higher headings become H3", () => {
    expect(cleanSection("# One\n\na\n\n## Two\n\nb\n\n### Three\n\nc", "Light")).toBe(
      "### One\n\na\n\n### Two\n\nb\n\n### Three\n\nc",
    );
  });

  it("keeps code as it is, with its fences and its # lines", () => {
    const code = "```sh\n# a comment\n## another\n```";
    expect(cleanSection(`Text.\n\n${code}`, "Light")).toBe(`Text.\n\n${code}`);
    expect(cleanSection(`${code}\n\nText.\n\n${code}`, "Light")).toBe(`${code}\n\nText.\n\n${code}`);
  });

  it("keeps a sentence that begins with the heading's words", () => {
    expect(cleanSection("Light is what a plant lives on.", "Light")).toBe("Light is what a plant lives on.");
  });

  it("is empty when there was nothing but its heading", () => {
    expect(cleanSection("## Light\n", "Light")).toBe("");
  });
});

it("takes a fence off only when it holds the whole text", () => {
  expect(withoutOuterFence("```\na\n```\n\nb\n\n```\nc\n```")).toBe("```\na\n```\n\nb\n\n```\nc\n```");
  expect(withoutOuterFence("~~~md\na\n~~~")).toBe("a");
});

describe("length in words", () => {
  it("counts words between spaces, and two characters as a word where there are none", () => {
    expect(lengthInWords("three plain words")).toBe(3);
    expect(lengthInWords("阳台上的香草")).toBe(3);
    expect(lengthInWords("  ")).toBe(0);
  });

  it("takes the last words with what stands between them", () => {
    expect(lastWords("one two\n\nthree four", 2)).toBe("three four");
    expect(lastWords("one two", 5)).toBe("one two");
  });
});
