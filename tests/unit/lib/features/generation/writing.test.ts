import { type Writing, withEvent } from "@/lib/features/generation/client/streams";

jest.mock("@/lib/client/toast", () => ({ toast: jest.fn(), toastError: jest.fn() }));

const empty: Writing = { index: 0, count: 0, heading: "", sections: [], isThinking: false };
const section = (index: number, heading: string, restart = false) => ({
  event: "section",
  data: { index, count: 2, heading, restart },
});
const delta = (text: string) => ({ event: "delta", data: { text } });

it("grows the last section word by word", () => {
  const writing = [section(0, "One"), delta("a "), delta("b"), section(1, "Two"), delta("c")].reduce(withEvent, empty);
  expect(writing).toEqual({
    index: 1,
    count: 2,
    heading: "Two",
    sections: [
      { heading: "One", text: "a b" },
      { heading: "Two", text: "c" },
    ],
    isThinking: false,
  });
});

it("drops the text of a section that restarts, and nothing before it", () => {
  const events = [
    section(0, "One"),
    delta("a"),
    section(1, "Two"),
    delta("bad"),
    section(1, "Two", true),
    delta("good"),
  ];
  expect(events.reduce(withEvent, empty).sections).toEqual([
    { heading: "One", text: "a" },
    { heading: "Two", text: "good" },
  ]);
});

it("ignores unknown events", () => {
  expect(withEvent(empty, { event: "ping", data: null })).toBe(empty);
  expect(withEvent(empty, delta("lost"))).toBe(empty);
});

it("says that the model thinks until its text comes", () => {
  const thinking = [section(0, "One"), { event: "thinking", data: {} }].reduce(withEvent, empty);
  expect(thinking.isThinking).toBe(true);
  expect(withEvent(thinking, delta("a")).isThinking).toBe(false);
  expect(withEvent(thinking, section(1, "Two")).isThinking).toBe(false);
});
