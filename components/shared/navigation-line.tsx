"use client";

import { useEffect, useState } from "react";
import { whenNavigating } from "@/lib/client/navigation";

/**
 * A line along the top of the window from the click until the next page is there. A Suspense fallback could not do this: a
 * page that is not there could no longer answer 404.
 */
export function NavigationLine() {
  const isNavigating = useNavigating();
  const isUnloading = useUnloading();
  if (!isNavigating && !isUnloading) return null;
  return (
    <div role="progressbar" aria-label="Loading page" className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5">
      {/* A border, because forced colours take backgrounds away. */}
      <div className="animate-advance origin-left border-link border-t-2" />
    </div>
  );
}

/** Inside the app, from the start of a navigation until the router's transition ends, however it ends. */
function useNavigating(): boolean {
  const [started, setStarted] = useState<object | null>(null);
  const [arrived, setArrived] = useState<object | null>(null);
  useEffect(
    () =>
      whenNavigating(() => {
        const navigation = {};
        // Part of the transition, so React commits it together with the page.
        setArrived(navigation);
        // Not part of it, and a moment later: React draws a step through the history as one with what is urgent in the event.
        queueMicrotask(() => setStarted(navigation));
      }),
    [],
  );
  return started !== arrived;
}

/** The browser is loading a page itself: after a full load, such as a toast's action, or at a reload. */
function useUnloading(): boolean {
  const [isUnloading, setUnloading] = useState(false);
  useEffect(() => {
    // Later, when all have been heard: if one of them makes the browser ask, the person may stay.
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
