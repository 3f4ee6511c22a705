import { chosenText, stretchesOf } from "@/components/shared/difference/choices";
import { randomNumbers } from "@/tests/support/random-numbers";

const none = new Set<number>();

it("makes changes of words that took each other's place", () => {
  expect(stretchesOf("The quick brown fox jumps.", "The slow red fox jumps.")).toEqual([
    { same: "The " },
    { old: "quick brown", new: "slow red" },
    { same: " fox jumps." },
  ]);
});

it("takes and leaves each change as a whole", () => {
  const stretches = stretchesOf("One big cat and one old dog.", "One small cat and one young dog.") ?? [];
  expect(chosenText(stretches, none)).toBe("One small cat and one young dog.");
  expect(chosenText(stretches, new Set([0]))).toBe("One big cat and one young dog.");
  expect(chosenText(stretches, new Set([0, 1]))).toBe("One big cat and one old dog.");
});

it("has no changes to choose from when the texts have little in common", () => {
  expect(stretchesOf("Fill the tray and wait a while.", "Füllen Sie die Schale, und warten Sie etwas.")).toBeNull();
});

it("keeps paragraphs apart", () => {
  const [old, text] = ["One.\n\nTwo words here.", "One!\n\nTwo words there."];
  const stretches = stretchesOf(old, text) ?? [];
  expect(stretches.filter((stretch) => "old" in stretch)).toHaveLength(2);
});

it("gives back either text in full, for 2,000 random pairs", () => {
  const random = randomNumbers(3);
  const words = ["one", "two", "three", "über", "日本語", "🌱", "\n\n", "- ", "a.", "(b)"];
  const some = (length: number) =>
    Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(random() < 0.8 ? " " : "");
  let chosen = 0;
  for (let pair = 0; pair < 2_000; pair += 1) {
    const old = some(1 + Math.floor(random() * 12));
    const text = random() < 0.7 ? old.replace("one", "five").replace("two ", "") : some(6);
    const stretches = stretchesOf(old, text);
    if (!stretches) continue;
    chosen += 1;
    const all = new Set(stretches.flatMap((stretch) => ("old" in stretch ? [0] : [])).map((_, index) => index));
    expect(chosenText(stretches, none)).toBe(text);
    expect(chosenText(stretches, all)).toBe(old);
  }
  expect(chosen).toBeGreaterThan(1_000);
});
