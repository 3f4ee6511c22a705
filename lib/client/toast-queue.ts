import type { ToastInput } from "@/lib/client/toast-input";
import { type Item, type Part, saysSame, settle, told, withinBounds } from "@/lib/client/toast-item";

/** The notification on screen. Its `input` changes when a newer outcome takes its place; `isLeaving` until `gone`. */
export type ShownToast = { key: number; input: ToastInput; isLeaving: boolean };

/** How long a notification stays when nothing else is said. */
export const TOAST_MS = 6_000;

/** A notification that does not report that it has left keeps nobody waiting longer. */
const LEAVING_MS = 1_000;

export type Hold = "pointer" | "focus" | "hidden page";

/**
 * The notifications in the order they came, one on screen at a time, each for its full time. What draws them says when
 * one is there (`begin`), is to leave (`close`) and has left (`gone`). The same words in a row are said once.
 */
export function createToastQueue() {
  let shown: ShownToast | null = null;
  let onScreen: Item | null = null;
  let waiting: Item[] = [];
  const holds = new Set<Hold>();
  const clock = createClock(leave);
  const listeners = new Set<() => void>();
  let givingUp: ReturnType<typeof setTimeout> | undefined;
  let lastKey = 0;

  function add(input: ToastInput): void {
    const news: Part = { input, subjects: new Set([input.subject ?? Symbol()]) };
    const line = onScreen && !shown?.isLeaving ? [onScreen, ...waiting] : waiting;
    const last = line.at(-1);
    let place = line.find((item) => settle(item, news.subjects));
    if (place) place.parts = [news];
    else if (last && saysSame(last, input)) {
      place = last;
      for (const subject of last.parts.flatMap(({ subjects }) => [...subjects])) news.subjects.add(subject);
      last.parts = [news];
    } else waiting = withinBounds([...waiting, { parts: [news] }]);
    if (!onScreen) next();
    else if (place === onScreen) clock.restart(timeOf(input));
    redraw();
  }

  /** Takes back what was said of this subject: it does not hold any more. */
  function withdraw(subject: string): void {
    const settled = new Set([subject]);
    waiting = waiting.filter((item) => !settle(item, settled));
    if (onScreen && settle(onScreen, settled)) leave();
    else redraw();
  }

  function next(): void {
    onScreen = waiting[0] ?? null;
    waiting = waiting.slice(1);
    shown = onScreen && { key: ++lastKey, input: told(onScreen), isLeaving: false };
    // The one they were on is not there any more.
    hold("pointer", false);
    hold("focus", false);
    clock.clear();
    clearTimeout(givingUp);
    emit();
  }

  function redraw(): void {
    if (!onScreen || !shown || shown.isLeaving) return;
    shown = { ...shown, input: told(onScreen) };
    emit();
  }

  function leave(): void {
    if (!shown || shown.isLeaving) return;
    const { key } = shown;
    shown = { ...shown, isLeaving: true };
    clock.clear();
    givingUp = setTimeout(() => gone(key), LEAVING_MS);
    emit();
  }

  function gone(key: number): void {
    if (shown?.key === key) next();
  }

  /** Time stands still while anything holds it. */
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
    subscribe(react: () => void) {
      listeners.add(react);
      return () => void listeners.delete(react);
    },
    begin(key: number) {
      if (shown?.key === key && !shown.isLeaving) clock.begin(timeOf(shown.input));
    },
    close(key: number) {
      if (shown?.key === key) leave();
    },
    /** Nothing waits any more, and what stands there leaves. */
    clear() {
      waiting = [];
      if (listeners.size > 0) leave();
      else next();
    },
  };
}

function timeOf({ durationMs = TOAST_MS }: ToastInput): number {
  return durationMs;
}

/** Runs down while nothing holds it. */
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
    /** From the start again, if it has begun. */
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
