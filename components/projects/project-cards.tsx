"use client";

import { useCallback, useMemo } from "react";
import { GRID, ProjectCard } from "@/components/projects/project-card";
import { useVirtualWindow } from "@/components/shared/use-virtual-window";
import type { ListedProject } from "@/lib/features/projects/schema";
import { cn } from "@/lib/utils/cn";

/** Cards in a block: full rows in one, two and three columns alike. */
const BLOCK = 6;
/** Two rows of three cards, in pixels. */
const BLOCK_HEIGHT = 400;

/** All projects as cards, in blocks; only blocks near the viewport are rendered. */
export function ProjectCards({
  projects,
  onEdit,
  onDelete,
}: {
  projects: ListedProject[];
  onEdit: (project: ListedProject) => void;
  onDelete: (project: ListedProject) => void;
}) {
  const blocks = useMemo(
    () =>
      Array.from({ length: Math.ceil(projects.length / BLOCK) }, (_, at) =>
        projects.slice(at * BLOCK, (at + 1) * BLOCK),
      ),
    [projects],
  );
  const { first, end, before, after, listRef, follower, measure } = useVirtualWindow({
    count: blocks.length,
    keyOf: useCallback((index: number) => String(blocks[index]?.[0]?.id ?? index), [blocks]),
    estimate: useCallback(() => BLOCK_HEIGHT, []),
    overscan: 2,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: only a part of the list is rendered.
    <div ref={listRef} role="list" style={{ paddingTop: before, paddingBottom: after }}>
      {follower}
      {blocks.slice(first, end).map((block, at) => (
        <div
          key={block[0]?.id}
          ref={measure}
          data-index={first + at}
          role="presentation"
          className={cn(GRID, "pb-3 md:pb-4")}
        >
          {block.map((project, index) => (
            <ProjectCard
              key={project.id}
              project={project}
              index={(first + at) * BLOCK + index}
              total={projects.length}
              onEdit={() => onEdit(project)}
              onDelete={() => onDelete(project)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
