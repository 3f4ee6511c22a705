import type { EditorState, Extension } from "@codemirror/state";
import { EditorView, type Rect, tooltips } from "@codemirror/view";

/** Room that stays below the caret. */
const BELOW = 96;
/** Room between the caret, or a menu, and what sticks to the top; between a menu and the sides. */
const GAP = 8;

/**
 * Keeps the caret and the menus at it where nothing covers them: between the toolbar, which sticks to the top, and the bottom.
 * `barOf` returns the height, in pixels, of what sticks below the toolbar in this state.
 */
export const edges = (barOf: (state: EditorState) => number): Extension => [
  EditorView.scrollMargins.of(({ dom, state }) => {
    const { top, bottom } = dom.getBoundingClientRect();
    const free = freeSpace(barOf(state));
    // The margins are of the editor's own box: what has not reached an edge of the window is not covered there.
    return {
      top: within(free.top - top, free.top),
      bottom: within(bottom - (innerHeight - BELOW), BELOW),
    };
  }),
  tooltips({ tooltipSpace: ({ state }) => freeSpace(barOf(state)) }),
];

function freeSpace(bar: number): Rect {
  const toolbar = document.querySelector(".editor-bar")?.getBoundingClientRect().bottom ?? 0;
  const top = within(toolbar + bar, innerHeight / 2) + GAP;
  return { left: GAP, right: innerWidth - GAP, top, bottom: lowerEdge() - GAP };
}

/** On phones the actions of the page cover the lower edge of the window. */
function lowerEdge(): number {
  const actions = document.querySelector(".page-bar");
  const isOver = actions !== null && getComputedStyle(actions).position === "fixed";
  return isOver ? actions.getBoundingClientRect().top : innerHeight;
}

function within(pixels: number, most: number): number {
  return Math.max(0, Math.min(pixels, most));
}
