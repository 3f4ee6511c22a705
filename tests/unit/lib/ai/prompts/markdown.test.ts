import { cleanSection } from "@/lib/ai/prompts/clean-section";
import { lastWords } from "@/lib/ai/prompts/markdown";

describe("a section as stored", () => {
  it.each([
    ["its own heading", "## Light\n\nText."],
    ["its own heading in another style", "### **light:**\n\nText."],
    ["its own heading in bold", "**Light**\n\nText."],
    ["a fence around the whole", "```markdown\n## Light\n\nText.\n```"],
    ["an introductory sentence", "Here is the section:\n\n## Light\n\nText."],
    ["a trailing rule", "Text.\n\n---\n"],
  ])("loses %s", (_what, markdown) => {
    expect(cleanSection(markdown, "Light")).toBe("Text.");
  });

  it("has H1 and H2 turned into H3, so that it starts no new section", () => {
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

  it("is empty when it was only its heading", () => {
    expect(cleanSection("## Light\n", "Light")).toBe("");
  });
});

it("returns the last words with the spaces between them", () => {
  expect(lastWords("one two\n\nthree four", 2)).toBe("three four");
  expect(lastWords("one two", 5)).toBe("one two");
  expect(lastWords("| one | two |\n| --- | --- |\n", 1)).toBe("two |\n| --- | --- |\n");
  expect(lastWords("น้ำและดิน", 2)).toBe("ะดิน");
});
