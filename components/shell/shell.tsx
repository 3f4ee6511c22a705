"use client";

import { type ReactNode, useEffect, useState } from "react";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { PHONE_QUERY } from "@/components/shared/phone-query";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { useShortcut } from "@/components/shared/use-shortcut";
import { Brand } from "@/components/shell/brand";
import { Nav } from "@/components/shell/nav";
import { rememberSidebar, type SidebarState } from "@/components/shell/sidebar-state";
import { Topbar } from "@/components/shell/topbar";
import { cn } from "@/lib/utils/cn";

const MobileSidebar = lazyDialog(() =>
  import("@/components/shell/mobile-sidebar").then((module) => module.MobileSidebar),
);

const WIDE_QUERY = "(min-width: 1200px)";

/** Classes of labels that only screen readers get while the sidebar is a rail. */
const HIDDEN_IN_RAIL = "group-data-[sidebar=collapsed]/shell:sr-only max-xl:group-data-[sidebar=auto]/shell:sr-only";

/** Sidebar, top bar and page. Ctrl+B or Cmd+B toggles the sidebar; on phones it slides in. */
export function Shell({
  initialSidebar,
  userMenu,
  search,
  queueCount,
  children,
}: {
  initialSidebar: SidebarState;
  userMenu: ReactNode;
  /** Shown at the end of the top bar. */
  search?: ReactNode;
  /** Shown beside the queue monitor's entry. */
  queueCount?: ReactNode;
  children: ReactNode;
}) {
  const [sidebar, setSidebar] = useState(initialSidebar);
  const [isMobileOpen, setMobileOpen] = useState(false);

  function toggle() {
    if (window.matchMedia(PHONE_QUERY).matches) {
      setMobileOpen((open) => !open);
      return;
    }
    const isOpen = sidebar === "auto" ? window.matchMedia(WIDE_QUERY).matches : sidebar === "open";
    const next = isOpen ? "collapsed" : "open";
    setSidebar(next);
    rememberSidebar(next);
  }

  useShortcut("b", toggle);
  useWhenWider(() => setMobileOpen(false));

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
          "sticky top-0 hidden h-dvh w-(--sidebar-width) shrink-0 flex-col overflow-hidden border-sidebar-border border-r bg-sidebar text-sidebar-foreground transition-[width] duration-200 md:flex focus-mode:hidden",
          "group-data-[sidebar=collapsed]/shell:w-(--sidebar-width-icon) max-xl:group-data-[sidebar=auto]/shell:w-(--sidebar-width-icon)",
        )}
      >
        <Brand labelClass={HIDDEN_IN_RAIL} />
        <ScrollRegion className="min-h-0 flex-1">
          <Nav labelClass={HIDDEN_IN_RAIL} queueCount={queueCount} />
        </ScrollRegion>
        <div className="border-sidebar-border border-t p-1">{userMenu}</div>
      </aside>
      <MobileSidebar open={isMobileOpen} onOpenChange={setMobileOpen} userMenu={userMenu} queueCount={queueCount} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Topbar search={search} onToggleSidebar={toggle} />
        <main
          id="main"
          tabIndex={-1}
          className="page-column flex-1 pt-8 pb-24 max-md:pt-6 max-md:pb-30 focus-mode:py-0"
        >
          {children}
        </main>
      </div>
    </div>
  );
}

/** Calls `action` when the window becomes wider than a phone. */
function useWhenWider(action: () => void): void {
  useEffect(() => {
    const phone = window.matchMedia(PHONE_QUERY);
    function listen(event: MediaQueryListEvent) {
      if (!event.matches) action();
    }
    phone.addEventListener("change", listen);
    return () => phone.removeEventListener("change", listen);
  });
}
