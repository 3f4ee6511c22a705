import { fileStem } from "@/lib/features/account/own-data/rules";

it.each([
  ["हिन्दी में लिखना", "हिन्दी-में-लिखना-7"],
  ["วิธีปลูกผัก", "วิธีปลูกผัก-7"],
  ["ကျား", "ကျား-7"],
  ["שָׁלוֹם", "שָׁלוֹם-7"],
  ["Für Bären!", "für-bären-7"],
  ["I ❤️ basil", "i-basil-7"],
])("names a file for %j with the marks of its letters", (title, stem) => {
  expect(fileStem(title, 7)).toBe(stem.normalize("NFC"));
});

it.each(["❤️", "\u0301", "\u200d", "…"])("names a file for %j, which has no letters, by its id", (title) => {
  expect(fileStem(title, 7)).toBe("untitled-7");
});
