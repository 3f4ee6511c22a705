import { type RefObject, useLayoutEffect, useRef } from "react";

const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]:not([tabindex='-1'])";
/** Layers above the page that close by themselves. */
export const LAYER = "[role='dialog'], [role='alertdialog'], [role='menu'], [data-toast-area]";

/**
 * Props for the content of a controlled dialog, which Radix knows no trigger of: on close the focus returns to where it
 * was, or near it if that element is gone. Otherwise the keyboard would start again at the top of the page.
 */
export function useFocusReturn() {
  const restore = useRef<() => void>(undefined);
  const isOpen = useRef(false);

  function onOpenAutoFocus({ currentTarget }: Event) {
    isOpen.current = true;
    restore.current = rememberFocus();
    if (!isFocusLost()) return;
    // A menu that opened this dialog has closed and will focus its trigger in a moment, before the dialog takes the focus back.
    document.addEventListener("focusin", function listen({ target }) {
      const isInside = (currentTarget as Node).contains(target as Node);
      if (!isInside && isOpen.current) restore.current = rememberFocus(target as Element);
      if (!isInside || !isOpen.current) document.removeEventListener("focusin", listen);
    });
  }

  function onCloseAutoFocus() {
    isOpen.current = false;
    // This runs after Radix has tried the dialog's own trigger.
    queueMicrotask(() => restore.current?.());
  }

  return { onOpenAutoFocus, onCloseAutoFocus };
}

/**
 * Remembers the focused element before something that may remove it. The returned function restores a lost focus: to the
 * same element, else to a new one of the same name (an empty state became a list), else to its nearest neighbour.
 */
export function rememberFocus(element: Element | null = document.activeElement): () => void {
  const menu = element?.closest("[role='menu']")?.getAttribute("aria-labelledby");
  const before = menu ? document.getElementById(menu) : element;
  const layer = before?.closest(LAYER) ?? null;
  const order: Element[] = focusableIn(layer);
  return () => {
    if (!before || !isFocusLost()) return;
    const same = before.isConnected ? before : focusableIn(layer).find((element) => nameOf(element) === nameOf(before));
    for (const element of [same, ...neighboursOf(before, order)]) {
      if (element instanceof HTMLElement) element.focus();
      if (!isFocusLost()) return;
    }
  };
}

/**
 * Returns a ref for a row whose own button may remove it from its list: the focus moves to its neighbour, but not when the
 * page changes, nor when the row was scrolled out of view. A neighbour with the tabindex -1 takes it itself, so that a second
 * press of the same key does nothing there; else a control does.
 */
export function useFocusHandover<T extends HTMLElement>(): RefObject<T | null> {
  const row = useRef<T>(null);
  useLayoutEffect(() => {
    const element = row.current;
    return () => {
      if (!element?.contains(document.activeElement) || !isInViewport(element)) return;
      const rows = neighboursOf<Element>(element, [...(element.parentElement?.children ?? [])]);
      const restore = rememberFocus();
      const { pathname } = window.location;
      afterRender(() => {
        if (window.location.pathname !== pathname) return;
        rows.find((row): row is HTMLElement => row.isConnected && row.matches("[tabindex='-1']"))?.focus();
        restore();
      });
    };
  }, []);
  return row;
}

/** The other elements of a list, nearest first: those that follow, then those before. */
function neighboursOf<T>(element: T, order: T[]): T[] {
  const index = order.indexOf(element);
  return index < 0 ? [] : [...order.slice(index + 1), ...order.slice(0, index).reverse()];
}

/** Frames to wait at most: after an API call React may render later than the next frame. */
const MAX_FRAMES = 30;

/** Calls `act` in the first frame in which `isReady` holds: by default, once the focused element is gone. */
export function afterRender(act: () => void, isReady: () => boolean = isFocusLost): void {
  let frames = 0;
  requestAnimationFrame(function check() {
    frames += 1;
    if (isReady()) act();
    else if (frames < MAX_FRAMES) requestAnimationFrame(check);
  });
}

/** True if no element has the focus. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isInViewport(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

/** Focusable elements in this layer, or on the page below all layers. */
function focusableIn(layer: Element | null): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.closest(LAYER) === layer);
}

function nameOf(element: Element): string {
  return `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent}`;
}
