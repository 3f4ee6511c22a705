"use client";

import { Slot } from "radix-ui";
import { type ComponentProps, createContext, type ReactElement, type ReactNode, use, useState } from "react";
import type * as Panel from "@/components/ui/popover-panel";
import { late, useLate } from "@/lib/utils/late";

const panel = late(() => import("@/components/ui/popover-panel"));

type Opens = { open: boolean; onOpenChange: (open: boolean) => void };
type State = Opens & {
  loaded: typeof Panel | null;
  want: () => void;
  trigger: HTMLElement | null;
  setTrigger: (trigger: HTMLElement | null) => void;
};

const PopoverContext = createContext<State | null>(null);

/** As a menu: Radix takes the trigger over when somebody turns to it. */
export function Popover({ open, onOpenChange, children }: Opens & { children: ReactNode }) {
  const [isWanted, setWanted] = useState(false);
  const [trigger, setTrigger] = useState<HTMLElement | null>(null);
  const loaded = useLate(panel, isWanted || open, () => {
    setWanted(false);
    onOpenChange(false);
  });
  const state = { open, onOpenChange, loaded, want: () => setWanted(true), trigger, setTrigger };
  return <PopoverContext value={state}>{children}</PopoverContext>;
}

/** Its one child is the button that opens it. */
export function PopoverTrigger({ children }: { children: ReactElement }) {
  const state = use(PopoverContext);
  return (
    <Slot.Root
      aria-haspopup="dialog"
      aria-expanded={state?.open}
      onFocus={state?.want}
      onPointerEnter={state?.want}
      onPointerDown={state?.want}
      onClick={() => state && !state.loaded && state.onOpenChange(true)}
      ref={state?.setTrigger}
    >
      {children}
    </Slot.Root>
  );
}

export function PopoverContent(props: ComponentProps<typeof Panel.PopoverContent>) {
  const state = use(PopoverContext);
  if (!state?.loaded || !state.trigger) return null;
  const { loaded, trigger, open, onOpenChange } = state;
  return (
    <loaded.PopoverRoot trigger={trigger} open={open} onOpenChange={onOpenChange}>
      <loaded.PopoverContent {...props} />
    </loaded.PopoverRoot>
  );
}
