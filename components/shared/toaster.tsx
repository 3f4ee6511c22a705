"use client";

import { useEffect, useState } from "react";
import { toasts } from "@/lib/client/toast";
import type { ToastInput } from "@/lib/client/toast-input";
import { lazyModule, useLazyModule } from "@/lib/utils/lazy-module";

const panel = lazyModule(() => import("@/components/shared/toaster-panel").then((module) => module.ToasterPanel));

/**
 * The notification area. Its code is loaded at the first input or toast, whichever comes first, and a toast waits for it.
 * Where it does not load, the newest toast stands here as plain text until it is pressed or the code has come.
 */
export function Toaster() {
  const Panel = useLazyModule(panel, false);
  const [unshown, setUnshown] = useState<ToastInput | null>(null);
  useEffect(() => {
    const load = (newest: ToastInput) =>
      panel.load().catch(() => {
        toasts.clear();
        setUnshown(newest);
      });
    toasts.loadWith(load);
  }, []);
  return (
    <div data-toast-area="">
      {Panel ? <Panel /> : null}
      {unshown && !Panel ? (
        <div role="alert" className="fixed inset-x-4 bottom-4 z-50 md:left-auto md:max-w-[420px]">
          <button type="button" className="toast text-left [--width:100%]" onClick={() => setUnshown(null)}>
            {unshown.title}: {unshown.description}
          </button>
        </div>
      ) : null}
    </div>
  );
}
