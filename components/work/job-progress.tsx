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
    <div className="grid grid-cols-1 content-start gap-1.5">
      <ProgressBar
        value={percent}
        failed={progressPercent({ ...job, completedItems: 0 })}
        label={`${name}, ${percent} percent done`}
      />
      <p className="flex gap-x-3 text-muted-foreground text-sm tabular-nums">
        <span className="flex flex-1 flex-wrap gap-x-3">{counts}</span>
        <span className="text-foreground">{percent}%</span>
      </p>
      {children}
    </div>
  );
}
