import { titleKey } from "@/lib/utils/title-key";

it("is the same for titles that differ in case, punctuation, spacing and word order alone", () => {
  expect(titleKey("How to prune: Apple trees!")).toBe(titleKey("apple trees  how to PRUNE"));
  expect(titleKey("prune apple trees")).not.toBe(titleKey("prune pear trees"));
});

it("is empty for a title without letters and digits", () => {
  expect(titleKey(" ?! ")).toBe("");
});

it("is short, however long the title", () => {
  expect(titleKey("漢字 ".repeat(100)).length).toBeLessThan(20);
});
