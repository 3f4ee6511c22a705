"use client";

import { lazyDialog } from "@/components/shared/lazy-dialog";

/** Adds a site, or edits one. */
export const SiteDialog = lazyDialog(() =>
  import("@/components/account/settings/sites/site-form").then((module) => module.SiteForm),
);
