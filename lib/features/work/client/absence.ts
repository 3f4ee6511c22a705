import { useEffect } from "react";
import { readSetting, saveSetting } from "@/lib/client/browser-settings";
import { keys } from "@/lib/client/query-keys";
import { toast } from "@/lib/client/toast";
import { useQueryData } from "@/lib/client/use-query-data";
import type { JobOut, QueueStatus } from "@/lib/features/work/schema";

/** Tells once, at the next visit, which jobs have ended while no tab of this browser was open. */
export function useReportAbsence(userId: string | undefined): void {
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  useEffect(() => {
    if (!userId || !status) return;
    const name = `queue-seen:${userId}`;
    const seen = readSetting(name);
    saveSetting(name, status.now);
    const ended = status.jobs.filter(({ completedAt }) => seen !== null && completedAt !== null && completedAt > seen);
    const description = endedMeanwhile(ended);
    // What ends while a tab is open was live in the status before.
    if (description && isVisit(seen, status.now)) {
      toast({
        title: "While you were away",
        description,
        subject: "absence",
        action: { label: "Open the queue", href: "/queue-monitor" },
      });
    }
  }, [userId, status]);
}

/** An open tab has looked within this time: it polls while anything lives. */
const VISIT_MS = 60_000;

function isVisit(seen: string | null, now: string): boolean {
  return seen !== null && Date.parse(now) - Date.parse(seen) > VISIT_MS;
}

/** "12 outlines and 1 post were written, 2 failed."; null if nothing was. */
export function endedMeanwhile(jobs: Pick<JobOut, "jobType" | "completedItems" | "failedItems">[]): string | null {
  const sum = (type: JobOut["jobType"]) =>
    jobs.reduce((total, { jobType, completedItems }) => total + (jobType === type ? completedItems : 0), 0);
  const failed = jobs.reduce((total, { failedItems }) => total + failedItems, 0);
  const [outlines, posts] = [sum("outline_generation"), sum("content_generation")];
  const written = [count(outlines, "outline"), count(posts, "post")].filter(Boolean).join(" and ");
  const were = outlines + posts === 1 ? "was" : "were";
  if (!written) return failed > 0 ? `${count(failed, "piece")} failed.` : null;
  return `${written} ${were} written${failed > 0 ? `, ${failed.toLocaleString("en-US")} failed` : ""}.`;
}

function count(number: number, what: string): string {
  return number === 0 ? "" : `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
}
