/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { WritingProgress } from "@/components/generation/writing-progress";
import { renderScreen } from "@/tests/support/render";

const writing = { index: 1, count: 3, heading: "Two", sections: [], isThinking: false };

it.each([
  [writing, "Section 2 of 3"],
  [{ ...writing, isThinking: true }, "Section 2 of 3: Thinking…"],
  [{ ...writing, index: 0, count: 1 }, "The AI is at work"],
  [{ ...writing, index: 0, count: 1, isThinking: true }, "Thinking…"],
])("says what the AI does: %#", (state, words) => {
  renderScreen(<WritingProgress writing={state} onStop={() => {}} isStopping={false} />);
  expect(screen.getByRole("status")).toHaveTextContent(words);
});

it("counts the words so far in scripts without spaces too", () => {
  const sections = [
    { heading: "土", text: "阳台上的香草" },
    { heading: "水", text: "早晨浇水" },
  ];
  const writing = { index: 1, count: 3, heading: "水", sections, isThinking: false };
  renderScreen(<WritingProgress writing={writing} onStop={jest.fn()} isStopping={false} />);
  expect(screen.getByText("5 words")).toBeVisible();
});
