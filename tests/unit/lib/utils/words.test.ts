import { lengthInWords, wordStarts } from "@/lib/utils/words";

it.each([
  ["three plain words", 3],
  ["Über-große Äpfel, fürs Backen", 4],
  ["İstanbul'da ılık bir gün", 4],
  ["  ", 0],
  ["", 0],
  ["जड़ों को सड़ने से बचाएँ", 5],
  ["كَيْفَ تَزْرَعُ الرَّيْحَانَ", 3],
  ["שָׁלוֹם עוֹלָם", 2],
  ["می\u200cخواهم بکارم", 2],
  ["阳台上的香草", 3],
  ["阳台上，的香草。", 4],
  ["「日本」、東京", 2],
  ["ひらがな", 2],
  ["コーヒー", 2],
  ["one\u200btwo", 2],
  ["か\u3099き\u3099", 1],
  ["ﾊﾞｼﾞﾙ", 3],
  ["ระบายน้ำ", 4],
  ["ดิน\u200bน้ำ", 2],
  ["ລະບາຍນ້ຳ", 4],
  ["ស្រោចទឹក", 3],
  ["ရေလောင်းပါ", 2],
  ["བཀྲ་ཤིས", 2],
  ["창가에서 바질 키우기", 3],
  ["用WordPress搭建个人博客", 5],
  ["2027年3月", 4],
])("counts the words of %j", (text, words) => {
  expect(lengthInWords(text)).toBe(words);
});

it("counts no marks of tables, rules, lists and headings", () => {
  const table = "| Pot | Water |\n| --- | :---: |\n|clay|much|\n";
  expect(lengthInWords(table)).toBe(4);
  expect(lengthInWords("---\n\n***\n\n___\n")).toBe(0);
  expect(lengthInWords("## Light\n\n- one\n- [ ] two\n\n> three – four\n")).toBe(5);
});

it.each(["น้ำน้ำ", "か\u3099か\u3099か\u3099", "ကျား ကျား", "पानी पानी", "ស្រោចទឹក"])(
  "begins no word with a mark in %j",
  (text) => {
    for (const start of wordStarts(text)) expect(text.slice(start)).not.toMatch(/^\p{M}/u);
  },
);
