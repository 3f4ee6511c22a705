/** @jest-environment jsdom */
import { act, fireEvent, screen } from "@testing-library/react";
import { toast } from "@/lib/client/toast";
import { TOAST_MS } from "@/lib/client/toast-queue";
import { renderScreen } from "@/tests/support/render";

// The panel's code does not load: no network, or a new release has removed it.
jest.mock("@/components/shared/toaster-panel", () => ({
  get ToasterPanel() {
    throw new Error("Failed to load chunk");
  },
}));

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const cards = () => [...document.querySelectorAll<HTMLElement>(".toast")];

beforeEach(() => {
  jest.useFakeTimers();
  renderScreen(<p />);
});
afterEach(() => jest.useRealTimers());

async function show(input: Parameters<typeof toast>[0]) {
  act(() => toast(input));
  await pass(10);
}

it("shows notifications without the panel, in both styles, one at a time", async () => {
  await show({ title: "Success", description: "Saved." });
  await show({ title: "Error", description: "Not sent.", variant: "destructive", reference: "1a2b3c4d" });
  expect(screen.getByRole("alert")).toHaveTextContent("SuccessSaved.");
  expect(cards()).toHaveLength(1);
  expect(cards()[0]).not.toHaveClass("toast-destructive");
  await pass(TOAST_MS - 100);
  expect(cards()[0]).toHaveTextContent("SuccessSaved.");
  await pass(100);
  expect(cards()).toHaveLength(1);
  expect(cards()[0]).toHaveTextContent("ErrorNot sent.Reference: 1a2b3c4d");
  expect(cards()[0]).toHaveClass("toast-destructive");
  await pass(TOAST_MS);
  expect(cards()).toHaveLength(0);
});

it("can be closed, offers its action, and waits while the pointer is over it", async () => {
  const onClick = jest.fn();
  await show({ title: "First" });
  await show({ title: "Second", action: { label: "Undo", onClick } });
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await pass(10);
  expect(cards()[0]).toHaveTextContent("Second");
  fireEvent.pointerOver(cards()[0] as HTMLElement);
  await pass(60_000);
  const undo = screen.getByRole("button", { name: "Undo" });
  expect(undo).toHaveClass("border-border-strong");
  expect(undo).not.toHaveClass("border-transparent");
  fireEvent.click(undo);
  await pass(10);
  expect(onClick).toHaveBeenCalledTimes(1);
  expect(cards()).toHaveLength(0);
});
