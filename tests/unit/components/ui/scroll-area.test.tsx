/** @jest-environment jsdom */
import { act, fireEvent, render, screen } from "@testing-library/react";
import { ScrollArea } from "@/components/ui/scroll-area";

function region() {
  return screen.getByRole("region", { name: "Long" });
}

it("shows its bar while something moves, and hides it 600 ms after the last movement", () => {
  jest.useFakeTimers();
  render(
    <ScrollArea role="region" aria-label="Long">
      <p>text</p>
    </ScrollArea>,
  );
  expect(region()).toHaveAttribute("data-bar", "hidden");

  fireEvent.scroll(region());
  expect(region()).toHaveAttribute("data-bar", "shown");
  act(() => jest.advanceTimersByTime(400));
  fireEvent.pointerMove(region());
  act(() => jest.advanceTimersByTime(599));
  expect(region()).toHaveAttribute("data-bar", "shown");
  act(() => jest.advanceTimersByTime(1));
  expect(region()).toHaveAttribute("data-bar", "hidden");
});
