/** The second press of a double click comes this soon after the first, and this near. */
const TOGETHER_MS = 500;
const TOGETHER_PX = 8;

type Press = { at: number; x: number; y: number; target: Element | null; name: string; hasCalled: boolean };

/** The press whose click is being answered. */
let answered: Press | null = null;

/**
 * Ignores presses that the user did not mean: the repeats of a held key; the second press of a double click where the first has
 * sent something, or has put something else under the pointer; and any press on a layer that is fading out. A new press of a
 * key counts. Returns the function that ends it.
 */
export function guardPresses(window: Window): () => void {
  // The last press that counted; null once a key was pressed or something typed.
  let last: Press | null = null;
  let isIgnored = false;

  function onPointer(event: Event) {
    if (event.type === "pointerdown") {
      const press = pressOf(event as PointerEvent);
      isIgnored = isFading(event.target) || (press !== null && last !== null && isUnmeant(press, last));
      if (press && !isIgnored) last = press;
    }
    // A script's click has no detail.
    if (isIgnored && !(event.type === "click" && (event as MouseEvent).detail === 0)) return swallow(event);
    if (event.type === "click") answer(last);
  }

  function onKey(event: Event) {
    last = null;
    isIgnored = false;
    if (event.type === "keydown" && isUnmeantKey(event as KeyboardEvent)) swallow(event);
  }

  const listeners = [
    ...POINTER.map((type) => [type, onPointer] as const),
    ...KEYS.map((type) => [type, onKey] as const),
  ];
  for (const [type, listener] of listeners) window.addEventListener(type, listener, true);
  return () => {
    for (const [type, listener] of listeners) window.removeEventListener(type, listener, true);
  };
}

const POINTER = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick"] as const;
const KEYS = ["keydown", "input"] as const;

/** Called when a call begins that should be made once. */
export function noteCall(): void {
  if (answered) answered.hasCalled = true;
}

/** A call that begins in this task, before any timer, is the click's own. */
function answer(press: Press | null): void {
  answered = press;
  setTimeout(() => {
    if (answered === press) answered = null;
  });
}

/** The press that begins here; null for another button, or another finger. */
function pressOf(event: PointerEvent): Press | null {
  if (!event.isPrimary || event.button !== 0) return null;
  const target = event.target instanceof Element ? event.target.closest(PRESSABLE) : null;
  const { timeStamp: at, clientX: x, clientY: y } = event;
  return { at, x, y, target, name: nameOf(target), hasCalled: false };
}

/** Is this the second press of a double click, and would it do something else than the first? */
function isUnmeant(press: Press, first: Press): boolean {
  const isNear = Math.hypot(press.x - first.x, press.y - first.y) <= TOGETHER_PX;
  if (!isNear || press.at - first.at > TOGETHER_MS) return false;
  return first.hasCalled || press.target !== first.target || press.name !== first.name;
}

const EDITABLE = "input, textarea, [contenteditable=true]";
const PRESSABLE = `a, button, select, label, summary, ${EDITABLE}, [role=menuitem], [role=option], [role=tab]`;

/** What a user reads on it. A text that is being edited has none. */
function nameOf(target: Element | null): string {
  if (!target || target.matches(EDITABLE)) return "";
  return target.getAttribute("aria-label") ?? target.textContent;
}

/** Where a held Enter writes lines or goes from one match to the next. */
const LINES = "textarea, [contenteditable=true], .cm-editor";

function isUnmeantKey({ key, repeat, target }: KeyboardEvent): boolean {
  if (key !== "Enter" && key !== " ") return false;
  const isTyped = target instanceof Element && target.closest(key === "Enter" ? LINES : EDITABLE) !== null;
  return isFading(target) || (repeat && !isTyped && (key === "Enter" || isOnControl(target)));
}

/** Elsewhere a held Space scrolls. */
function isOnControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(PRESSABLE) !== null;
}

const FADING = ["dialog", "alertdialog", "menu", "listbox"].map((role) => `[role=${role}][data-state=closed]`).join();

function isFading(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FADING) !== null;
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
