/** The items of a long list to draw, and the room for those that are not drawn. */
export type Drawn = {
  /** From index `first` up to, but without, `end`. */
  first: number;
  end: number;
  /** Room above and below, in pixels. */
  before: number;
  after: number;
  isScrolling: boolean;
  /** Belongs on each drawn item, beside its index as `data-index`. */
  measure: (element: Element | null) => void;
};

export type VirtualList = {
  count: number;
  /** Both functions have to stay the same as long as the list does: another one means that everything is measured anew. */
  keyOf: (index: number) => string;
  /** Height before it is measured, in pixels. */
  estimate: (index: number) => number;
  overscan: number;
};

/** The height that the server and the first draw fill, before there is a window to measure: pixels. */
export const FIRST_HEIGHT = 900;
