"use client";

import { Slot } from "radix-ui";
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  type SyntheticEvent,
  use,
  useEffect,
  useId,
  useState,
} from "react";
import type { Pointed } from "@/components/ui/tooltip-panel";
import { late, useWarm } from "@/lib/utils/late";

const panel = late(() => import("@/components/ui/tooltip-panel"));

const PointedContext = createContext<Dispatch<SetStateAction<Pointed | null>>>(() => undefined);

/** One tooltip is open at a time: Radix comes late and is given the element that was pointed at or focused last. */
export function TooltipProvider({ delayDuration, children }: { delayDuration?: number; children: ReactNode }) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const loaded = useWarm(panel, false);
  return (
    <PointedContext value={setPointed}>
      {children}
      {loaded && pointed ? <loaded.TooltipPanel pointed={pointed} delayDuration={delayDuration} /> : null}
    </PointedContext>
  );
}

/** A sentence that shows when its one child is pointed at or focused. A disabled button needs a focusable span around it. */
export function Tooltip({
  content,
  children,
  side,
}: {
  content: ReactNode;
  children: ReactNode;
  side?: Pointed["side"];
}) {
  const setPointed = use(PointedContext);
  const id = useId();
  useEffect(() => () => setPointed((now) => (now?.id === id ? null : now)), [id, setPointed]);

  function point({ currentTarget: element, nativeEvent: first }: SyntheticEvent<HTMLElement>) {
    const isSame = (now: Pointed | null) => now?.id === id && now.element === element && now.content === content;
    setPointed((now) => (isSame(now) ? now : { id, element, content, side, first }));
  }

  return (
    <Slot.Root
      onPointerMove={point}
      // A press focuses too, and is no wish to read.
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && point(event)}
    >
      {children}
    </Slot.Root>
  );
}
