"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { nextToast, TOAST_MS, type ToastInput } from "@/lib/client/toast";
import { late, useWarm } from "@/lib/utils/late";

const panel = late(() => import("@/components/shared/toaster-panel").then((module) => module.ToasterPanel));

/** The notification area. It is on the page before the first notification, so that screen readers read that one out too. */
export function Toaster() {
  const [plain, setPlain] = useState<ToastInput | null>(null);
  const next = useSyncExternalStore(nextToast.subscribe, nextToast.read, () => null);
  const Panel = useWarm(panel, next !== null, () => {
    setPlain(next);
    nextToast.taken();
  });
  if (Panel) return <Panel next={next} onTaken={nextToast.taken} />;
  return plain ? <PlainToast toast={plain} onEnd={() => setPlain(null)} /> : null;
}

/** Without a network the notification area may be missing too; what it has to say then is said all the same. */
function PlainToast({ toast, onEnd }: { toast: ToastInput; onEnd: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onEnd, TOAST_MS);
    return () => clearTimeout(timer);
  }, [onEnd]);
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-4 z-50 w-[min(420px,calc(100vw-32px))] rounded-md border bg-popover p-4 text-popover-foreground shadow-float"
    >
      <p className="font-medium">{toast.title}</p>
      <p dir="auto" className="mt-0.5 text-muted-foreground">
        {toast.description}
      </p>
    </div>
  );
}
