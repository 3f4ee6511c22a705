"use client";

import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Logo } from "@/components/shared/logo";
import { Nav } from "@/components/shell/nav";
import { rememberSidebar, type SidebarState } from "@/components/shell/sidebar-state";
import { Topbar } from "@/components/shell/topbar";
import { ScrollArea } from "@/components/ui/scroll-area";
import { Sheet, SheetContent, SheetTitle } from "@/components/ui/sheet";
import { cn } from "@/lib/utils/cn";

const PHONE = "(max-width: 767.98px)";
const WIDE = "(min-width: 1200px)";

/** What is hidden, but still named, while the sidebar is a rail. */
const HIDDEN_IN_RAIL = "group-data-[sidebar=collapsed]/shell:sr-only max-xl:group-data-[sidebar=auto]/shell:sr-only";

/** Sidebar, top bar and the page between them. Ctrl+B or Cmd+B toggles the sidebar; on phones it slides in. */
export function Shell({
  initialSidebar,
  userMenu,
  search,
  queueCount,
  children,
}: {
  initialSidebar: SidebarState;
  userMenu: ReactNode;
  /** Stands at the end of the top bar. */
  search?: ReactNode;
  /** Stands beside the queue monitor's entry. */
  queueCount?: ReactNode;
  children: ReactNode;
}) {
  const [sidebar, setSidebar] = useState(initialSidebar);
  const [isSlidIn, setSlidIn] = useState(false);

  const toggle = useCallback(() => {
    if (window.matchMedia(PHONE).matches) {
      setSlidIn((open) => !open);
      return;
    }
    const isOpen = sidebar === "auto" ? window.matchMedia(WIDE).matches : sidebar === "open";
    const next = isOpen ? "collapsed" : "open";
    setSidebar(next);
    rememberSidebar(next);
  }, [sidebar]);

  useShortcut("b", toggle);
  useWhenWider(() => setSlidIn(false));

  return (
    <div data-sidebar={sidebar} className="group/shell flex min-h-dvh">
      <a
        href="#main"
        className="sr-only rounded-md bg-popover px-4 py-2 shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        className={cn(
          "sticky top-0 hidden h-dvh w-(--sidebar-width) shrink-0 flex-col overflow-hidden border-sidebar-border border-r bg-sidebar text-sidebar-foreground transition-[width] duration-200 md:flex",
          "group-data-[sidebar=collapsed]/shell:w-(--sidebar-width-icon) max-xl:group-data-[sidebar=auto]/shell:w-(--sidebar-width-icon)",
        )}
      >
        <Brand labelClass={HIDDEN_IN_RAIL} />
        <ScrollArea className="min-h-0 flex-1">
          <Nav labelClass={HIDDEN_IN_RAIL} queueCount={queueCount} />
        </ScrollArea>
        <div className="border-sidebar-border border-t p-1">{userMenu}</div>
      </aside>
      <Sheet open={isSlidIn} onOpenChange={setSlidIn}>
        <SheetContent
          aria-describedby={undefined}
          className="flex w-(--sidebar-width-mobile) flex-col bg-sidebar pb-[env(safe-area-inset-bottom)] text-sidebar-foreground"
        >
          <SheetTitle className="sr-only">Content Planner</SheetTitle>
          <Brand />
          <ScrollArea className="min-h-0 flex-1">
            <Nav onNavigate={() => setSlidIn(false)} queueCount={queueCount} />
          </ScrollArea>
          <div className="border-sidebar-border border-t p-2">{userMenu}</div>
        </SheetContent>
      </Sheet>
      <div className="flex min-w-0 flex-1 flex-col">
        <Topbar search={search} onToggleSidebar={toggle} />
        <main id="main" tabIndex={-1} className="page-column flex-1 pt-8 pb-24 max-md:pt-6 max-md:pb-30">
          {children}
        </main>
      </div>
    </div>
  );
}

function Brand({ labelClass }: { labelClass?: string }) {
  return (
    <div className="flex h-(--topbar) shrink-0 items-center gap-2.5 px-3.5 font-medium text-foreground">
      <Logo />
      <span className={cn("truncate", labelClass)}>Content Planner</span>
    </div>
  );
}

function useShortcut(key: string, action: () => void): void {
  useEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== key || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      action();
    }
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [key, action]);
}

/** A window made wider than a phone has its sidebar in place: the panel over it must not stay. */
function useWhenWider(action: () => void): void {
  useEffect(() => {
    const phone = window.matchMedia(PHONE);
    function listen(event: MediaQueryListEvent) {
      if (!event.matches) action();
    }
    phone.addEventListener("change", listen);
    return () => phone.removeEventListener("change", listen);
  });
}
