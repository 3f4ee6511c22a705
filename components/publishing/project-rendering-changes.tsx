"use client";

import { useQuery } from "@tanstack/react-query";
import { ScrollRegion } from "@/components/shared/scroll-region";
import { projectRenderingChangesQuery } from "@/lib/features/publishing/client/rendering";
import type { ProjectRenderingChanges as Changes } from "@/lib/features/publishing/schema";

/** Titles that are listed. */
const MAX_TITLES = 50;

/** The live posts of the project, or of these pieces alone, that an update changes beyond the user's edits. */
export function ProjectRenderingChanges({ projectId, ids }: { projectId: number; ids?: string[] | undefined }) {
  const { data } = useQuery(projectRenderingChangesQuery(projectId, ids));
  const pieces = data?.pieces ?? [];
  const left = pieces.length - MAX_TITLES;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3 text-muted-foreground">
      <p role="status" className="empty:hidden">
        {sentenceOf(data)}
      </p>
      {pieces.length > 0 ? (
        <ScrollRegion
          role="region"
          aria-label="Posts whose layout changes"
          tabIndex={0}
          className="max-h-[30dvh] rounded-md border bg-card px-3 py-2 text-foreground"
        >
          <ul className="grid grid-cols-1 gap-1">
            {pieces.slice(0, MAX_TITLES).map(({ id, title }) => (
              <li key={id} dir="auto" className="wrap-anywhere">
                {title}
              </li>
            ))}
          </ul>
          {left > 0 ? <p className="mt-1 text-muted-foreground">and {left.toLocaleString("en-US")} more</p> : null}
        </ScrollRegion>
      ) : null}
      {data && data.uncompared > 0 ? <p>{uncheckedSentence(data.uncompared)}</p> : null}
      {data?.more ? <p>There are too many posts to check them all.</p> : null}
    </div>
  );
}

function sentenceOf(data: Changes | null | undefined): string {
  if (data === undefined) return "Checking whether the layout of posts changes too…";
  if (data === null) return "It could not be checked whether the layout of posts changes too.";
  const { length } = data.pieces;
  if (length === 0) return "";
  const count = `${data.more ? "at least " : ""}${length} ${length === 1 ? "post" : "posts"}`;
  return `The layout of ${count} changes beyond your edits, since Content Planner turns Markdown into blocks differently now:`;
}

function uncheckedSentence(count: number): string {
  return `${count === 1 ? "1 post" : `${count} posts`} could not be checked: the text of the last update is not known any more, or too complex.`;
}
