"use client";

import { lazyDialog } from "@/components/shared/lazy-dialog";

/** Asks before many pieces are published or updated, and which categories their topics are. */
export const PublishDialog = lazyDialog(() =>
  import("@/components/publishing/publish-panel").then((module) => module.PublishPanel),
);
