"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { LateDialog, opensDialog } from "@/components/shared/late-dialog";
import { Button } from "@/components/ui/button";
import { late } from "@/lib/utils/late";

const form = late(() => import("@/components/projects/new-project-form").then((module) => module.NewProjectForm));

/** "New Project" and its dialog, which closes and empties on success. */
export function NewProjectDialog() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...opensDialog(isOpen, () => setOpen(true))}>
        <Plus aria-hidden="true" />
        New Project
      </Button>
      <LateDialog dialog={form} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
