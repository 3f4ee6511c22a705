"use client";

import type { ComponentProps } from "react";
import type { ConfirmPanel } from "@/components/shared/confirm-panel";
import { LateDialog } from "@/components/shared/late-dialog";
import { late } from "@/lib/utils/late";

const confirmPanel = late(() => import("@/components/shared/confirm-panel").then((module) => module.ConfirmPanel));

/**
 * Asks before something is done. Focus begins on Cancel. It stays open while pending and is closed by whoever opened it,
 * so that a failure can be told apart from a success.
 */
export function ConfirmDialog(props: ComponentProps<typeof ConfirmPanel>) {
  return <LateDialog dialog={confirmPanel} {...props} />;
}
