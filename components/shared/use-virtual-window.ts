"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

export type VirtualWindow = {
  /** The items to draw: from index `first` up to, but without, `end`. */
  first: number;
  end: number;
  /** Room for the items above and below that are not drawn, in pixels. */
  before: number;
  after: number;
  isScrolling: boolean;
  /** Belongs on the element whose padding keeps that room. */
  listRef: RefObject<HTMLDivElement | null>;
  /** Belongs on each drawn item, beside its index as `data-index`. */
  measure: (element: Element | null) => void;
};

/** What the server draws, before there is a window to measure. */
const FIRST_RECT = { width: 1280, height: 900 };

/** Lines drawn beyond the window on either side. */
const OVERSCAN = 8;

/**
 * Which items of a long list are near the window, for a list that scrolls with the page: only those are drawn, in the
 * normal flow. Items may be of any height; a margin between them has to be part of one, as padding.
 */
export function useVirtualWindow({
  count,
  keyOf,
  estimate,
  overscan = OVERSCAN,
}: {
  count: number;
  /** Both functions have to stay the same as long as the list does: another one means that everything is measured anew. */
  keyOf: (index: number) => string;
  /** Height before it is measured, in pixels. */
  estimate: (index: number) => number;
  overscan?: number;
}): VirtualWindow {
  const listRef = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // After every draw: what stands above the list may have grown.
  useLayoutEffect(() => {
    const now = listRef.current ? listRef.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const virtualizer = useWindowVirtualizer({
    count,
    getItemKey: keyOf,
    estimateSize: estimate,
    overscan,
    scrollMargin: top,
    initialRect: FIRST_RECT,
    rangeExtractor: useCallback((range: Range) => withFocused(defaultRangeExtractor(range), listRef.current), []),
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const [head, tail] = [items[0], items.at(-1)];
  return {
    first: head?.index ?? 0,
    end: tail ? tail.index + 1 : 0,
    before: head ? head.start - top : 0,
    after: tail ? Math.max(0, virtualizer.getTotalSize() - (tail.end - top)) : 0,
    isScrolling: virtualizer.isScrolling,
    listRef,
    measure: virtualizer.measureElement,
  };
}

/** A line in which somebody types stays drawn, with all between, when they scroll: up to this many lines. */
const MOST_KEPT = 60;

function withFocused(drawn: number[], list: HTMLElement | null): number[] {
  const focused = typedInIndex(list);
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (focused === undefined || first === undefined || last === undefined) return drawn;
  const from = Math.min(first, focused);
  const to = Math.max(last, focused);
  if (to - from > MOST_KEPT) return drawn;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The index of the list's own line with the field that has the focus; a list inside a line has indices of its own. */
function typedInIndex(list: HTMLElement | null): number | undefined {
  // Without a list there is no document either: the server draws the first lines.
  const field = list && document.activeElement;
  if (!list?.contains(field) || !field?.matches("input, textarea")) return undefined;
  let index: number | undefined;
  for (let at: Element | null = field; at && at !== list; at = at.parentElement) {
    if (at instanceof HTMLElement && at.dataset.index !== undefined) index = Number(at.dataset.index);
  }
  return index;
}
