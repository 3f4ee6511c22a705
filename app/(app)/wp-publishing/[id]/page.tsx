import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { pageProject } from "@/app/(app)/page-project";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { listTopics } from "@/lib/features/topics/reads";
import { topicOut } from "@/lib/features/topics/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "WordPress Publishing" };

/** The page has the project and its topics; the browser loads the pieces, which may be thousands. */
export default withRequestId(async function ProjectPublishingPage({ params }: { params: Promise<{ id: string }> }) {
  const project = await pageProject((await params).id);
  const topics = await listTopics(await pageActor(), project.id);
  const client = createQueryClient();
  client.setQueryData(keys.project(project.id), project);
  client.setQueryData(keys.topics(project.id), topicOut.array().parse(topics));
  return (
    <PageData state={dehydrate(client)}>
      <ProjectPublishing projectId={project.id} />
    </PageData>
  );
});
