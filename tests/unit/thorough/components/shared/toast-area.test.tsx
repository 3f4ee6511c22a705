/** @jest-environment jsdom */
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { TOAST_MS } from "@/components/shared/toast-area";
import { toast, toasts } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";
import { renderScreen } from "@/tests/support/render";

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-sonner-toast]")];
/** What a user can read: a toast that is leaving does not count. */
const shown = () => cards().flatMap((card) => (card.dataset.removed === "true" ? [] : [card.textContent ?? ""]));
/** In steps, so that React renders after each. */
async function pass(ms: number) {
  const step = Math.min(ms, Math.max(10, ms / 100));
  for (let passed = 0; passed < ms; passed += step) await act(() => jest.advanceTimersByTimeAsync(step));
}
/** The time in which a toast leaves and a kept one appears. */
const CHANGE_MS = 400;

let mostAtOnce = 0;

beforeEach(async () => {
  jest.useFakeTimers();
  renderScreen(<p />);
  mostAtOnce = 0;
  new MutationObserver(() => {
    mostAtOnce = Math.max(mostAtOnce, cards().length);
  }).observe(document.body, { childList: true, subtree: true });
});

afterEach(async () => {
  expect(mostAtOnce).toBeLessThanOrEqual(1);
  act(() => toasts.clear());
  await pass(CHANGE_MS);
  cleanup();
  await pass(100);
  jest.useRealTimers();
});

async function show(input: ToastInput) {
  act(() => toast(input));
  await pass(100);
}
const success = (description: string, more: Partial<ToastInput> = {}) =>
  show({ title: "Success", description, ...more });
const error = (description: string, more: Partial<ToastInput> = {}) =>
  show({ title: "Error", description, variant: "destructive", ...more });
const close = () => fireEvent.click(screen.getByRole("button", { name: "Close" }));

it("shows the newest at once, in the place of the one before, for its full time", async () => {
  await success("One", { action: { label: "Undo", onClick: jest.fn() }, reference: "1a2b3c4d" });
  const [card] = cards();
  await pass(5_000);
  await success("Two");
  expect(shown()).toEqual(["SuccessTwo"]);
  expect(cards()).toEqual([card]);
  await pass(TOAST_MS - 200);
  expect(shown()).toEqual(["SuccessTwo"]);
  await pass(CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("brings errors back that stood less than five seconds, the last one first, and nothing else", async () => {
  await error("One");
  await error("Two");
  await success("Three");
  await success("Four");
  expect(shown()).toEqual(["SuccessFour"]);
  expect(cards()[0]).not.toHaveClass("toast-destructive");
  close();
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["ErrorTwo"]);
  expect(cards()[0]).toHaveClass("toast-destructive");
  await pass(TOAST_MS - CHANGE_MS);
  expect(shown()).toEqual(["ErrorTwo"]);
  await pass(2 * CHANGE_MS);
  expect(shown()).toEqual(["ErrorOne"]);
  await pass(TOAST_MS + CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("does not bring back an error that stood five seconds", async () => {
  await error("One");
  await pass(4_950);
  await success("Two");
  close();
  await pass(CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("brings back an error that came on a hidden page", async () => {
  hide(true);
  await error("One");
  await pass(60_000);
  await success("Two");
  hide(false);
  close();
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["ErrorOne"]);
});

it("brings back an error that stood while the page was hidden", async () => {
  await error("One");
  hide(true);
  await pass(60_000);
  hide(false);
  await success("Two");
  close();
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["ErrorOne"]);
});

it("does not bring back an error once there is a newer toast about the same, or once it is no longer true", async () => {
  await error("Not saved", { subject: "piece:1" });
  await error("Not loaded", { subject: "load" });
  await error("Not sent", { subject: "chat" });
  await success("Published", { subject: "piece:2" });
  await success("Saved", { subject: "piece:1" });
  act(() => toasts.withdraw("load"));
  close();
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["ErrorNot sent"]);
  act(() => toasts.withdraw("chat"));
  await pass(CHANGE_MS);
  expect(cards()).toEqual([]);
});

it("does not repeat an error that closes in the same words", async () => {
  await error("Not saved");
  await error("Not saved");
  close();
  await pass(CHANGE_MS);
  expect(cards()).toEqual([]);
});

it.each([
  { title: "Other", description: "same", variant: "destructive" as const },
  { title: "Error", description: "other", variant: "destructive" as const },
  { title: "Error", description: "same" },
])("brings back an error that differs from the one that closes: %j", async (other) => {
  await error("same");
  await show(other);
  close();
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["Errorsame"]);
});

it.each([
  ["by hand", close],
  ["by itself", () => pass(TOAST_MS - 101)],
  ["because it is no longer true", () => act(() => toasts.withdraw("a"))],
])("shows a toast that comes at any time after another one was closed %s", async (_how, leave) => {
  for (const ms of [0, 20, 195, 210, 220]) {
    await success("One", { subject: "a" });
    await leave();
    for (let passed = 0; passed < ms; passed += 5) await act(() => jest.advanceTimersByTimeAsync(5));
    await success(`Two after ${ms}`);
    await pass(CHANGE_MS);
    expect(shown()).toEqual([`SuccessTwo after ${ms}`]);
    close();
    await pass(CHANGE_MS);
  }
});

it("stays what it is when closing it by hand and its own end coincide", async () => {
  await error("One");
  await success("Two");
  await pass(TOAST_MS - 200);
  close();
  await pass(2 * CHANGE_MS);
  expect(shown()).toEqual(["ErrorOne"]);
});

it("waits under the pointer and on a hidden page, and restarts with the next", async () => {
  await success("One");
  const [card] = cards() as [HTMLElement];
  await pass(3_000);
  fireEvent.mouseOver(card);
  await pass(60_000);
  expect(shown()).toHaveLength(1);
  fireEvent.mouseOut(card);
  await pass(1_000);
  hide(true);
  await pass(60_000);
  hide(false);
  expect(shown()).toHaveLength(1);
  await success("Two");
  await pass(TOAST_MS - 200);
  expect(shown()).toEqual(["SuccessTwo"]);
});

it("closes when its action is taken, and shows what the action says", async () => {
  const onClick = jest.fn(() => toast({ title: "Not taken back" }));
  await error("One");
  await success("Two", { action: { label: "Undo", onClick } });
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(onClick).toHaveBeenCalledTimes(1);
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["Not taken back"]);
  close();
  await pass(CHANGE_MS);
  expect(shown()).toEqual(["ErrorOne"]);
});

it("drops what it shows and what it keeps when the user signs out", async () => {
  await error("One");
  await success("Two");
  act(() => toasts.clear());
  await pass(2 * CHANGE_MS);
  expect(cards()).toEqual([]);
});

function hide(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, value: hidden ? "hidden" : "visible" });
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}
