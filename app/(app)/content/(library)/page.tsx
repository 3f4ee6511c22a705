import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageList, setPageProjects, setPageTopic } from "@/app/(app)/page-lists";
import { ContentLibrary } from "@/components/content/content-library";
import { filtersOf } from "@/components/content/library-query";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { isAppError } from "@/lib/errors";
import { contentGroups } from "@/lib/features/content/reads";
import { contentGroupOut } from "@/lib/features/content/schema";
import { MAX_PAGE_LIST_BYTES } from "@/lib/limits/bounds";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Content Library" };

/** The Content Library, rendered with the counts for its filters. */
export default withRequestId(async function LibraryPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, unknown>>;
}) {
  const actor = await pageActor();
  const filters = filtersOf(await searchParams);
  const client = createQueryClient();
  const [groups] = await Promise.all([
    contentGroups(actor, filters, { maxBytes: MAX_PAGE_LIST_BYTES }).catch(ignoreRejectedSearch),
    setPageProjects(client, actor),
    filters.topicId === undefined ? undefined : setPageTopic(client, actor, filters.topicId),
  ]);
  if (groups) setPageList(client, keys.libraryGroups(filters), contentGroupOut, groups);
  return (
    <PageData state={dehydrate(client)}>
      <ContentLibrary />
    </PageData>
  );
});

/** Renders the page although the search was rejected: its list tries again and shows the error. */
function ignoreRejectedSearch(error: unknown): undefined {
  if (!isAppError(error, "SEARCH_TOO_BROAD", "RATE_LIMITED", "SERVICE_UNAVAILABLE")) throw error;
}
