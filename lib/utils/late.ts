import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";

/** A part of the page that is not loaded with it. */
export type Late<T> = { read: () => T | null; load: () => Promise<void>; subscribe: (react: () => void) => () => void };

/** `load` is called until it has succeeded once, and then never again. */
export function late<T>(load: () => Promise<T>): Late<T> {
  let part: T | null = null;
  const listeners = new Set<() => void>();
  return {
    read: () => part,
    async load() {
      part ??= await load();
      for (const listener of listeners) listener();
    },
    subscribe(react) {
      listeners.add(react);
      return () => listeners.delete(react);
    },
  };
}

/**
 * The part as soon as it is there; null until then. It is fetched when the person does anything at all on the page, at the
 * latest when it is wanted. `onFailure` is called when it cannot be loaded then; wanting it anew tries again.
 */
export function useWarm<T>(part: Late<T>, isWanted: boolean, onFailure?: () => void): T | null {
  const loaded = useSyncExternalStore(part.subscribe, part.read, () => null);
  const fail = useEffectEvent(() => onFailure?.());
  useEffect(() => onFirstTouch(() => void part.load().catch(() => undefined)), [part]);
  const isMissing = isWanted && loaded === null;
  useEffect(() => {
    if (isMissing) part.load().catch(fail);
  }, [part, isMissing]);
  return loaded;
}

/** The same, but null until it has been wanted once, so that what nobody opens costs nothing. A failure is told. */
export function useLate<T>(part: Late<T>, isWanted: boolean, onFailure?: () => void): T | null {
  const [isKept, setKept] = useState(isWanted);
  if (isWanted && !isKept) setKept(true);
  const loaded = useWarm(part, isWanted, () => {
    tellNotLoaded();
    onFailure?.();
  });
  return isKept ? loaded : null;
}

let tellNotLoaded: () => void = () => undefined;

/** How a person is told that a part could not be loaded: set once by the providers. */
export function whenNotLoaded(tell: () => void): void {
  tellNotLoaded = tell;
}

const TOUCHES = ["pointermove", "pointerdown", "keydown"] as const;
const waiting = new Set<() => void>();
let isTouched = false;

/** Calls back when the person first moves, presses or types; at once when they have. Answers how to stop waiting. */
function onFirstTouch(react: () => void): () => void {
  if (isTouched) react();
  else {
    waiting.add(react);
    for (const touch of TOUCHES) window.addEventListener(touch, begin, { passive: true });
  }
  return () => waiting.delete(react);
}

function begin(): void {
  isTouched = true;
  for (const touch of TOUCHES) window.removeEventListener(touch, begin);
  for (const react of waiting) react();
  waiting.clear();
}
