import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/lib/client/query-keys";
import type { ContentSummary } from "@/lib/features/content/schema";
import { categoriesQuery } from "@/lib/features/publishing/client";
import { isKnown, useSiteOfProject } from "@/lib/features/sites/client";
import type { TopicOut } from "@/lib/features/topics/schema";

/** Refetches once what the first answers left open: a topic created elsewhere, or the site the pieces are on. */
export function useFollowUpReads(
  projectId: number,
  pieces: ContentSummary[] = [],
  topics: TopicOut[] | undefined,
): void {
  const client = useQueryClient();
  const isTopicMissing =
    topics !== undefined && pieces.some(({ topicId }) => topics.every((topic) => topic.id !== topicId));
  useEffect(() => {
    if (isTopicMissing) void client.invalidateQueries({ queryKey: keys.topics(projectId) });
  }, [client, projectId, isTopicMissing]);

  // After a change of the site's URL, reading its categories tells the server which site that is.
  const site = useSiteOfProject(projectId);
  const { otherId } = site;
  const isPlaceKnown = isKnown(site);
  const isSiteUnknown = pieces.some(({ wpPlace }) => wpPlace === "unknown");
  useEffect(() => {
    if (!isSiteUnknown || !isPlaceKnown) return;
    client
      .fetchQuery({ ...categoriesQuery(otherId), staleTime: 0 })
      .then(() => client.invalidateQueries({ queryKey: keys.projectContent(projectId) }))
      // The category select shows the failure.
      .catch(() => undefined);
  }, [client, projectId, isSiteUnknown, isPlaceKnown, otherId]);
}
