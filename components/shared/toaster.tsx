"use client";

import Link from "next/link";
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { PlainToast } from "@/components/shared/plain-toast";
import { TOAST_LINK, toasts } from "@/lib/client/toast";
import type { ToastAction } from "@/lib/client/toast-input";
import { lazyModule, useLazyModule } from "@/lib/utils/lazy-module";

const panel = lazyModule(() => import("@/components/shared/toaster-panel").then((module) => module.ToasterPanel));

/** If the panel has not loaded by then, a plain toast is shown. */
const FALLBACK_MS = 500;

/** The notification area. Rendered before the first toast, so that screen readers announce that one too. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.read, () => null);
  const area = useRef<HTMLDivElement>(null);
  const Panel = useLazyModule(panel, false);
  const isPlain = useNeedsPlainToast(shown?.key, Panel !== null);
  useEffect(() => {
    const update = () => toasts.hold("hidden page", document.hidden);
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && shown) toasts.close(shown.key);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of the toast in it.
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

/** The toast's button follows this link, so that it navigates within the app and asks before unsaved text is lost. */
function ActionLink({ action }: { action: ToastAction }) {
  if (!("href" in action) || action.newWindow) return null;
  return (
    <Link {...{ [TOAST_LINK]: "" }} href={action.href} prefetch={false} hidden>
      {action.label}
    </Link>
  );
}

/** True if the panel is late or failed to load. A toast shown plain stays plain. */
function useNeedsPlainToast(key: number | undefined, hasPanel: boolean): boolean {
  const [plainKey, setPlainKey] = useState<number>();
  useEffect(() => {
    if (key === undefined || hasPanel) return;
    const showPlain = () => setPlainKey(key);
    const timer = setTimeout(showPlain, FALLBACK_MS);
    panel.load().catch(showPlain);
    return () => clearTimeout(timer);
  }, [key, hasPanel]);
  return key !== undefined && plainKey === key;
}
