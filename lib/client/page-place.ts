import { readTab, watchTab, writeTab } from "@/lib/client/tab-storage";

/** How far down a page is: its first row in sight with its distance from the top, and the page's own position. */
type Place = { row: string | null; top: number; y: number };

/** A row that a place can be kept at. */
export function placeRow(id: string | number) {
  return { "data-row": String(id) };
}

/** Goes to the place that was kept for a page, and keeps it from then on. Returns what ends this. */
export function followPlace(key: string, path: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopRestoring: (() => void) | undefined;
  const kept = placeOf(readTab(key));
  if (kept && kept.y > 0) goTo(kept);
  let isKept = kept !== null;

  function goTo(place: Place) {
    stopRestoring?.();
    stopRestoring = restore(place, () => {
      stopRestoring = undefined;
    });
  }

  /** A link has led to the screen that is open, which starts afresh: a long list would scroll while it measures its rows. */
  function onChange() {
    const isNowKept = readTab(key) !== null;
    if (isKept && !isNowKept) goTo(TOP);
    isKept = isNowKept;
  }

  function save() {
    clearTimeout(timer);
    timer = undefined;
    // At a step through the history the address changes first, while the page that is left is still shown.
    if (stopRestoring || window.location.pathname !== path) return;
    writeTab(key, JSON.stringify(placeNow()));
  }

  function onScroll() {
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  }

  function flush() {
    if (timer !== undefined) save();
  }

  const stopWatching = watchTab(onChange);
  window.addEventListener("scroll", onScroll, { passive: true });
  window.addEventListener("pagehide", flush);
  // Before a link's page replaces this one.
  document.addEventListener("click", flush, true);
  return () => {
    clearTimeout(timer);
    stopWatching();
    stopRestoring?.();
    window.removeEventListener("scroll", onScroll);
    window.removeEventListener("pagehide", flush);
    document.removeEventListener("click", flush, true);
  };
}

const SAVE_AFTER_MS = 100;
const TOP: Place = { row: null, top: 0, y: 0 };

function placeNow(): Place {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")].map((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { row: element.dataset.row ?? null, top, bottom };
  });
  const first =
    rows.find(({ top }) => top >= 0 && top < window.innerHeight) ??
    rows.find(({ top, bottom }) => top < 0 && bottom > 0);
  return { row: first?.row ?? null, top: first?.top ?? 0, y: window.scrollY };
}

/** Rows may still load, and those above may grow. */
const GIVE_UP_MS = 5_000;
const SETTLED_FRAMES = 30;
const INPUTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Scrolls until the row is where it was, unless the user does something first. */
function restore({ row, top, y }: Place, onEnd: () => void): () => void {
  const until = performance.now() + GIVE_UP_MS;
  let settled = 0;
  let frame = requestAnimationFrame(step);
  for (const input of INPUTS) window.addEventListener(input, stop, { capture: true, passive: true });

  function step() {
    const element = row === null ? null : document.querySelector(`main [data-row="${CSS.escape(row)}"]`);
    // Without the row: where it was. A long list draws the rows there.
    const off = element ? element.getBoundingClientRect().top - top : y - window.scrollY;
    settled = Math.abs(off) < 1 ? settled + 1 : 0;
    if (settled === 0) window.scrollBy({ top: off, behavior: "instant" });
    if (settled >= SETTLED_FRAMES || performance.now() > until) stop();
    else frame = requestAnimationFrame(step);
  }

  function stop() {
    cancelAnimationFrame(frame);
    for (const input of INPUTS) window.removeEventListener(input, stop, { capture: true });
    onEnd();
  }

  return stop;
}

/** Anybody may have written to the browser's storage. */
function placeOf(stored: string | null): Place | null {
  try {
    const place = JSON.parse(stored ?? "null") as Partial<Place> | null;
    if (typeof place?.top !== "number" || typeof place.y !== "number") return null;
    return { row: typeof place.row === "string" ? place.row : null, top: place.top, y: place.y };
  } catch {
    return null;
  }
}
