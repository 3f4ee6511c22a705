/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { WritingProgress } from "@/components/generation/writing-progress";

it("counts the words so far in scripts without spaces too", () => {
  const sections = [
    { heading: "土", text: "阳台上的香草" },
    { heading: "水", text: "早晨浇水" },
  ];
  const writing = { index: 1, count: 3, heading: "水", sections };
  render(<WritingProgress writing={writing} onStop={jest.fn()} isStopping={false} />);
  expect(screen.getByText("5 words")).toBeVisible();
});
