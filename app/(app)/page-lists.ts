import "server-only";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { z } from "zod";
import type { Actor } from "@/lib/auth/actor";
import { keys } from "@/lib/client/query-keys";
import { isAppError } from "@/lib/errors";
import { listProjects } from "@/lib/features/projects/reads";
import { listedProjectOut } from "@/lib/features/projects/schema";
import { listSites } from "@/lib/features/sites/reads";
import { siteOut } from "@/lib/features/sites/schema";
import { listTopics, ownedTopic } from "@/lib/features/topics/reads";
import { listedTopicOut, topicOut } from "@/lib/features/topics/schema";
import { MAX_PAGE_LIST_BYTES } from "@/lib/limits/bounds";
import type { CursorPage } from "@/lib/utils/cursor-page";
import { DESCRIPTION_START } from "@/lib/utils/text";

const SHORT = { description: DESCRIPTION_START };

/** Sets the user's projects for a page's first render. */
export async function setPageProjects(client: QueryClient, actor: Actor): Promise<void> {
  setPageList(
    client,
    keys.projects(),
    listedProjectOut,
    await listProjects(actor, SHORT, { maxBytes: MAX_PAGE_LIST_BYTES }),
  );
}

/** Sets the user's sites for a page's first render. */
export async function setPageSites(client: QueryClient, actor: Actor): Promise<void> {
  client.setQueryData(keys.sites(), siteOut.array().parse(await listSites(actor)));
}

/** Sets the topics of the user's project for a page's first render. */
export async function setPageTopics(client: QueryClient, actor: Actor, projectId: number): Promise<void> {
  const topics = await listTopics(actor, projectId, SHORT, MAX_PAGE_LIST_BYTES);
  setPageList(client, keys.topics(projectId), listedTopicOut, topics);
}

/** Sets the user's topic for a page's first render; one that is not there is left to the screen. */
export async function setPageTopic(client: QueryClient, actor: Actor, id: number): Promise<void> {
  try {
    client.setQueryData(keys.topic(id), topicOut.parse(await ownedTopic(actor, id)));
  } catch (error) {
    if (!isAppError(error, "NOT_FOUND")) throw error;
  }
}

/** Puts a list into the page's data unless it was cut short: then the screen reads it and shows that it loads. */
export function setPageList(client: QueryClient, key: QueryKey, row: z.ZodType, list: CursorPage<unknown>): void {
  if (list.nextCursor === null) client.setQueryData(key, row.array().parse(list.items));
}
