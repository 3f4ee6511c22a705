/** @jest-environment jsdom */
import { render, screen, within } from "@testing-library/react";
import { TopicSteps } from "@/components/topics/topic-steps";
import { aTopic } from "@/tests/support/pieces";

const steps = { idea: 1, outline: 0, text: 1200, live: 3 };

it("shows how far a topic's pieces have come, and leads each count to its pieces", () => {
  render(<TopicSteps topic={aTopic({ contentCount: 1204, steps })} />);
  const list = screen.getByRole("list", { name: "Pieces of Seed starting indoors by step" });
  expect(list).toHaveTextContent(/1 idea.*→0 outlines.*→1,200 texts.*→3 live/);
  const links = within(list)
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["1 idea of Seed starting indoors", "/content?topicId=7&step=idea"],
    ["1,200 texts of Seed starting indoors", "/content?topicId=7&step=text"],
    ["3 live of Seed starting indoors", "/content?topicId=7&step=live"],
  ]);
});

it("shows no steps of a topic without pieces", () => {
  render(<TopicSteps topic={aTopic()} />);
  expect(screen.queryByRole("list")).not.toBeInTheDocument();
});

it("shows no steps of a topic that the release before has answered with", () => {
  render(<TopicSteps topic={{ ...aTopic({ contentCount: 3 }), steps: undefined as never }} />);
  expect(screen.queryByRole("list")).not.toBeInTheDocument();
});
