import type { ReactNode } from "react";
import { ProgressBar } from "@/components/shared/progress-bar";
import { progressPercent } from "@/lib/features/work/rules";
import type { JobOut } from "@/lib/features/work/schema";

/** How far a job has come: its bar, what has become of its items, and, as `children`, what holds it up. */
export function JobProgress({
  job,
  name,
  counts,
  children,
}: {
  job: Pick<JobOut, "totalItems" | "completedItems" | "failedItems">;
  name: string;
  counts: ReactNode;
  children?: ReactNode;
}) {
  const percent = progressPercent(job);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <ProgressBar
        value={percent}
        failed={progressPercent({ ...job, completedItems: 0 })}
        label={`${name}, ${percent} percent done`}
      />
      <p className="flex flex-wrap gap-x-3 text-muted-foreground text-sm tabular-nums">
        {counts}
        <span className="ml-auto text-foreground">{percent}%</span>
      </p>
      {children}
    </div>
  );
}
