"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useLogout } from "@/components/account/use-logout";
import type { Choice } from "@/components/search/entries";
import { Results } from "@/components/search/results";
import { lazyDialog } from "@/components/shared/lazy-dialog";
import { ModalContent } from "@/components/shared/modal-content";
import { Dialog, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { leave } from "@/lib/client/leave-guard";
import { applyTheme } from "@/lib/client/theme";
import type { TopicHit } from "@/lib/features/search/schema";

const NewProjectForm = lazyDialog(() =>
  import("@/components/projects/new-project-form").then((module) => module.NewProjectForm),
);
const AddContentDialog = lazyDialog(() =>
  import("@/components/content/add-content-dialog").then((module) => module.AddContentDialog),
);

/** One field to find and open anything, and to start what needs no screen of its own. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  const { logout, dialog } = useLogout();
  const [dialogOpen, setDialogOpen] = useState<"project" | "piece" | null>(null);
  const [topic, setTopic] = useState<TopicHit | null>(null);
  const afterClosing = useRef<() => void>(undefined);

  function choose(choice: Exclude<Choice, "new piece">) {
    onOpenChange(false);
    if (choice === "sign out") logout();
    else if (choice === "new project") afterClosing.current = () => setDialogOpen("project");
    else if ("theme" in choice) applyTheme(choice.theme);
    else if ("href" in choice) leave(() => router.push(choice.href));
    else {
      setTopic(choice.topic);
      afterClosing.current = () => setDialogOpen("piece");
    }
  }

  function openNext() {
    afterClosing.current?.();
    afterClosing.current = undefined;
  }

  const close = () => setDialogOpen(null);
  return (
    <>
      <Dialog open={open} onOpenChange={onOpenChange}>
        <ModalContent
          onClosed={openNext}
          className="gap-0 p-0 md:top-24 md:max-w-xl md:translate-y-0 md:p-0 max-md:pt-0"
        >
          <DialogTitle className="sr-only">Search or jump to</DialogTitle>
          <DialogDescription className="sr-only">Screens, actions, projects, topics and content</DialogDescription>
          <Results onChoose={choose} />
        </ModalContent>
      </Dialog>
      <NewProjectForm open={dialogOpen === "project"} onOpenChange={close} />
      {topic ? (
        <AddContentDialog
          topic={topic}
          open={dialogOpen === "piece"}
          onOpenChange={close}
          onCreated={(id) => leave(() => router.push(`/content/${id}`))}
        />
      ) : null}
      {dialog}
    </>
  );
}
