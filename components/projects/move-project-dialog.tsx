"use client";

import { useQuery } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/shared/confirm-dialog";
import { publishingCountsQuery } from "@/lib/features/publishing/client";
import { sitesQuery, useSiteOfProject } from "@/lib/features/sites/client";

/** Asks before a project is moved to another site, while `siteId` is one. The counts are read once it `isChosen`. */
export function MoveProjectDialog({
  projectId,
  siteId,
  isAsking,
  onCancel,
  onConfirm,
}: {
  projectId: number;
  siteId: string | undefined;
  isAsking: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  const { data: counts } = useQuery({ ...publishingCountsQuery(), enabled: siteId !== undefined });
  const { data: sites } = useQuery(sitesQuery());
  const { name: from } = useSiteOfProject(projectId);
  const to = sites?.find(({ id }) => id === siteId)?.name ?? "the other site";
  const live = counts && (counts.find((each) => each.projectId === projectId)?.live ?? 0);
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={(open) => (open ? undefined : onCancel())}
      title="Move this project to another site?"
      description={
        <>
          {live === 0 ? (
            <>
              Nothing of it is live on <bdi>{from}</bdi>. Drafts there stay, unmanaged from here until it moves back.
            </>
          ) : (
            <>
              {live === undefined
                ? "Its live posts stay"
                : live === 1
                  ? "Its live post stays"
                  : `Its ${live.toLocaleString("en-US")} live posts stay`}{" "}
              on <bdi>{from}</bdi>, unmanaged from here until it moves back.
            </>
          )}{" "}
          On <bdi>{to}</bdi> nothing of it exists yet, unless it was there before.
        </>
      }
      confirmLabel="Move Project"
      onConfirm={onConfirm}
    />
  );
}
