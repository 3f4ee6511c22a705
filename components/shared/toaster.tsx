"use client";

import { useEffect } from "react";
import { toasts } from "@/lib/client/toast";
import { lazyModule, useLazyModule } from "@/lib/utils/lazy-module";

const panel = lazyModule(() => import("@/components/shared/toaster-panel").then((module) => module.ToasterPanel));

/**
 * The notification area. Its code is loaded at the first input or toast, whichever comes first; a toast waits for it, and
 * the next one tries again where it did not load.
 */
export function Toaster() {
  const Panel = useLazyModule(panel, false);
  useEffect(() => toasts.loadWith(() => void panel.load().catch(() => undefined)), []);
  return <div data-toast-area="">{Panel ? <Panel /> : null}</div>;
}
