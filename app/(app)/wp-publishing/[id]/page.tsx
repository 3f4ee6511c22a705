import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import { pageActor } from "@/lib/auth/actor";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { isAppError } from "@/lib/errors";
import { ownedProject } from "@/lib/features/projects/reads";
import { projectOut } from "@/lib/features/projects/schema";
import { listTopics } from "@/lib/features/topics/reads";
import { topicOut } from "@/lib/features/topics/schema";
import { withRequestId } from "@/lib/transport/page-failure";
import { intId } from "@/lib/utils/zod";

export const metadata: Metadata = { title: "WordPress Publishing" };

type Props = { params: Promise<{ id: string }> };

/** Project and topics come with the page; its pieces, which may be thousands, follow. */
export default withRequestId(async function ProjectPublishingPage({ params }: Props) {
  const actor = await pageActor();
  const id = intId.safeParse((await params).id);
  if (!id.success) notFound();
  const client = createQueryClient();
  try {
    const [project, topics] = await Promise.all([ownedProject(actor, id.data), listTopics(actor, id.data)]);
    client.setQueryData(keys.project(id.data), projectOut.parse(project));
    client.setQueryData(keys.topics(id.data), topicOut.array().parse(topics));
  } catch (error) {
    if (isAppError(error, "NOT_FOUND")) notFound();
    throw error;
  }
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <ProjectPublishing projectId={id.data} />
    </HydrationBoundary>
  );
});
