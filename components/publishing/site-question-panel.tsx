"use client";

import { AlertPanel } from "@/components/shared/alert-panel";
import { AlertDialogCancel } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { siteQuestion } from "@/lib/client/site-question";

/** Loaded when components/publishing/site-question.tsx first opens. */
export function SiteQuestionPanel({
  question,
  open,
  onOpenChange,
}: {
  question: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <AlertPanel
      open={open}
      onOpenChange={onOpenChange}
      title="Which site is this?"
      description={`${question} Nothing is written there until you have answered.`}
    >
      <AlertDialogCancel>Cancel</AlertDialogCancel>
      <Button variant="outline" onClick={() => siteQuestion.answer("other")}>
        Another site
      </Button>
      <Button variant="outline" onClick={() => siteQuestion.answer("same")}>
        The same site
      </Button>
    </AlertPanel>
  );
}
