"use client";

import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { INITIAL_HEIGHT, type RenderedRange, type VirtualList } from "@/components/shared/virtual-window";
import { lazyModule, useLazyModule } from "@/lib/utils/lazy-module";

export type VirtualWindow = RenderedRange & {
  /** Ref of the element whose padding takes the place of items that are not rendered. */
  listRef: RefObject<HTMLDivElement | null>;
  /** Render it beside the list: it follows the viewport and shows nothing. */
  follower: ReactNode;
};

const windowFollower = lazyModule(() =>
  import("@/components/shared/window-follower").then((module) => module.WindowFollower),
);

/** Items rendered beyond the viewport on either side. */
const OVERSCAN = 8;

/**
 * Virtualises a list that scrolls with the page: only items near the viewport are rendered, in normal flow. Items may have
 * any height; space between them must be padding, not margin. A short list is rendered whole and loads no further code.
 */
export function useVirtualWindow({
  overscan = OVERSCAN,
  ...list
}: Omit<VirtualList, "overscan"> & { overscan?: number }): VirtualWindow {
  const { count, keyOf, estimate } = list;
  const listRef = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // This runs after every render: content above the list may have grown.
  useLayoutEffect(() => {
    const now = listRef.current ? listRef.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const initial = useMemo(() => initialRange({ count, estimate, overscan }), [count, estimate, overscan]);
  const [followed, setFollowed] = useState<RenderedRange | null>(null);
  const [isFollowerMissing, setFollowerMissing] = useState(false);
  const isLong = initial.end < count;
  const Follower = useLazyModule(windowFollower, isLong, () => setFollowerMissing(true));
  const follower =
    isLong && Follower ? (
      <Follower {...{ count, keyOf, estimate, overscan, top, listRef }} onChange={setFollowed} />
    ) : null;
  // Without the follower all items are rendered: slower, but complete.
  const fallback = isFollowerMissing && !Follower ? { ...initial, end: count, after: 0 } : initial;
  return { ...((isLong && followed) || fallback), listRef, follower };
}

/** Items that fill the initial height, plus the overscan. */
function initialRange({ count, estimate, overscan }: Omit<VirtualList, "keyOf">): RenderedRange {
  let end = 0;
  for (let height = 0; end < count && height < INITIAL_HEIGHT; end++) height += estimate(end);
  end = Math.min(count, end + overscan);
  let after = 0;
  for (let index = end; index < count; index++) after += estimate(index);
  return { first: 0, end, before: 0, after, isScrolling: false, measure: noop };
}

function noop(): void {}
