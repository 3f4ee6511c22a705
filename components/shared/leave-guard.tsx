"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { guardLeaving, warnBeforeUnload } from "@/lib/client/leave-guard";

/**
 * While there are unsaved changes, the browser asks before the page is closed, and this dialog asks before the app
 * navigates to another page.
 */
export function LeaveGuard({ active, onLeave }: { active: boolean; onLeave: () => void }) {
  const router = useRouter();
  const [proceed, setProceed] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!active) return;
    function interceptLink(event: MouseEvent) {
      const href = destinationOf(event);
      if (!href) return;
      event.preventDefault();
      event.stopPropagation();
      setProceed(() => () => router.push(href));
    }
    const stopGuarding = guardLeaving((next) => setProceed(() => next));
    const stopWarning = warnBeforeUnload();
    // In the capture phase, before the link's own handlers.
    document.addEventListener("click", interceptLink, true);
    return () => {
      stopGuarding();
      stopWarning();
      document.removeEventListener("click", interceptLink, true);
    };
  }, [active, router]);

  function leave() {
    onLeave();
    setProceed(null);
    proceed?.();
  }

  return (
    <ConfirmDialog
      open={proceed !== null}
      onOpenChange={() => setProceed(null)}
      title="Leave without saving?"
      description="You have unsaved changes. They are lost when you leave this page."
      confirmLabel="Leave"
      destructive
      onConfirm={leave}
    />
  );
}

/** The page a plain click leads to within the app; undefined if it stays on this page or opens another window. */
function destinationOf(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || (link.target && link.target !== "_self") || link.hasAttribute("download")) return undefined;
  const url = new URL(link.href);
  const { origin, pathname } = window.location;
  if (url.origin !== origin || url.pathname === pathname) return undefined;
  return url.pathname + url.search + url.hash;
}
