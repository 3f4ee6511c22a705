/** Words of the texts, by turns so that no two paragraphs are alike and a search finds what is rare, too. */
const WORDS = [
  ..."soil water light seed tray warm cold slow early late deep shallow root leaf stem bed row week frost harvest".split(
    " ",
  ),
  ..."wait sow feed turn lift cover open check measure write repeat begin stop choose leave the a and of with before".split(
    " ",
  ),
];
const SENTENCE = 11;
const SENTENCES = 6;
const PARAGRAPHS = 60;

/** Markdown of some 24 KB, the same in every run, from which the bodies of the data set are cut. */
export function corpus(): string {
  let state = 20_261;
  // The smallest usual generator: Math.random cannot be seeded.
  const word = () => {
    state = (state * 48_271) % 2_147_483_647;
    return WORDS[state % WORDS.length] ?? "";
  };
  const sentence = () => `${Array.from({ length: SENTENCE }, word).join(" ")}.`;
  const paragraph = (_: unknown, at: number) =>
    `${at % 5 === 0 ? `### ${word()} ${word()}\n\n` : ""}${Array.from({ length: SENTENCES }, sentence).join(" ")}`;
  return Array.from({ length: PARAGRAPHS }, paragraph).join("\n\n");
}
