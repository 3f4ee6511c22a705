import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageSites, setPageTopics } from "@/app/(app)/page-lists";
import { pageProject } from "@/app/(app)/page-project";
import { ProjectPublishing } from "@/components/publishing/project-publishing";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { latestPublishingJob } from "@/lib/features/publishing/reads";
import { latestPublishingOut } from "@/lib/features/publishing/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "WordPress Publishing" };

/** The page has the project, its topics and its publishing job; the browser loads the pieces, which may be thousands. */
export default withRequestId(async function ProjectPublishingPage({ params }: { params: Promise<{ id: string }> }) {
  const project = await pageProject((await params).id);
  const actor = await pageActor();
  const client = createQueryClient();
  const [latest] = await Promise.all([
    latestPublishingJob(actor, project.id),
    setPageTopics(client, actor, project.id),
    setPageSites(client, actor),
  ]);
  client.setQueryData(keys.project(project.id), project);
  client.setQueryData(keys.publishingJob(project.id), latestPublishingOut.parse(latest));
  return (
    <PageData state={dehydrate(client)}>
      <ProjectPublishing projectId={project.id} />
    </PageData>
  );
});
