/** @jest-environment jsdom */
import { act, fireEvent, render, screen } from "@testing-library/react";
import { ScrollRegion } from "@/components/shared/scroll-region";

function region() {
  return screen.getByRole("region", { name: "Long" });
}

it("shows its scrollbar on movement, and hides it 600 ms after the last one", () => {
  jest.useFakeTimers();
  render(
    <ScrollRegion role="region" aria-label="Long">
      <p>text</p>
    </ScrollRegion>,
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
