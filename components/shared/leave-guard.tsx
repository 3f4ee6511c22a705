"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { guardLeaving, warnBeforeUnload } from "@/lib/client/leave-guard";

/**
 * While there are unsaved changes, this dialog asks before the app navigates to another page. With `save` it asks only if
 * that does not save them, and closing the page is left to the caller. Without `save`, the browser asks.
 */
export function LeaveGuard({
  active,
  save,
  onLeave,
  description = LOST,
}: {
  active: boolean;
  /** Resolves to whether everything is saved. */
  save?: () => Promise<boolean>;
  onLeave?: () => void;
  description?: string;
}) {
  const router = useRouter();
  const [proceed, setProceed] = useState<(() => void) | null>(null);
  const isAsking = !save;

  const attempt = useEffectEvent(async (next: () => void) => {
    if (await save?.()) next();
    else setProceed(() => next);
  });

  useEffect(() => {
    if (!active) return;
    function interceptLink(event: MouseEvent) {
      const href = destinationOf(event);
      if (!href) return;
      event.preventDefault();
      event.stopPropagation();
      void attempt(() => router.push(href));
    }
    const stopGuarding = guardLeaving((next) => void attempt(next));
    const stopWarning = isAsking ? warnBeforeUnload() : undefined;
    // It listens in the capture phase, before the link's own handlers.
    document.addEventListener("click", interceptLink, true);
    return () => {
      stopGuarding();
      stopWarning?.();
      document.removeEventListener("click", interceptLink, true);
    };
  }, [active, isAsking, router]);

  function leave() {
    onLeave?.();
    setProceed(null);
    proceed?.();
  }

  return (
    <ConfirmDialog
      open={proceed !== null}
      onOpenChange={() => setProceed(null)}
      title="Leave without saving?"
      description={description}
      confirmLabel="Leave"
      destructive
      onConfirm={leave}
    />
  );
}

const LOST = "You have unsaved changes. They are lost when you leave this page.";

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
