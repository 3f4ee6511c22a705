import { withTexts } from "@/lib/features/generation/client/watched-texts";
import type { JobTexts } from "@/lib/features/generation/schema";

type Text = JobTexts["texts"][number];
const text = (itemId: string, over: Partial<Text> = {}): Text => ({
  itemId,
  contentPieceId: `piece ${itemId}`,
  title: itemId,
  status: "processing",
  section: { number: 1, of: 3 },
  secondsLeft: null,
  parts: [],
  ...over,
});
const part = (position: number, from: number, added: string) => ({
  position,
  heading: `Part ${position}`,
  from,
  text: added,
});
const now = (...texts: Text[]) => ({ job: {}, texts }) as JobTexts;
const after = (...changes: JobTexts[]) => changes.reduce(withTexts, withTexts(undefined, now()));
const ids = ({ texts }: ReturnType<typeof after>) => texts.map(({ itemId }) => itemId);
const sections = (...changes: JobTexts[]) => after(...changes).texts[0]?.sections.map(({ text }) => text);

it("adds what is new of a section to what was read of it", () => {
  const first = now(text("a", { parts: [part(0, 0, "Soil war")] }));
  expect(sections(first, now(text("a", { parts: [part(0, 8, "ms early.")] })))).toEqual(["Soil warms early."]);
});

it("replaces what a section has lost", () => {
  const first = now(text("a", { parts: [part(0, 0, "Soil wrms")] }));
  expect(sections(first, now(text("a", { parts: [part(0, 6, "arms")] })))).toEqual(["Soil warms"]);
  expect(sections(first, now(text("a", { parts: [part(0, 0, "")] })))).toEqual([""]);
});

it("drops the sections after one that is being rewritten", () => {
  const second = now(text("a", { section: { number: 2, of: 3 }, parts: [part(0, 0, "One."), part(1, 0, "Two.")] }));
  expect(sections(second, now(text("a", { parts: [part(0, 0, "Anew.")] })))).toEqual(["Anew."]);
});

it("keeps the words of a text that has ended, and has all of one that is completed", () => {
  const first = now(text("a", { parts: [part(0, 0, "One.")] }));
  expect(sections(first, now(text("a", { status: "failed" })))).toEqual(["One."]);
  const second = now(text("a", { section: { number: 2, of: 3 }, parts: [part(1, 0, "Two.")] }));
  const done = now(text("a", { status: "completed", parts: [part(0, 0, "One. Two. Three.")] }));
  expect(sections(first, second, done)).toEqual(["One. Two. Three."]);
  expect(sections(first, second, done, now(text("a", { status: "completed" })))).toEqual(["One. Two. Three."]);
});

it("leaves each text in its place, and puts a new one where one has gone", () => {
  const four = now(text("a"), text("b"), text("c"), text("d"));
  expect(ids(after(four, now(text("a"), text("c"), text("d"), text("e"))))).toEqual(["a", "e", "c", "d"]);
  expect(ids(after(four, now(text("d"), text("c"))))).toEqual(["c", "d"]);
  expect(ids(after(now(text("a")), now(text("b"), text("a"), text("c"))))).toEqual(["a", "b", "c"]);
});
