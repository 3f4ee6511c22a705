"use client";

import { useEffect, useState } from "react";
import { onNavigationStart } from "@/lib/client/navigation";

/**
 * A progress line at the top of the window from the click until the next page is shown. Not a Suspense fallback: with the
 * response already streaming, a missing page could no longer answer 404.
 */
export function NavigationLine() {
  const isNavigating = useNavigating();
  const isUnloading = useUnloading();
  if (!isNavigating && !isUnloading) return null;
  return (
    <div role="progressbar" aria-label="Loading page" className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5">
      {/* A border, because forced-colors mode removes backgrounds. */}
      <div className="animate-advance origin-left border-link border-t-2" />
    </div>
  );
}

/** Navigation within the app, from its start until the router's transition settles. */
function useNavigating(): boolean {
  const [started, setStarted] = useState<object | null>(null);
  const [arrived, setArrived] = useState<object | null>(null);
  useEffect(
    () =>
      onNavigationStart(() => {
        const navigation = {};
        // This is part of the transition, so that React commits it together with the page.
        setArrived(navigation);
        // This is outside it and in a later task: on popstate React commits the transition together with urgent updates of
        // the event.
        queueMicrotask(() => setStarted(navigation));
      }),
    [],
  );
  return started !== arrived;
}

/** Navigation by the browser itself: a full page load, such as a toast's action, or a reload. */
function useUnloading(): boolean {
  const [isUnloading, setUnloading] = useState(false);
  useEffect(() => {
    // This waits for all other listeners: if one makes the browser ask, the user may stay.
    const begin = (event: BeforeUnloadEvent) => setTimeout(() => setUnloading(!event.defaultPrevented));
    const end = () => setUnloading(false);
    window.addEventListener("beforeunload", begin);
    window.addEventListener("pageshow", end);
    return () => {
      window.removeEventListener("beforeunload", begin);
      window.removeEventListener("pageshow", end);
    };
  }, []);
  return isUnloading;
}
