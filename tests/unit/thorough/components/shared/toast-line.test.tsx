/** @jest-environment jsdom */
import { act, fireEvent, screen } from "@testing-library/react";
import { toast, toastError } from "@/lib/client/toast";
import { TOAST_MS } from "@/lib/client/toast-queue";
import { renderScreen } from "@/tests/support/render";

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-sonner-toast]")];
/** What a user can read: a toast that is leaving does not count. */
const shown = () => cards().flatMap((card) => (card.dataset.removed === "true" ? [] : [card.textContent ?? ""]));
/** In steps, so that React renders after each. */
async function pass(ms: number) {
  const step = Math.min(ms, Math.max(50, ms / 100));
  for (let passed = 0; passed < ms; passed += step) await act(() => jest.advanceTimersByTimeAsync(step));
}
/** The time one toast takes to leave and the next to appear. */
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

async function show(input: Parameters<typeof toast>[0]) {
  act(() => toast(input));
  await pass(100);
}

it("shows each outcome for its full time, one after another", async () => {
  await show({ title: "First" });
  await pass(4_000);
  await show({ title: "Second" });
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

it("shows an outcome that arrives while another leaves", async () => {
  await show({ title: "First" });
  await pass(TOAST_MS - 50);
  expect(cards()[0]).toHaveAttribute("data-removed", "true");
  await show({ title: "Second" });
  await pass(CHANGE_MS);
  expect(shown()).toEqual([expect.stringContaining("Second")]);
  await pass(TOAST_MS - CHANGE_MS - 200);
  expect(shown()).toEqual([expect.stringContaining("Second")]);
});

it("replaces an outcome with a newer one about the same subject, for its own full time", async () => {
  await show({ title: "Error", description: "Not saved.", variant: "destructive", subject: "piece:1" });
  await pass(5_000);
  await show({ title: "Success", description: "Saved.", subject: "piece:1" });
  expect(shown()).toEqual(["SuccessSaved."]);
  expect(cards()[0]).not.toHaveClass("toast-destructive");
  await pass(TOAST_MS - 200);
  expect(shown()).toEqual(["SuccessSaved."]);
  await pass(200 + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("drops a waiting outcome when a newer one about the same subject arrives", async () => {
  await show({ title: "Other" });
  act(() => toastError(new Error(), { fallback: "Not saved.", subject: "piece:1" }));
  await show({ title: "Success", description: "Saved.", subject: "piece:1" });
  await pass(TOAST_MS + CHANGE_MS);
  expect(shown()).toEqual(["SuccessSaved."]);
  await pass(TOAST_MS + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("shows the same words in a row once", async () => {
  await show({ title: "Error", description: "Not saved.", variant: "destructive" });
  await pass(3_000);
  await show({ title: "Error", description: "Not saved.", variant: "destructive" });
  await pass(TOAST_MS - 200);
  expect(shown()).toEqual(["ErrorNot saved."]);
  await pass(200 + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("stays while it has the pointer or the focus, and while the page is hidden", async () => {
  await show({ title: "Saved" });
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

it("makes room for the next one on Close, on Escape, and when its action is taken", async () => {
  const onClick = jest.fn();
  await show({ title: "First" });
  await show({ title: "Second" });
  await show({ title: "Third", action: { label: "Undo", onClick } });
  await show({ title: "Fourth" });
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
