/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { JobProgress } from "@/components/work/job-progress";

const show = ([totalItems, completedItems, failedItems]: readonly [number, number, number]) =>
  render(<JobProgress name="Sowing" job={{ totalItems, completedItems, failedItems }} counts="" />);

it.each([
  { counts: [3, 1, 1], percent: 67, failed: 33 },
  { counts: [3, 0, 3], percent: 100, failed: 100 },
  { counts: [0, 0, 0], percent: 0, failed: 0 },
] as const)("shows what has failed as part of what is done: $counts", ({ counts, percent, failed }) => {
  show(counts);
  const bar = screen.getByRole("progressbar", { name: `Sowing, ${percent} percent done` });
  expect(screen.getByText(`${percent}%`)).toBeVisible();
  expect([...bar.children].map((part) => (part as HTMLElement).style.width)).toEqual([
    `${percent - failed}%`,
    `${failed}%`,
  ]);
});
