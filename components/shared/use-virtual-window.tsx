"use client";

import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Drawn, FIRST_HEIGHT, type VirtualList } from "@/components/shared/virtual-window";
import { late, useWarm } from "@/lib/utils/late";

export type VirtualWindow = Drawn & {
  /** Belongs on the element whose padding keeps the room. */
  listRef: RefObject<HTMLDivElement | null>;
  /** Belongs beside the list: it follows the window and shows nothing. */
  follower: ReactNode;
};

const windowFollower = late(() =>
  import("@/components/shared/window-follower").then((module) => module.WindowFollower),
);

/** Lines drawn beyond the window on either side. */
const OVERSCAN = 8;

/**
 * Which items of a long list are near the window, for a list that scrolls with the page: only those are drawn, in the
 * normal flow. Items may be of any height; a margin between them has to be part of one, as padding. A short list is drawn
 * as it is: what follows the window is loaded only for one that goes on below the first lines.
 */
export function useVirtualWindow({
  overscan = OVERSCAN,
  ...list
}: Omit<VirtualList, "overscan"> & { overscan?: number }): VirtualWindow {
  const { count, keyOf, estimate } = list;
  const listRef = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // After every draw: what stands above the list may have grown.
  useLayoutEffect(() => {
    const now = listRef.current ? listRef.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const firstDrawn = useMemo(() => drawnAtFirst({ count, estimate, overscan }), [count, estimate, overscan]);
  const [followed, setFollowed] = useState<Drawn | null>(null);
  const [cannotFollow, setCannotFollow] = useState(false);
  const isLong = firstDrawn.end < count;
  const Follower = useWarm(windowFollower, isLong, () => setCannotFollow(true));
  const follower =
    isLong && Follower ? (
      <Follower {...{ count, keyOf, estimate, overscan, top, listRef }} onDrawn={setFollowed} />
    ) : null;
  // Nothing is out of reach when the follower cannot be loaded: the page is only slower.
  const unfollowed = cannotFollow && !Follower ? { ...firstDrawn, end: count, after: 0 } : firstDrawn;
  return { ...((isLong && followed) || unfollowed), listRef, follower };
}

/** What fills the first height, and the lines beyond it. */
function drawnAtFirst({ count, estimate, overscan }: Omit<VirtualList, "keyOf">): Drawn {
  let end = 0;
  for (let height = 0; end < count && height < FIRST_HEIGHT; end++) height += estimate(end);
  end = Math.min(count, end + overscan);
  let after = 0;
  for (let index = end; index < count; index++) after += estimate(index);
  return { first: 0, end, before: 0, after, isScrolling: false, measure: notYet };
}

function notYet(): void {}
