/** Permuted so that no two paragraphs are alike and a search finds rare words too. */
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

/** About 24 KB of Markdown, the same in every run, from which the bodies are cut. */
export function corpus(): string {
  let state = 20_261;
  // A minimal generator: Math.random cannot be seeded.
  const word = () => {
    state = (state * 48_271) % 2_147_483_647;
    return WORDS[state % WORDS.length] ?? "";
  };
  const sentence = () => `${Array.from({ length: SENTENCE }, word).join(" ")}.`;
  const paragraph = (_: unknown, at: number) =>
    `${at % 5 === 0 ? `### ${word()} ${word()}\n\n` : ""}${Array.from({ length: SENTENCES }, sentence).join(" ")}`;
  return Array.from({ length: PARAGRAPHS }, paragraph).join("\n\n");
}
