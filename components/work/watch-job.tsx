"use client";

import Link from "next/link";
import { WritingView } from "@/components/generation/writing-view";
import { ErrorState } from "@/components/shared/error-state";
import { LocalTime } from "@/components/shared/local-time";
import { Markdown } from "@/components/shared/markdown";
import { PageHeader } from "@/components/shared/page-header";
import { ProgressBar } from "@/components/shared/progress-bar";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { StatusBadge } from "@/components/shared/status-badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { JobNotFound } from "@/components/work/job-not-found";
import { JobProgress } from "@/components/work/job-progress";
import { doingOf, liveItemsOf, secondsLeft, timeInWords, topicNameOf } from "@/components/work/queue-view";
import { isNotFound } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { useQueryData } from "@/lib/client/use-query-data";
import type { WatchedText } from "@/lib/features/generation/client/watched-texts";
import { useJobTexts } from "@/lib/features/generation/client/watching";
import { joinSections } from "@/lib/features/generation/rules";
import type { JobOut, QueueStatus } from "@/lib/features/work/schema";
import { isEnded, jobBadge, PROCESSING_BADGES } from "@/lib/features/work/states";
import { lengthInWords } from "@/lib/utils/words";

/** The texts that a job writes, at most four side by side, as they are written. */
export function WatchJob({ jobId }: { jobId: string }) {
  const { data, error, isFetching, refetch } = useJobTexts(jobId);
  if (isNotFound(error)) return <JobNotFound />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={data ? topicNameOf(data.job) : "Being written"}
        description={data ? <StatusBadge {...jobBadge(data.job)} /> : null}
        back={{ href: "/queue-monitor", label: "Back to Queue Monitor" }}
        isBarInFlow
      />
      {error ? (
        <ErrorState title="The texts did not load" error={error} pending={isFetching} onRetry={() => refetch()} />
      ) : null}
      {data ? (
        <>
          <Progress job={data.job} />
          {data.texts.some(({ status }) => status === "processing") ? null : <Quiet job={data.job} />}
          <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,260px),1fr))] gap-4 empty:hidden">
            {data.texts.map((text) => (
              <Text key={text.itemId} text={text} />
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

function Progress({ job }: { job: JobOut }) {
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  const seconds = status ? secondsLeft(job, status) : null;
  return (
    <JobProgress
      job={job}
      name={topicNameOf(job)}
      counts={
        <>
          <span aria-live="polite">
            {(job.completedItems + job.failedItems).toLocaleString("en-US")} of {job.totalItems.toLocaleString("en-US")}{" "}
            done
          </span>
          {seconds === null ? null : <span>{timeInWords(seconds)} left</span>}
        </>
      }
    />
  );
}

/** Why nothing is being written. */
function Quiet({ job }: { job: JobOut }) {
  const status = useQueryData<QueueStatus>(keys.queueStatus());
  if (isEnded(job.status)) {
    return (
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        This job has ended.
        <Button asChild size="sm" variant="outline">
          <Link href={`/projects/${job.projectId}?topic=${job.topicId}`}>Open the topic</Link>
        </Button>
      </p>
    );
  }
  const [item] = status ? liveItemsOf(job, status) : [];
  const waits = item?.waits?.for;
  if (waits === "pause") return <p>You have paused the queues. Resume in the Queue Monitor, then writing goes on.</p>;
  if (waits === "user") return <p className="max-w-[68ch]">{item?.error}</p>;
  const doing = item && waits ? doingOf(item, { ahead: 0, pace: null }) : null;
  return (
    <p className="text-muted-foreground">
      {doing ? `Waiting: ${doing.words}` : "The next text is about to begin."}
      {doing?.until ? <LocalTime before=" " at={doing.until} style="short" /> : null}
    </p>
  );
}

function Text({
  text: { title, contentPieceId, status, section, secondsLeft: left, sections },
}: {
  text: WatchedText;
}) {
  const words = sections.reduce((sum, { text }) => sum + lengthInWords(text), 0);
  const isLive = status === "processing";
  const written = joinSections(sections);
  const name = title ?? "Deleted piece";
  const index = (section?.number ?? 1) - 1;
  const count = section?.of ?? 0;
  return (
    <li className="min-w-0">
      <Card className="flex h-[min(34rem,70dvh)] min-h-72 flex-col">
        <div className="grid gap-2 border-b px-4 py-3">
          <h2 className="line-clamp-2 wrap-anywhere font-medium" dir="auto" title={name}>
            {title === null ? (
              name
            ) : (
              <Link className="text-link underline-offset-3 hover:underline" href={`/content/${contentPieceId}`}>
                {name}
              </Link>
            )}
          </h2>
          <p className="flex flex-wrap items-center gap-x-3 text-muted-foreground text-sm tabular-nums">
            {isLive ? null : <StatusBadge {...PROCESSING_BADGES[status]} />}
            {isLive && section ? (
              <span role="status">
                Section {section.number} of {section.of}
              </span>
            ) : null}
            <span className="ml-auto">{words.toLocaleString("en-US")} words</span>
            {isLive ? (
              <span className="basis-full">
                {left === null ? "Time left not known yet" : `${timeInWords(left)} left`}
              </span>
            ) : null}
          </p>
          <ProgressBar
            value={status === "completed" ? 100 : Math.round((100 * index) / Math.max(1, count))}
            label={`Sections of ${name} written`}
          />
        </div>
        {/* Turned round, it stays at the end of its text until its reader scrolls up. */}
        <ScrollRegion
          role="region"
          aria-label={`Text of ${name}`}
          tabIndex={0}
          className="flex min-h-0 flex-1 flex-col-reverse px-4 py-3 font-serif leading-7"
        >
          <div className="mb-auto">
            {isLive ? (
              <WritingView writing={{ index, count, heading: "", sections, isThinking: false }} />
            ) : (
              <Markdown text={written} pending={written} renderProblem={() => written} />
            )}
          </div>
        </ScrollRegion>
      </Card>
    </li>
  );
}
