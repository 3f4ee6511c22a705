"use client";

import { lazyDialog } from "@/components/shared/lazy-dialog";

export const EditProjectDialog = lazyDialog(() =>
  import("@/components/projects/edit-project-form").then((module) => module.EditProjectForm),
);
