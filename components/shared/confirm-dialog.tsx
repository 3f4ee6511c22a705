"use client";

import { lazyDialog } from "@/components/shared/lazy-dialog";

/**
 * Asks before something is done; the focus starts on Cancel. It stays open while pending, and its parent closes it, so that a
 * failed action can be retried.
 */
export const ConfirmDialog = lazyDialog(() =>
  import("@/components/shared/confirm-panel").then((module) => module.ConfirmPanel),
);
