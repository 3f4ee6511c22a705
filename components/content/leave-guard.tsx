"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";

/**
 * While there are unsaved changes: the browser asks before the page is closed or left, and links inside the app ask here.
 */
export function LeaveGuard({ active, onLeave }: { active: boolean; onLeave: () => void }) {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);

  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    function catchLink(event: MouseEvent) {
      const href = leavingTo(event);
      if (!href) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    }
    window.addEventListener("beforeunload", ask);
    // Before the links themselves hear of it.
    document.addEventListener("click", catchLink, true);
    return () => {
      window.removeEventListener("beforeunload", ask);
      document.removeEventListener("click", catchLink, true);
    };
  }, [active]);

  function leave() {
    onLeave();
    setTarget(null);
    if (target) router.push(target);
  }

  return (
    <ConfirmDialog
      open={target !== null}
      onOpenChange={() => setTarget(null)}
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
