"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { askBeforeUnload, holdBack } from "@/lib/client/leaving";

/**
 * While there are unsaved changes: the browser asks before the page is closed or left, and whatever leads to another page
 * of the app asks here.
 */
export function LeaveGuard({ active, onLeave }: { active: boolean; onLeave: () => void }) {
  const router = useRouter();
  const [goOn, setGoOn] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!active) return;
    function catchLink(event: MouseEvent) {
      const href = leavingTo(event);
      if (!href) return;
      event.preventDefault();
      event.stopPropagation();
      setGoOn(() => () => router.push(href));
    }
    const release = holdBack((next) => setGoOn(() => next));
    const stopAsking = askBeforeUnload();
    // Before the links themselves hear of it.
    document.addEventListener("click", catchLink, true);
    return () => {
      release();
      stopAsking();
      document.removeEventListener("click", catchLink, true);
    };
  }, [active, router]);

  function leave() {
    onLeave();
    setGoOn(null);
    goOn?.();
  }

  return (
    <ConfirmDialog
      open={goOn !== null}
      onOpenChange={() => setGoOn(null)}
      title="Leave without saving?"
      description="You have unsaved changes. They are lost when you leave this page."
      confirmLabel="Leave"
      destructive
      onConfirm={leave}
    />
  );
}

/** Where a plain click on a link of ours would go; undefined for a click that stays or opens another window. */
function leavingTo(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || (link.target && link.target !== "_self") || link.hasAttribute("download")) return undefined;
  const url = new URL(link.href);
  const { origin, pathname } = window.location;
  if (url.origin !== origin || url.pathname === pathname) return undefined;
  return url.pathname + url.search + url.hash;
}
