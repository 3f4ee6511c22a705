"use client";

import type { ReactNode } from "react";
import { useFocusReturn } from "@/components/shared/focus-return";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { Brand } from "@/components/shell/brand";
import { Nav } from "@/components/shell/nav";
import { Sheet, SheetContent, SheetTitle } from "@/components/ui/sheet";

/** The sidebar on phones: a sheet, loaded when it is first opened. */
export function MobileSidebar({
  open,
  onOpenChange,
  userMenu,
  queueCount,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  userMenu: ReactNode;
  queueCount?: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        side="left"
        showCloseButton={false}
        aria-describedby={undefined}
        className="w-(--sidebar-width-mobile) bg-sidebar pb-[env(safe-area-inset-bottom)] text-sidebar-foreground"
        {...focusReturn}
      >
        <SheetTitle className="sr-only">Content Planner</SheetTitle>
        <Brand />
        <ScrollRegion className="min-h-0 flex-1">
          <Nav onNavigate={() => onOpenChange(false)} queueCount={queueCount} />
        </ScrollRegion>
        <div className="border-sidebar-border border-t p-2">{userMenu}</div>
      </SheetContent>
    </Sheet>
  );
}
