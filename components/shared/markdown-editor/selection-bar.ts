import { type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView,
  keymap,
  type Rect,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { element } from "@/components/shared/markdown-editor/widgets";

/** What can be done to selected words. `run` works on the selection. */
export type SelectionTool = { label: string; words: string; run: (view: EditorView) => unknown; isBlock?: true };

/** How long a selection stays the same before the bar comes: it would flicker while words are being selected. */
const PAUSE_MS = 250;

const shown = StateEffect.define<Tooltip | null>();

/** The bar, which disappears when the selection or the text changes. */
const field = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, { effects, selection, docChanged }) {
    const effect = effects.findLast((each) => each.is(shown));
    if (effect) return effect.value;
    return docChanged || selection ? null : tooltip;
  },
  provide: (value) => showTooltip.from(value),
});

/**
 * A small bar at selected words. Escape closes it until the selection changes. Phones have a menu of their own there. It has what
 * keys and the toolbar do too, and takes no focus.
 */
export function selectionBar(tools: SelectionTool[]): Extension {
  return [
    field,
    watcher(tools),
    Prec.high(keymap.of([{ key: "Escape", run: close }])),
    EditorView.domEventHandlers({ blur: (_event, view) => void queueMicrotask(() => close(view)) }),
  ];
}

function close(view: EditorView): boolean {
  if (!view.state.field(field)) return false;
  view.dispatch({ effects: shown.of(null) });
  return true;
}

/** Shows the bar once a selection stays, and no pointer is making it. */
function watcher(tools: SelectionTool[]): Extension {
  return ViewPlugin.fromClass(
    class {
      #timer: ReturnType<typeof setTimeout> | undefined;
      #isPressed = false;
      readonly #down = () => {
        this.#isPressed = true;
      };
      readonly #up = () => {
        this.#isPressed = false;
        this.#wait();
      };

      constructor(readonly view: EditorView) {
        view.contentDOM.addEventListener("pointerdown", this.#down);
        window.addEventListener("pointerup", this.#up);
        window.addEventListener("pointercancel", this.#up);
      }

      update({ selectionSet, docChanged }: ViewUpdate): void {
        if (selectionSet || docChanged) this.#wait();
      }

      #wait(): void {
        clearTimeout(this.#timer);
        if (!this.view.state.selection.main.empty) this.#timer = setTimeout(() => this.#show(), PAUSE_MS);
      }

      #show(): void {
        const { view } = this;
        const { main } = view.state.selection;
        const isBusy = this.#isPressed || view.composing || view.state.field(field) !== null;
        if (main.empty || isBusy || view.state.readOnly || !view.hasFocus || !hasPointer()) return;
        if (view.state.sliceDoc(main.from, main.to).trim() === "") return;
        view.dispatch({ effects: shown.of(tooltipFor(tools)(main)) });
      }

      destroy(): void {
        clearTimeout(this.#timer);
        this.view.contentDOM.removeEventListener("pointerdown", this.#down);
        window.removeEventListener("pointerup", this.#up);
        window.removeEventListener("pointercancel", this.#up);
      }
    },
  );
}

function hasPointer(): boolean {
  return matchMedia("(pointer: fine)").matches;
}

function tooltipFor(tools: SelectionTool[]) {
  return ({ from, to }: { from: number; to: number }): Tooltip => ({
    pos: from,
    end: to,
    above: true,
    create: (view) => ({
      dom: barOf(view, tools),
      offset: { x: 0, y: 6 },
      getCoords: () => around(view, from, to),
    }),
  });
}

/** All lines of the selection, so that the bar stands above or below them. */
function around(view: EditorView, from: number, to: number): Rect {
  const first = view.coordsAtPos(from, 1);
  const last = view.coordsAtPos(to, -1);
  const box = view.contentDOM.getBoundingClientRect();
  return {
    left: first?.left ?? box.left,
    right: first?.right ?? box.right,
    top: first?.top ?? box.top,
    bottom: last?.bottom ?? box.bottom,
  };
}

function barOf(view: EditorView, tools: SelectionTool[]): HTMLElement {
  const bar = element("div", "cm-selection-bar");
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Selected text");
  // The focus, and with it the selection, stays in the text.
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  for (const { label, words, run } of tools) {
    const button = element("button", `cm-selection-tool cm-tool-${label.toLowerCase().replaceAll(" ", "-")}`, words);
    button.setAttribute("type", "button");
    button.setAttribute("aria-label", label);
    button.title = label;
    button.tabIndex = -1;
    button.addEventListener("click", () => {
      close(view);
      run(view);
    });
    bar.append(button);
  }
  return bar;
}
