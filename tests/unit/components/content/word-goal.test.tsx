/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { WordGoal } from "@/components/content/word-goal";
import { renderScreen } from "@/tests/support/render";

afterEach(() => localStorage.clear());

const goalField = () => screen.getByRole("textbox", { name: "Goal in words" });
const open = (words: number, pieceId = "p") => renderScreen(<WordGoal pieceId={pieceId} words={words} />);

async function setGoal(words: number, typed: string) {
  const opened = open(words);
  await opened.user.click(screen.getByRole("button", { name: "Set a goal" }));
  expect(goalField()).toHaveFocus();
  await opened.user.type(goalField(), typed);
  return opened;
}

it("shows how much of the goal is there, and keeps it for this piece alone", async () => {
  const { user, unmount } = await setGoal(350, "1,400{Enter}");
  expect(screen.getByText("350 of 1,400 words")).toBeVisible();
  expect(screen.getByRole("progressbar", { name: "Share of the goal" })).toHaveAttribute("aria-valuenow", "25");
  unmount();
  open(1_500);
  expect(screen.getByText("1,500 of 1,400 words")).toBeVisible();
  expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "100");
  open(5, "another");
  expect(screen.getByText("5 words")).toBeVisible();
  expect(user).toBeDefined();
});

it("is saved when the field is left, and removed by an empty one", async () => {
  const { user } = await setGoal(1, "200");
  await user.tab();
  expect(screen.getByText("1 of 200 words")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Change goal" }));
  await user.clear(goalField());
  await user.keyboard("{Enter}");
  expect(screen.getByText("1 word")).toBeVisible();
  expect(localStorage).toHaveLength(0);
});

it("stays as it was on Escape, and takes no other number", async () => {
  const { user } = await setGoal(1, "0{Enter}");
  expect(goalField()).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.getByText("1 word")).toBeVisible();
});
