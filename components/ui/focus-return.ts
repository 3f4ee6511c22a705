import { type RefObject, useLayoutEffect, useRef } from "react";

const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]:not([tabindex='-1'])";
/** What floats above the page and goes away by itself. */
const FLOATING = "[role='dialog'], [role='alertdialog'], [role='menu'], [data-toast-area]";

/**
 * For the content of a dialog: where it has no trigger, or its trigger is gone when it closes, the focus goes back to
 * where it was. Without this the keyboard would begin again at the top of the page.
 */
export function useFocusReturn() {
  const giveBack = useRef<() => void>(undefined);
  const isOpen = useRef(false);

  function onOpenAutoFocus({ currentTarget }: Event) {
    isOpen.current = true;
    giveBack.current = rememberFocus();
    if (!isLost()) return;
    // Opened from a menu that is gone already: it gives the focus to its trigger in a moment, and the dialog takes it back.
    document.addEventListener("focusin", function listen({ target }) {
      const isInside = (currentTarget as Node).contains(target as Node);
      if (!isInside && isOpen.current) giveBack.current = rememberFocus(target as Element);
      if (!isInside || !isOpen.current) document.removeEventListener("focusin", listen);
    });
  }

  function onCloseAutoFocus() {
    isOpen.current = false;
    // After the dialog's own trigger has had its turn.
    queueMicrotask(() => giveBack.current?.());
  }

  return { onOpenAutoFocus, onCloseAutoFocus };
}

/**
 * Remembers what has the focus, for something that may take it off the page. The answer gives the focus back if it is
 * lost by then: to the same element, else to the same button drawn anew (an empty state has become a list), else to
 * what stood next.
 */
export function rememberFocus(element: Element | null = document.activeElement): () => void {
  const menu = element?.closest("[role='menu']")?.getAttribute("aria-labelledby");
  const before = menu ? document.getElementById(menu) : element;
  const layer = before?.closest(FLOATING) ?? null;
  const order: Element[] = focusable(layer);
  return () => {
    if (!before || !isLost()) return;
    const place = order.indexOf(before);
    const same = before.isConnected ? before : focusable(layer).find((element) => nameOf(element) === nameOf(before));
    const next = place < 0 ? [] : [...order.slice(place + 1), ...order.slice(0, place).reverse()];
    for (const element of [same, ...next]) {
      if (element instanceof HTMLElement) element.focus();
      if (!isLost()) return;
    }
  };
}

/**
 * For a line that may leave its list by what its own button does (a filter it does not match any more, another list that it
 * stands in now): what stood next gets the focus. Not when the person left the page, or scrolled the line away.
 */
export function useFocusHandover<T extends HTMLElement>(): RefObject<T | null> {
  const line = useRef<T>(null);
  useLayoutEffect(() => {
    const element = line.current;
    return () => {
      if (!element?.contains(document.activeElement) || !isInWindow(element)) return;
      const giveOn = rememberFocus();
      const { pathname } = window.location;
      onceDrawn(() => {
        if (window.location.pathname === pathname) giveOn();
      });
    };
  }, []);
  return line;
}

/** Frames to wait at most: after a call React draws when it finds the time. */
const MOST_FRAMES = 30;

/** Acts in the first frame in which `isDue` holds: by itself, when what had the focus is gone. */
export function onceDrawn(act: () => void, isDue: () => boolean = isLost): void {
  let frames = 0;
  requestAnimationFrame(function look() {
    frames += 1;
    if (isDue()) act();
    else if (frames < MOST_FRAMES) requestAnimationFrame(look);
  });
}

/** The focus is on nothing. */
export function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isInWindow(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

/** What can have the focus in this dialog, or on the page itself. */
function focusable(layer: Element | null): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.closest(FLOATING) === layer);
}

function nameOf(element: Element): string {
  return `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent}`;
}
