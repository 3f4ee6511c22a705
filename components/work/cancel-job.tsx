import type { UseMutationResult } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { Button } from "@/components/ui/button";
import type { JobOut } from "@/lib/features/work/schema";

/** Cancels a running job after a question; `description` says what becomes of its items. */
export function CancelJob<Job extends Pick<JobOut, "cancelRequestedAt">>({
  job,
  cancel,
  description,
  ...button
}: {
  job: Job;
  cancel: UseMutationResult<unknown, Error, Job>;
  description: string;
} & Pick<ComponentProps<typeof Button>, "variant" | "aria-label">) {
  const [isConfirming, setConfirming] = useState(false);
  if (job.cancelRequestedAt !== null) return <span className="text-muted-foreground text-sm">Cancelling…</span>;
  return (
    <>
      <Button size="sm" onClick={() => setConfirming(true)} {...button}>
        Cancel
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Cancel this job?"
        description={description}
        confirmLabel="Cancel job"
        destructive
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate(job, { onSettled: () => setConfirming(false) })}
      />
    </>
  );
}
