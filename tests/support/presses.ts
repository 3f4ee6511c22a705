import { act } from "@testing-library/react";

/** What a browser fires for a click of the pointer at this point, `at` so many milliseconds. */
export function click(element: Element, { at, x = 40, y = 20 }: { at: number; x?: number; y?: number }): void {
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
    const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 1 });
    // jsdom has no pointer events; and fake timers have a clock of their own.
    Object.defineProperties(event, { isPrimary: { value: true }, timeStamp: { value: at } });
    element.dispatchEvent(event);
  }
}

/** What a browser does for Enter on a focused button, or in a field of a form, whose first button it then clicks. */
export function pressEnter(element: HTMLElement, repeat = false): void {
  const event = new KeyboardEvent("keydown", { key: "Enter", repeat, bubbles: true, cancelable: true });
  if (!element.dispatchEvent(event)) return;
  const button = element.matches("input") ? element.closest("form")?.querySelector("[type=submit]") : element;
  (button as HTMLElement).click();
}

/** A double click with this gap, then the time until its calls are answered; needs fake timers. */
export async function clickTwice(element: () => Element, gap: number): Promise<void> {
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  await act(async () => click(element(), { at: performance.now() }));
  if (gap > 0) await pass(gap);
  await act(async () => click(element(), { at: performance.now() }));
  await pass(1_000);
}

/** A key that is held down for as long as twelve repeats take. */
export async function holdEnter(element: () => HTMLElement): Promise<void> {
  for (let repeats = 0; repeats <= 12; repeats++) {
    await act(async () => pressEnter(element(), repeats > 0));
    await act(() => jest.advanceTimersByTimeAsync(30));
  }
  await act(() => jest.advanceTimersByTimeAsync(1_000));
}
