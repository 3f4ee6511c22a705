"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffectEvent, useLayoutEffect } from "react";
import { type Drawn, FIRST_HEIGHT, type VirtualList } from "@/components/shared/virtual-window";

const FIRST_RECT = { width: 1280, height: FIRST_HEIGHT };

/** What components/shared/use-virtual-window.tsx loads for a long list: tells which of its items are near the window. */
export function WindowFollower({
  count,
  keyOf,
  estimate,
  overscan,
  top,
  listRef,
  onDrawn,
}: VirtualList & {
  /** Where the list begins on the page, in pixels. */
  top: number;
  listRef: RefObject<HTMLDivElement | null>;
  /** Called before the browser paints; null when nothing follows the window any more. */
  onDrawn: (drawn: Drawn | null) => void;
}) {
  const virtualizer = useWindowVirtualizer({
    count,
    getItemKey: keyOf,
    estimateSize: estimate,
    overscan,
    scrollMargin: top,
    initialRect: FIRST_RECT,
    rangeExtractor: useCallback(
      (range: Range) => withFocused(defaultRangeExtractor(range), listRef.current),
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

  const tell = useEffectEvent(onDrawn);
  useLayoutEffect(() => {
    tell({ first, end, before, after, isScrolling, measure });
  }, [first, end, before, after, isScrolling, measure]);
  useLayoutEffect(() => () => tell(null), []);
  return null;
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
  const field = document.activeElement;
  if (!list?.contains(field) || !field?.matches("input, textarea")) return undefined;
  let index: number | undefined;
  for (let at: Element | null = field; at && at !== list; at = at.parentElement) {
    if (at instanceof HTMLElement && at.dataset.index !== undefined) index = Number(at.dataset.index);
  }
  return index;
}
