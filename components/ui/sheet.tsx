"use client";

import { type ComponentProps, createContext, use } from "react";
import type * as Panel from "@/components/ui/sheet-panel";
import { late, useLate } from "@/lib/utils/late";

const panel = late(() => import("@/components/ui/sheet-panel"));
const PanelContext = createContext<typeof Panel | null>(null);

/** Radix comes when the sheet is opened for the first time. */
export function Sheet({ open, onOpenChange, children }: ComponentProps<typeof Panel.Sheet>) {
  const loaded = useLate(panel, open === true, () => onOpenChange?.(false));
  if (!loaded) return null;
  return (
    <PanelContext value={loaded}>
      <loaded.Sheet open={open} onOpenChange={onOpenChange}>
        {children}
      </loaded.Sheet>
    </PanelContext>
  );
}

/** A panel that slides in from the left. */
export function SheetContent(props: ComponentProps<typeof Panel.SheetContent>) {
  const loaded = use(PanelContext);
  return loaded ? <loaded.SheetContent {...props} /> : null;
}

export function SheetTitle(props: ComponentProps<typeof Panel.SheetTitle>) {
  const loaded = use(PanelContext);
  return loaded ? <loaded.SheetTitle {...props} /> : null;
}
