"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffectEvent, useLayoutEffect } from "react";
import { INITIAL_HEIGHT, type RenderedRange, type VirtualList } from "@/components/shared/virtual-window";

const INITIAL_RECT = { width: 1280, height: INITIAL_HEIGHT };

/** Loaded by components/shared/use-virtual-window.tsx for a long list; reports which items are near the viewport. */
export function WindowFollower({
  count,
  keyOf,
  estimate,
  overscan,
  top,
  listRef,
  onChange,
}: VirtualList & {
  /** The list's offset from the top of the page, in pixels. */
  top: number;
  listRef: RefObject<HTMLDivElement | null>;
  /** Called before the browser paints, with null on unmount. */
  onChange: (range: RenderedRange | null) => void;
}) {
  const virtualizer = useWindowVirtualizer({
    count,
    getItemKey: keyOf,
    estimateSize: estimate,
    overscan,
    scrollMargin: top,
    initialRect: INITIAL_RECT,
    rangeExtractor: useCallback(
      (range: Range) => withEditedRow(defaultRangeExtractor(range), listRef.current),
      [listRef],
    ),
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const [head, tail] = [items[0], items.at(-1)];
  const first = head?.index ?? 0;
  const end = tail ? tail.index + 1 : 0;
  const before = head ? head.start - top : 0;
  const after = tail ? Math.max(0, virtualizer.getTotalSize() - (tail.end - top)) : 0;
  const { isScrolling, measureElement: measure } = virtualizer;

  const report = useEffectEvent(onChange);
  useLayoutEffect(() => {
    report({ first, end, before, after, isScrolling, measure });
  }, [first, end, before, after, isScrolling, measure]);
  useLayoutEffect(() => () => report(null), []);
  return null;
}

/** A row being edited stays rendered, with all rows between, while the user scrolls up to this many rows away. */
const MAX_KEPT_ROWS = 60;

function withEditedRow(rendered: number[], list: HTMLElement | null): number[] {
  const edited = editedIndex(list);
  const [first, last] = [rendered[0], rendered.at(-1)];
  if (edited === undefined || first === undefined || last === undefined) return rendered;
  const from = Math.min(first, edited);
  const to = Math.max(last, edited);
  if (to - from > MAX_KEPT_ROWS) return rendered;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The index of the row with the focused field; a nested list has its own indices. */
function editedIndex(list: HTMLElement | null): number | undefined {
  const field = document.activeElement;
  if (!list?.contains(field) || !field?.matches("input, textarea")) return undefined;
  let index: number | undefined;
  for (let at: Element | null = field; at && at !== list; at = at.parentElement) {
    if (at instanceof HTMLElement && at.dataset.index !== undefined) index = Number(at.dataset.index);
  }
  return index;
}
