"use client";

import Link from "next/link";
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { PlainToast } from "@/components/shared/plain-toast";
import { TOAST_LINK, toasts } from "@/lib/client/toast";
import type { ToastAction } from "@/lib/client/toast-input";
import { late, useWarm } from "@/lib/utils/late";

const panel = late(() => import("@/components/shared/toaster-panel").then((module) => module.ToasterPanel));

/** What stands in for a panel that is still loading comes after this time. */
const PATIENCE_MS = 500;

/** The notification area. It is on the page before the first notification, so that screen readers read that one out too. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.read, () => null);
  const area = useRef<HTMLDivElement>(null);
  const Panel = useWarm(panel, false);
  const isPlain = useStandIn(shown?.key, Panel !== null);
  useEffect(() => {
    const look = () => toasts.hold("hidden page", document.hidden);
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && shown) toasts.close(shown.key);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears of what happens to the notification in it.
    <div
      ref={area}
      data-toast-area=""
      onPointerEnter={() => toasts.hold("pointer", true)}
      onPointerLeave={() => toasts.hold("pointer", false)}
      onFocus={() => toasts.hold("focus", true)}
      onBlur={({ relatedTarget }) => toasts.hold("focus", area.current?.contains(relatedTarget) ?? false)}
      onKeyDown={onKeyDown}
    >
      {shown?.input.action ? <ActionLink action={shown.input.action} /> : null}
      {Panel ? <Panel shown={isPlain ? null : shown} /> : null}
      {shown && isPlain ? <PlainToast shown={shown} /> : null}
    </div>
  );
}

/** Followed by the action's button: a link stays in the app, and asks before unsaved text is left. */
function ActionLink({ action }: { action: ToastAction }) {
  if (!("href" in action) || action.newWindow) return null;
  return (
    <Link {...{ [TOAST_LINK]: "" }} href={action.href} prefetch={false} hidden>
      {action.label}
    </Link>
  );
}

/** Whether this notification shows without the panel, which failed to load or is late. It is not swapped midway. */
function useStandIn(key: number | undefined, hasPanel: boolean): boolean {
  const [plainKey, setPlainKey] = useState<number>();
  useEffect(() => {
    if (key === undefined || hasPanel) return;
    const standIn = () => setPlainKey(key);
    const timer = setTimeout(standIn, PATIENCE_MS);
    panel.load().catch(standIn);
    return () => clearTimeout(timer);
  }, [key, hasPanel]);
  return key !== undefined && plainKey === key;
}
