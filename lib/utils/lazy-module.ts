import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { listenerSet } from "@/lib/utils/bounded";

/** Code that is not loaded with the page. Unlike React.lazy it can be read before rendering, and a failed load retried. */
export type LazyModule<T> = {
  read: () => T | null;
  load: () => Promise<void>;
  subscribe: (listener: () => void) => () => void;
};

export function lazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  let loaded: T | null = null;
  const listeners = listenerSet<() => void>("listeners to a module");
  return {
    read: () => loaded,
    async load() {
      loaded ??= await load();
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * The module, or null until it has loaded. It is preloaded on the first input anywhere on the page and loaded at the latest
 * when needed. `onError` is called if it fails to load then; the next time it is needed, it is tried again.
 */
export function useLazyModule<T>(module: LazyModule<T>, isNeeded: boolean, onError?: () => void): T | null {
  const loaded = useSyncExternalStore(module.subscribe, module.read, () => null);
  const fail = useEffectEvent(() => onError?.());
  useEffect(() => onFirstInput(() => void module.load().catch(() => undefined)), [module]);
  const isMissing = isNeeded && loaded === null;
  useEffect(() => {
    if (isMissing) module.load().catch(fail);
  }, [module, isMissing]);
  return loaded;
}

/** The module of something that opens, null before it first does. A failed load is reported and closes it again. */
export function useLazyPopup<T>(module: LazyModule<T>, isOpen: boolean, close: () => void): T | null {
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  const loaded = useLazyModule(module, isOpen, () => {
    reportLoadError();
    close();
  });
  return wasOpened ? loaded : null;
}

let reportLoadError: () => void = () => undefined;

/** Sets how a failed load is reported to the user. */
export function setLoadErrorReporter(report: () => void): void {
  reportLoadError = report;
}

const INPUTS = ["pointermove", "pointerdown", "keydown"] as const;
const waiting = listenerSet<() => void>("listeners to the first input");
let hadInput = false;

/** Calls back on the first input, or at once if there has been one. Returns a function that stops waiting. */
function onFirstInput(listener: () => void): () => void {
  if (hadInput) listener();
  else {
    waiting.add(listener);
    for (const type of INPUTS) window.addEventListener(type, notifyFirstInput, { passive: true, capture: true });
  }
  return () => waiting.delete(listener);
}

function notifyFirstInput(): void {
  hadInput = true;
  for (const type of INPUTS) window.removeEventListener(type, notifyFirstInput, { capture: true });
  for (const listener of waiting) listener();
  waiting.clear();
}
