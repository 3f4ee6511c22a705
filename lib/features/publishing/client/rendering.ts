import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import { keys } from "@/lib/client/query-keys";
import { MAX_COMPARED } from "@/lib/features/publishing/rules";
import type { ProjectRenderingChanges, RenderingChanges } from "@/lib/features/publishing/schema";

/** Fetched again whenever the question opens. */
const NEVER_KEPT = { gcTime: 0 };

/** What an update of the piece's post changes beyond the user's edit; null if it could not be found out. */
export function renderingChangesQuery(pieceId: string) {
  const queryKey = keys.renderingChanges(pieceId);
  return queryOptions({
    ...NEVER_KEPT,
    queryKey,
    queryFn: ({ signal }) => api<RenderingChanges>("GET", queryKey[0], undefined, { signal }).catch(() => null),
  });
}

/** The same of a project's live posts, or of these pieces alone. */
export function projectRenderingChangesQuery(projectId: number, ids?: string[]) {
  const contentIds = ids?.slice(0, MAX_COMPARED).join(",");
  const queryKey = keys.projectRenderingChanges(projectId, { contentIds });
  const url = contentIds === undefined ? queryKey[0] : `${queryKey[0]}?contentIds=${contentIds}`;
  return queryOptions({
    ...NEVER_KEPT,
    queryKey,
    queryFn: async ({ signal }) => {
      const found = await api<ProjectRenderingChanges>("GET", url, undefined, { signal }).catch(() => null);
      return found && { ...found, more: found.more || (ids?.length ?? 0) > MAX_COMPARED };
    },
  });
}
