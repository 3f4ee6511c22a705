import { createThoughtSplitter, HELD_BACK, withoutThoughts } from "@/lib/ai/thoughts";

/** What a reader has on screen after each part, and whether it says that the model thinks. */
function read(parts: string[], options?: Parameters<typeof createThoughtSplitter>[0]) {
  const splitter = createThoughtSplitter(options);
  const screens: string[] = [];
  const thinking: boolean[] = [];
  let screen = "";
  for (const split of [...parts.map((part) => splitter.push(part)), splitter.end()]) {
    screen = split.restart ? split.text : screen + split.text;
    screens.push(screen);
    thinking.push(split.isThinking);
  }
  return { text: screen.trim(), screens, thinking };
}

const NAMES = ["think", "thinking", "thought", "reasoning", "reflection"];
const FINAL = "<|start|>assistant<|channel|>final<|message|>";
const ANSWER = "The answer, which is a good deal longer than what was thought before it.";

const ANSWERS: [what: string, whole: string, text: string][] = [
  ...NAMES.map((name): [string, string, string] => [name, `<${name}>Hm.</${name}>\n\n${ANSWER}`, ANSWER]),
  ["a tag in capitals", `<THINK>Hm.</Think>${ANSWER}`, ANSWER],
  ["space before the tag", `\n \n<think>Hm.</think>\n${ANSWER}`, ANSWER],
  ["two pairs in a row", `<think>Hm.</think>\n<reasoning>Well.</reasoning>\n${ANSWER}`, ANSWER],
  ["an empty pair", `<think>\n\n</think>\n\n${ANSWER}`, ANSWER],
  ["other tags within", `<think>Use <b> and </thinking>.</think>${ANSWER}`, ANSWER],
  ["a closing tag alone", `Hm, so be it.\n</think>\n\n${ANSWER}`, ANSWER],
  ["a closing tag alone, then a pair", `Hm.</think><think>Well.</think>${ANSWER}`, ANSWER],
  ["a pair within a pair", `<think>Hm <think>no</think> well</think>${ANSWER}`, ANSWER],
  ["gpt-oss's channels", `<|channel|>analysis<|message|>Hm.<|end|>${FINAL}${ANSWER}<|return|>`, ANSWER],
  [
    "gpt-oss with nothing between its channels",
    `<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>${ANSWER}`,
    ANSWER,
  ],
  ["gpt-oss without its end mark", `<|channel|>analysis<|message|>Hm.${FINAL}${ANSWER}`, ANSWER],
  [
    "two of gpt-oss's thoughts",
    `<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>commentary<|message|>B<|end|>${FINAL}${ANSWER}`,
    ANSWER,
  ],
  ["gpt-oss's first mark cut away", `Hm.<|end|>${FINAL}${ANSWER}<|return|>`, ANSWER],
  ["gpt-oss's final channel alone", `<|channel|>final<|message|>${ANSWER}`, ANSWER],
  ["gpt-oss and a sign like its marks", `<|channel|>final<|message|>1 < 2 <| 3${ANSWER}`, `1 < 2 <| 3${ANSWER}`],
  [
    "a text about the tags",
    "## What <think> does\n\nIt ends with </think>.",
    "## What <think> does\n\nIt ends with </think>.",
  ],
  [
    "a closing tag in code",
    "The mark `</think>` ends it. Much more is to be said.",
    "The mark `</think>` ends it. Much more is to be said.",
  ],
  [
    "a text about gpt-oss",
    `It writes <|channel|>analysis<|message|> and then ${FINAL}.`,
    `It writes <|channel|>analysis<|message|> and then ${FINAL}.`,
  ],
  ["a closing tag near the end", `${ANSWER} So that is that.</think> Bye.`, `${ANSWER} So that is that.</think> Bye.`],
  ["nothing after the closing tag", `${ANSWER}</think>\n`, `${ANSWER}</think>`],
  ["a tag of another name", "<thinker>A statue.</thinker>", "<thinker>A statue.</thinker>"],
  ["the beginning of a tag", "<thi", "<thi"],
  ["thoughts that never end", "<think>Hm, let me see", ""],
  ["a channel's header alone", "<|channel|>analysis", ""],
  ["no tag", ANSWER, ANSWER],
];

it.each(ANSWERS)("leaves the answer alone: %s", (_what, whole, text) => {
  expect(withoutThoughts(whole).trim()).toBe(text);
});

it.each(ANSWERS)(
  "reads the same in two parts, wherever they are cut, and letter by letter: %s",
  (_what, whole, text) => {
    for (let cut = 0; cut <= whole.length; cut++) {
      expect([cut, read([whole.slice(0, cut), whole.slice(cut)]).text]).toEqual([cut, text]);
    }
    expect(read([...whole]).text).toBe(text);
  },
);

it("shows a text without tags word by word", () => {
  const words = ["Water ", "in ", "the ", "morning."];
  expect(read(words).screens).toEqual([
    "Water ",
    "Water in ",
    "Water in the ",
    "Water in the morning.",
    "Water in the morning.",
  ]);
});

it("shows nothing of thoughts, and says so until text comes", () => {
  const { screens, thinking } = read(["<thi", "nk>Hm", ", well", "</th", "ink>\n\n", "Yes", "."]);
  expect(screens).toEqual(["", "", "", "", "", "Yes", "Yes.", "Yes."]);
  expect(thinking).toEqual([false, true, true, true, false, false, false, false]);
});

it("takes back what was shown when it turns out to be thoughts", () => {
  const { screens } = read(["Hm, ", "well.\n", "</thi", "nk>\n\n", "It is ", "a plain yes."]);
  expect(screens.slice(0, 3)).toEqual(["Hm, ", "Hm, well.\n", "Hm, well.\n</thi"]);
  expect(screens.slice(3)).toEqual(["", "It is ", "It is a plain yes.", "It is a plain yes."]);
});

it("shows the whole again when a closing tag turns out to be part of the text", () => {
  const whole = `${ANSWER}</think> Bye.`;
  expect(read([whole.slice(0, 10), whole.slice(10)]).screens.at(-1)).toBe(whole);
});

describe("for a model that leaves its thoughts unopened", () => {
  it("holds the thoughts back", () => {
    const { screens, thinking } = read(["Hm, ", "well.", "</think>", "It is a plain yes."], { holdBack: HELD_BACK });
    expect(screens).toEqual(["", "", "", "It is a plain yes.", "It is a plain yes."]);
    expect(thinking.slice(0, 2)).toEqual([true, true]);
  });

  it("holds back 20,000 characters at most", () => {
    const { screens } = read(["x".repeat(20_000), "y", "z"], { holdBack: HELD_BACK });
    expect(screens.map((screen) => screen.length)).toEqual([0, 20_001, 20_002, 20_002]);
  });

  it("shows a short answer without thoughts at its end", () => {
    expect(read(["Yes."], { holdBack: HELD_BACK }).text).toBe("Yes.");
  });
});
