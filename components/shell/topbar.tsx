"use client";

import { PanelLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Hint } from "@/components/shared/hint";
import { Breadcrumb } from "@/components/shell/breadcrumb";
import { Button } from "@/components/ui/button";

export function Topbar({ search, onToggleSidebar }: { search?: ReactNode; onToggleSidebar: () => void }) {
  return (
    // Its path and its search stand above the edges of the page's column, where there is room beside it for the button.
    <header className="tall:sticky relative top-0 z-10 flex h-(--topbar) shrink-0 items-center gap-2 border-b bg-background ps-[max(var(--gutter)+var(--control-sm),50%-var(--page)/2)] pe-[max(var(--gutter),50%-var(--page)/2)] focus-mode:hidden">
      <Hint content="Toggle sidebar (Ctrl+B)" side="right">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="Toggle sidebar"
          aria-keyshortcuts="Control+B Meta+B"
          className="absolute start-(--gutter) -ms-2 max-md:-ms-3.5"
          onClick={onToggleSidebar}
        >
          <PanelLeft aria-hidden="true" strokeWidth={1.75} />
        </Button>
      </Hint>
      <Breadcrumb />
      {search}
    </header>
  );
}
