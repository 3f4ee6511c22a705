import { tests } from "commonmark-spec";
import { randomNumbers } from "@/tests/support/random-numbers";

/** The examples of CommonMark, whose arrow stands for a tab. */
export const COMMONMARK: string[] = tests.map(({ markdown }) => markdown.replaceAll("→", "\t"));

/** The examples of GitHub's additions, in our words. */
export const GFM = [
  "| foo | bar |\n| --- | --- |\n| baz | bim |\n",
  "| abc | defghi |\n:-: | -----------:\nbar | baz\n",
  "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n",
  "| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n",
  "| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n",
  "| abc | def |\n| --- |\n| bar |\n",
  "- [ ] foo\n- [x] bar\n",
  "- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n",
  "~~Hi~~ Hello, ~~there~~ world!\n",
  "This ~~has a\n\nnew paragraph~~.\n",
  "www.commonmark.org/he<lp\n",
  "http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))\n",
  "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.\n",
];

const WORDS = [
  "rain",
  "garden",
  "Regen",
  "雨水花园",
  "水はけ",
  "빗물 정원",
  "حديقة المطر",
  "גינת גשם",
  "👩‍🌾",
  "café",
  "e\u0301te",
  "Ω≈ç",
  "\u200d",
  "\u202e",
];
const INLINE: ((text: string) => string)[] = [
  (text) => text,
  (text) => `**${text}**`,
  (text) => `*${text}*`,
  (text) => `_${text}_`,
  (text) => `~~${text}~~`,
  (text) => `\`${text}\``,
  (text) => `[${text}](https://example.com/a_b)`,
  (text) => `[${text}](<https://example.com/a b> "title")`,
  (text) => `![${text}](https://example.com/a.png)`,
  (text) => `***${text}***`,
  (text) => `\\*${text}\\*`,
  (text) => `&amp; ${text} &copy;`,
  (text) => `<b>${text}</b>`,
  (text) => `[${text}]`,
  () => "https://example.com/path",
];
const BLOCK: ((line: () => string) => string)[] = [
  (line) => line(),
  (line) => `## ${line()}`,
  (line) => `### ${line()} ###`,
  (line) => `${line()}\n===`,
  (line) => `- ${line()}\n- ${line()}\n  - ${line()}\n`,
  (line) => `1. ${line()}\n2. ${line()}\n\n   ${line()}`,
  (line) => `* [ ] ${line()}\n* [x] ${line()}`,
  (line) => `> ${line()}\n> ${line()}`,
  (line) => `> - ${line()}\n>   ${line()}`,
  (line) => `\`\`\`js\n${line()}\n\`\`\``,
  (line) => `    ${line()}`,
  (line) => `| ${line()} | b |\n| --- | :-: |\n| ${line()} | |`,
  () => "---",
  (line) => `${line()}  \n${line()}\\\n${line()}`,
  (line) => `<div>\n${line()}\n</div>`,
];
const BETWEEN = ["\n\n", "\n\n\n", "\n", "\r\n\r\n", "\n \t \n"];

/** Documents made of all of these by chance, the same ones at each run. */
export function generatedDocuments(count: number, { hostile = true } = {}): string[] {
  const random = randomNumbers(18);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const words = () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(hostile ? WORDS : WORDS.slice(0, 3))).join(" ");
  const line = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      one(hostile ? INLINE : INLINE.slice(0, 8))(words()),
    ).join(" ");
  return Array.from({ length: count }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 6) },
      () => one(BLOCK)(line) + one(hostile ? BETWEEN : BETWEEN.slice(0, 1)),
    ).join(""),
  );
}
