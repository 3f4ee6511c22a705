/** The items of a long list to render, and the space for the others. */
export type RenderedRange = {
  /** Index of the first item, and the index after the last. */
  first: number;
  end: number;
  /** Space above and below, in pixels. */
  before: number;
  after: number;
  isScrolling: boolean;
  /** The ref of each rendered item, which also needs its index as `data-index`. */
  measure: (element: Element | null) => void;
};

export type VirtualList = {
  count: number;
  /** Both functions must be stable while the list is: a new one makes every item be measured again. */
  keyOf: (index: number) => string;
  /** Estimated height before measuring, in pixels. */
  estimate: (index: number) => number;
  overscan: number;
};

/** The height in pixels that the server and the first render fill, before the viewport can be measured. */
export const INITIAL_HEIGHT = 900;
