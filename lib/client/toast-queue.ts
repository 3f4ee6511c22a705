import type { ToastInput } from "@/lib/client/toast-input";
import { dropSubjects, type Item, isSameMessage, limitQueue, type ToastPart, toastOf } from "@/lib/client/toast-item";

/** The toast on screen. Its `input` changes when a newer message replaces it; `isLeaving` until `gone`. */
export type ShownToast = { key: number; input: ToastInput; isLeaving: boolean };

/** How long a toast stays by default. */
export const TOAST_MS = 6_000;

/** Upper bound for the leave animation, in case its end is never reported. */
const LEAVING_MS = 1_000;

export type Hold = "pointer" | "focus" | "hidden page";

/**
 * Toasts in the order they came, one on screen at a time, each for its full time. The toaster reports when one is visible
 * (`begin`), closed by the user (`close`) and animated out (`gone`). Repeated messages are shown once.
 */
export function createToastQueue() {
  let shown: ShownToast | null = null;
  let onScreen: Item | null = null;
  let waiting: Item[] = [];
  const holds = new Set<Hold>();
  const clock = createClock(leave);
  const listeners = new Set<() => void>();
  let leaveTimeout: ReturnType<typeof setTimeout> | undefined;
  let lastKey = 0;

  function add(input: ToastInput): void {
    const part: ToastPart = { input, subjects: new Set([input.subject ?? Symbol()]) };
    const items = onScreen && !shown?.isLeaving ? [onScreen, ...waiting] : waiting;
    const last = items.at(-1);
    let replaced = items.find((item) => dropSubjects(item, part.subjects));
    if (replaced) replaced.parts = [part];
    else if (last && isSameMessage(last, input)) {
      replaced = last;
      for (const subject of last.parts.flatMap(({ subjects }) => [...subjects])) part.subjects.add(subject);
      last.parts = [part];
    } else waiting = limitQueue([...waiting, { parts: [part] }]);
    if (!onScreen) next();
    else if (replaced === onScreen) clock.restart(durationOf(input));
    refresh();
  }

  /** Removes what was said about this subject: it is no longer true. */
  function withdraw(subject: string): void {
    const subjects = new Set([subject]);
    waiting = waiting.filter((item) => !dropSubjects(item, subjects));
    if (onScreen && dropSubjects(onScreen, subjects)) leave();
    else refresh();
  }

  function next(): void {
    onScreen = waiting[0] ?? null;
    waiting = waiting.slice(1);
    shown = onScreen && { key: ++lastKey, input: toastOf(onScreen), isLeaving: false };
    // The toast they were on is gone.
    hold("pointer", false);
    hold("focus", false);
    clock.clear();
    clearTimeout(leaveTimeout);
    emit();
  }

  function refresh(): void {
    if (!onScreen || !shown || shown.isLeaving) return;
    shown = { ...shown, input: toastOf(onScreen) };
    emit();
  }

  function leave(): void {
    if (!shown || shown.isLeaving) return;
    const { key } = shown;
    shown = { ...shown, isLeaving: true };
    clock.clear();
    leaveTimeout = setTimeout(() => gone(key), LEAVING_MS);
    emit();
  }

  function gone(key: number): void {
    if (shown?.key === key) next();
  }

  /** The clock stands still while there is any reason to hold it. */
  function hold(reason: Hold, isHeld: boolean): void {
    if (isHeld) holds.add(reason);
    else holds.delete(reason);
    clock.hold(holds.size > 0);
  }

  function emit(): void {
    for (const listener of listeners) listener();
  }

  return {
    add,
    withdraw,
    gone,
    hold,
    read: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    begin(key: number) {
      if (shown?.key === key && !shown.isLeaving) clock.begin(durationOf(shown.input));
    },
    close(key: number) {
      if (shown?.key === key) leave();
    },
    /** Empties the queue and closes the toast on screen. */
    clear() {
      waiting = [];
      if (listeners.size > 0) leave();
      else next();
    },
  };
}

function durationOf({ durationMs = TOAST_MS }: ToastInput): number {
  return durationMs;
}

/** A countdown that can be held. */
function createClock(onEnd: () => void) {
  let leftMs: number | null = null;
  let isHeld = false;
  let running: { timer: ReturnType<typeof setTimeout>; since: number } | null = null;

  function stop(): void {
    if (!running || leftMs === null) return;
    clearTimeout(running.timer);
    leftMs -= performance.now() - running.since;
    running = null;
  }

  function run(): void {
    if (leftMs === null || isHeld || running) return;
    running = { timer: setTimeout(onEnd, leftMs), since: performance.now() };
  }

  function set(ms: number | null): void {
    stop();
    leftMs = ms;
    run();
  }

  return {
    begin(ms: number) {
      if (leftMs === null) set(ms);
    },
    /** Starts over, if it has begun. */
    restart(ms: number) {
      if (leftMs !== null) set(ms);
    },
    hold(held: boolean) {
      isHeld = held;
      if (held) stop();
      else run();
    },
    clear: () => set(null),
  };
}
