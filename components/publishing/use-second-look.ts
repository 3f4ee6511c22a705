import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/lib/client/query-keys";
import type { ContentSummary } from "@/lib/features/content/schema";
import { categoriesQuery } from "@/lib/features/publishing/client";
import type { TopicOut } from "@/lib/features/topics/schema";

/** Asks again, once, for what the first answers left open: a topic made elsewhere since, or where the pieces stand. */
export function useSecondLook(projectId: number, pieces: ContentSummary[] = [], topics: TopicOut[] | undefined): void {
  const client = useQueryClient();
  const isTopicMissing =
    topics !== undefined && pieces.some(({ topicId }) => topics.every((topic) => topic.id !== topicId));
  useEffect(() => {
    if (isTopicMissing) void client.invalidateQueries({ queryKey: keys.topics(projectId) });
  }, [client, projectId, isTopicMissing]);

  // The site's address was changed: a look at its categories tells the server which site it leads to.
  const isSiteUnknown = pieces.some(({ wpPlace }) => wpPlace === "unknown");
  useEffect(() => {
    if (!isSiteUnknown) return;
    const look = client.fetchQuery({ ...categoriesQuery(), staleTime: 0 });
    // Without an answer it stays open; the choice of categories shows why.
    look.then(() => client.invalidateQueries({ queryKey: keys.projectContent(projectId) })).catch(() => undefined);
  }, [client, projectId, isSiteUnknown]);
}
