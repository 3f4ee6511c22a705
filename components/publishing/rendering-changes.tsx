"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { renderingChangesQuery } from "@/lib/features/publishing/client/rendering";
import type { RenderingChanges as Changes } from "@/lib/features/publishing/schema";

const BlockChanges = dynamic(() =>
  import("@/components/publishing/block-changes").then((module) => module.BlockChanges),
);

/** What an update changes in the piece's post beyond the user's edit. It holds up nothing. */
export function RenderingChanges({ pieceId }: { pieceId: string }) {
  const { data } = useQuery(renderingChangesQuery(pieceId));
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <p role="status" className="text-muted-foreground empty:hidden">
        {sentenceOf(data)}
      </p>
      {data && data.changes.length > 0 ? <BlockChanges {...data} /> : null}
    </div>
  );
}

const ALSO =
  "This update also changes the layout of the post, since Content Planner turns Markdown into blocks differently now";

function sentenceOf(data: Changes | null | undefined): string {
  if (data === undefined) return "Checking whether the layout of the post changes too…";
  if (data === null) return "It could not be checked whether the layout of the post changes too.";
  if (data.changes.length === 0) return "";
  return data.includesEdits ? `${ALSO}. Your own edits are among these changes:` : `${ALSO}:`;
}
