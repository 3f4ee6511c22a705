"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { dialogTriggerProps, lazyDialog } from "@/components/shared/lazy-dialog";
import { Button } from "@/components/ui/button";

const NewProjectForm = lazyDialog(() =>
  import("@/components/projects/new-project-form").then((module) => module.NewProjectForm),
);

/** "New Project" and its dialog. */
export function NewProjectDialog() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...dialogTriggerProps(isOpen, () => setOpen(true))}>
        <Plus aria-hidden="true" />
        New Project
      </Button>
      <NewProjectForm open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
