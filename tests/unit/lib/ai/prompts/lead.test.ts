import { splitLead } from "@/lib/ai/prompts/lead";

const words = (count: number) => "word ".repeat(count).trim();

it("takes the sentences before the line off the first section", () => {
  expect(splitLead("Two things matter.\n\n---\n\nLight.\n\n---\n\nWater.")).toEqual({
    lead: "Two things matter.",
    text: "Light.\n\n---\n\nWater.",
  });
  expect(splitLead(`${words(150)}\n---\nLight.`)).toEqual({ lead: words(150), text: "Light." });
});

it.each([
  ["there is no line", "Two things.\n\nLight."],
  ["nothing is before the line", "---\n\nLight."],
  ["nothing follows the line", "Two things.\n\n---\n"],
  ["a heading is before the line", "Two things.\n\n### Light\n\nIt.\n\n---\n\nMore."],
  ["the line is in code", "Two things.\n\n```yaml\na: 1\n---\nb: 2\n```\n\nMore."],
])("finds none where %s", (_what, markdown) => {
  expect(splitLead(markdown)).toEqual({ lead: "", text: markdown });
});

it("leaves a long text before the line in the section, without making a heading of it", () => {
  expect(splitLead(`${words(151)}\n---\nLight.`)).toEqual({ lead: "", text: `${words(151)}\n\n---\n\nLight.` });
});
