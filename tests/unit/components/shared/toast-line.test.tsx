/** @jest-environment jsdom */
import { act, fireEvent, screen } from "@testing-library/react";
import { toast, toastError } from "@/lib/client/toast";
import { TOAST_MS } from "@/lib/client/toast-queue";
import { renderScreen } from "@/tests/support/render";

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-sonner-toast]")];
/** What a person can read: one that is leaving does not count. */
const shown = () => cards().flatMap((card) => (card.dataset.removed === "true" ? [] : [card.textContent ?? ""]));
/** In steps: React draws at the end of each. */
async function pass(ms: number) {
  const step = Math.min(ms, Math.max(50, ms / 100));
  for (let passed = 0; passed < ms; passed += step) await act(() => jest.advanceTimersByTimeAsync(step));
}
/** Leaves, and the next one comes. */
const CHANGE_MS = 600;

let mostAtOnce = 0;

beforeEach(async () => {
  jest.useFakeTimers();
  renderScreen(<p />);
  mostAtOnce = 0;
  new MutationObserver(() => {
    mostAtOnce = Math.max(mostAtOnce, cards().length);
  }).observe(document.body, { childList: true, subtree: true });
});

afterEach(() => {
  expect(mostAtOnce).toBeLessThanOrEqual(1);
  jest.useRealTimers();
});

async function tell(input: Parameters<typeof toast>[0]) {
  act(() => toast(input));
  await pass(100);
}

it("shows each outcome for its full time, one after another", async () => {
  await tell({ title: "First" });
  await pass(4_000);
  await tell({ title: "Second" });
  expect(shown()).toEqual([expect.stringContaining("First")]);
  await pass(TOAST_MS - 4_300);
  expect(shown()).toEqual([expect.stringContaining("First")]);
  await pass(100 + CHANGE_MS);
  expect(shown()).toEqual([expect.stringContaining("Second")]);
  await pass(TOAST_MS - CHANGE_MS - 100);
  expect(shown()).toEqual([expect.stringContaining("Second")]);
  await pass(CHANGE_MS + 100);
  expect(cards()).toEqual([]);
});

it("shows an outcome that comes while another one leaves", async () => {
  await tell({ title: "First" });
  await pass(TOAST_MS - 50);
  expect(cards()[0]).toHaveAttribute("data-removed", "true");
  await tell({ title: "Second" });
  await pass(CHANGE_MS);
  expect(shown()).toEqual([expect.stringContaining("Second")]);
  await pass(TOAST_MS - CHANGE_MS - 200);
  expect(shown()).toEqual([expect.stringContaining("Second")]);
});

it("puts a newer outcome in the place of the older one about the same, for its own full time", async () => {
  await tell({ title: "Error", description: "Not saved.", variant: "destructive", subject: "piece:1" });
  await pass(5_000);
  await tell({ title: "Success", description: "Saved.", subject: "piece:1" });
  expect(shown()).toEqual(["SuccessSaved."]);
  expect(cards()[0]).not.toHaveClass("toast-destructive");
  await pass(TOAST_MS - 200);
  expect(shown()).toEqual(["SuccessSaved."]);
  await pass(200 + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("drops an outcome that still waits when a newer one about the same is there", async () => {
  await tell({ title: "Other" });
  act(() => toastError(new Error(), { fallback: "Not saved.", subject: "piece:1" }));
  await tell({ title: "Success", description: "Saved.", subject: "piece:1" });
  await pass(TOAST_MS + CHANGE_MS);
  expect(shown()).toEqual(["SuccessSaved."]);
  await pass(TOAST_MS + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("says the same words in a row once", async () => {
  await tell({ title: "Error", description: "Not saved.", variant: "destructive" });
  await pass(3_000);
  await tell({ title: "Error", description: "Not saved.", variant: "destructive" });
  await pass(TOAST_MS - 200);
  expect(shown()).toEqual(["ErrorNot saved."]);
  await pass(200 + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("waits while the pointer or the focus is on it, and while the page is hidden", async () => {
  await tell({ title: "Saved" });
  const [card] = cards() as [HTMLElement];
  await pass(1_000);
  fireEvent.pointerOver(card);
  await pass(60_000);
  expect(shown()).toHaveLength(1);
  fireEvent.pointerOut(card);
  act(() => screen.getByRole("button", { name: "Close" }).focus());
  await pass(60_000);
  expect(shown()).toHaveLength(1);
  act(() => screen.getByRole("button", { name: "Close" }).blur());
  hide(true);
  await pass(60_000);
  expect(shown()).toHaveLength(1);
  hide(false);
  await pass(TOAST_MS - 1_400);
  expect(shown()).toHaveLength(1);
  await pass(400);
  expect(shown()).toEqual([]);
});

it("makes room for the next one when it is closed, with its button or Escape, or its action is taken", async () => {
  const onClick = jest.fn();
  await tell({ title: "First" });
  await tell({ title: "Second" });
  await tell({ title: "Third", action: { label: "Undo", onClick } });
  await tell({ title: "Fourth" });
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["Second"]);
  const close = screen.getByRole("button", { name: "Close" });
  act(() => close.focus());
  fireEvent.keyDown(close, { key: "Escape", code: "Escape" });
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["ThirdUndo"]);
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(onClick).toHaveBeenCalledTimes(1);
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["Fourth"]);
  await pass(TOAST_MS);
  expect(shown()).toEqual([]);
});

function hide(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, value: hidden ? "hidden" : "visible" });
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}
