"use client";

import { CirclePause, type LucideIcon, OctagonX, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useId } from "react";
import { useFocusHandover } from "@/components/shared/focus-return";
import { Button } from "@/components/ui/button";
import { Card, CardHeader, CardTitle } from "@/components/ui/card";
import { type Resume, useDismissFailed, useRetryFailed } from "@/lib/features/work/client";
import type { Need } from "@/lib/features/work/schema";
import { cn } from "@/lib/utils/cn";

/** Seen when the focus is handed over to it: a button there would be pressed before it is read. */
const HEIR = {
  tabIndex: -1,
  className: "focus-visible:outline-2 focus-visible:outline-ring focus-visible:-outline-offset-2",
};

/**
 * What went wrong or waits for the user: each reason once, with what to do about it. `resume` is the page's own: its answer is
 * shown in one place, whichever button was pressed.
 */
export function NeedsYou({ needs, resume }: { needs: Need[]; resume: Resume }) {
  if (needs.length === 0) return null;
  const retriable = needs.filter(({ kind, jobType }) => kind === "failed" && jobType !== "publishing");
  return (
    <Card>
      <CardHeader>
        <CardTitle {...HEIR}>Needs you</CardTitle>
        {retriable.length > 1 ? <RetryAll /> : null}
      </CardHeader>
      <ul>
        {needs.map((need) =>
          need.kind === "failed" ? (
            <Failed key={keyOf(need)} need={need} />
          ) : (
            <Waiting key={keyOf(need)} need={need} resume={resume} />
          ),
        )}
      </ul>
    </Card>
  );
}

function keyOf({ kind, reason, jobType, project }: Need): string {
  return [kind, reason, jobType, project?.id].join();
}

function RetryAll() {
  const retry = useRetryFailed();
  const button = useFocusHandover<HTMLButtonElement>();
  return (
    <Button ref={button} size="sm" variant="outline" pending={retry.isPending} onClick={() => retry.mutate(null)}>
      Retry all failed
    </Button>
  );
}

/** Its buttons take it off the list. */
function Line({
  icon: Icon,
  tone,
  title,
  reason,
  children,
}: {
  icon: LucideIcon;
  tone: string;
  title: ReactNode;
  reason: string | null;
  children: ReactNode;
}) {
  const line = useFocusHandover<HTMLLIElement>();
  const titleId = useId();
  return (
    <li
      ref={line}
      aria-labelledby={titleId}
      tabIndex={HEIR.tabIndex}
      className={cn(
        "grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 border-t px-4 py-3 md:grid-cols-[auto_minmax(0,1fr)_auto]",
        HEIR.className,
      )}
    >
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0 stroke-[1.75]", tone)} />
      <div className="min-w-0">
        <p id={titleId} className="font-medium tabular-nums">
          {title}
        </p>
        {reason ? <p className="max-w-[72ch] wrap-anywhere text-muted-foreground">{reason}</p> : null}
      </div>
      <div className="flex flex-wrap gap-2 max-md:col-start-2">{children}</div>
    </li>
  );
}

function Waiting({ need, resume }: { need: Need; resume: Resume }) {
  const waiting = need.items === 0 ? "Nothing waits" : `${count(need.items)} ${need.items === 1 ? "waits" : "wait"}`;
  if (need.kind === "paused") {
    return (
      <Line icon={CirclePause} tone="text-muted-foreground" title="Paused by you" reason={`${waiting}.`}>
        <Button size="sm" pending={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
      </Line>
    );
  }
  return (
    <Line icon={TriangleAlert} tone="text-warning" title={waiting} reason={need.reason}>
      <Button asChild size="sm">
        <Link href="/settings">Open Settings</Link>
      </Button>
    </Line>
  );
}

const FAILED_PIECES = { outline_generation: "outline", content_generation: "post" } as const;

function Failed({ need }: { need: Need }) {
  const retry = useRetryFailed();
  const dismiss = useDismissFailed();
  const { project, jobType, items } = need;
  const title = project ? (
    <>
      {count(items)} of <bdi>{project.title}</bdi> could not be published
    </>
  ) : (
    `${count(items, jobType && jobType !== "publishing" ? FAILED_PIECES[jobType] : "piece")} failed`
  );
  return (
    <Line icon={OctagonX} tone="text-destructive" title={title} reason={need.reason}>
      {project ? (
        <Button asChild size="sm" variant="outline">
          <Link href={`/wp-publishing/${project.id}`}>Open publishing</Link>
        </Button>
      ) : (
        <Button size="sm" variant="outline" pending={retry.isPending} onClick={() => retry.mutate(need)}>
          Try again
        </Button>
      )}
      <Button size="sm" variant="ghost" pending={dismiss.isPending} onClick={() => dismiss.mutate(need)}>
        Dismiss
      </Button>
    </Line>
  );
}

function count(items: number, what = "piece"): string {
  return `${items.toLocaleString("en-US")} ${what}${items === 1 ? "" : "s"}`;
}
