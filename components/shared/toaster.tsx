"use client";

import { useSyncExternalStore } from "react";
import { nextToast } from "@/lib/client/toast";
import { late, useWarm } from "@/lib/utils/late";

const panel = late(() => import("@/components/shared/toaster-panel").then((module) => module.ToasterPanel));

/** The notification area. It is on the page before the first notification, so that screen readers read that one out too. */
export function Toaster() {
  const next = useSyncExternalStore(nextToast.subscribe, nextToast.read, () => null);
  const Panel = useWarm(panel, next !== null, nextToast.taken);
  return Panel ? <Panel next={next} onTaken={nextToast.taken} /> : null;
}
