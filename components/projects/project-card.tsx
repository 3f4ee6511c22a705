import { Pencil, Trash2 } from "lucide-react";
import Link from "next/link";
import { LocalTime } from "@/components/shared/local-time";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { placeRow } from "@/lib/client/page-place";
import type { ListedProject } from "@/lib/features/projects/schema";
import { descriptionStart } from "@/lib/utils/text";

/** The classes of one, two or three columns, depending on the width. */
export const GRID = "grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-4 xl:grid-cols-3";

const CARD = "relative flex min-w-0 flex-col rounded-md border bg-card md:min-h-46";

/** The whole card links to the project; its buttons lie above the link. */
export function ProjectCard({
  project,
  index,
  total,
  onEdit,
  onDelete,
}: {
  project: ListedProject;
  /** The index among all projects, of which not all are rendered. */
  index: number;
  total: number;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { id, title, createdAt } = project;
  const description = descriptionStart(project);
  return (
    // biome-ignore lint/a11y/useSemanticElements: only a part of the list is rendered.
    <div
      role="listitem"
      {...placeRow(id)}
      aria-setsize={total}
      aria-posinset={index + 1}
      className={`${CARD} p-5 pb-3 transition-colors hover:border-border-strong has-[h3_a:focus-visible]:outline-2 has-[h3_a:focus-visible]:outline-ring has-[h3_a:focus-visible]:outline-offset-2 max-md:p-4 max-md:pb-1`}
    >
      <h3 title={title} className="line-clamp-3 wrap-anywhere font-medium font-serif text-lg tracking-[-0.008em]">
        <Link
          dir="auto"
          href={`/projects/${id}`}
          className="after:absolute after:inset-0 after:rounded-md focus-visible:outline-none"
        >
          {title}
        </Link>
      </h3>
      {description ? (
        <p dir="auto" title={description} className="mt-2 line-clamp-3 text-pretty wrap-anywhere text-muted-foreground">
          {description}
        </p>
      ) : (
        <p className="mt-2 text-muted-foreground italic">No description</p>
      )}
      <div className="mt-auto flex items-center justify-between gap-x-3 pt-4 text-muted-foreground text-sm max-md:gap-x-0 max-md:pt-2">
        <span>
          Created:{" "}
          <span className="whitespace-nowrap">
            <LocalTime at={createdAt} style="date" />
          </span>
        </span>
        <span className="relative -mr-2 flex shrink-0 max-md:-mr-3.5">
          <Button variant="ghost" size="icon-sm" title="Edit" aria-label={`Edit project ${title}`} onClick={onEdit}>
            <Pencil aria-hidden="true" strokeWidth={1.75} />
          </Button>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Delete project ${title}`}
            className="hover:bg-destructive-soft hover:text-destructive"
            onClick={onDelete}
          >
            <Trash2 aria-hidden="true" strokeWidth={1.75} />
          </Button>
        </span>
      </div>
    </div>
  );
}

/** Three pulsing cards while the projects load. */
export function ProjectPlaceholders() {
  return (
    <div className={GRID}>
      {[1, 2, 3].map((key) => (
        <div key={key} aria-hidden="true" data-testid="project-placeholder" className={`${CARD} gap-3 p-5`}>
          <Skeleton className="h-6 w-3/5" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="mt-auto h-4 w-2/5" />
        </div>
      ))}
    </div>
  );
}
