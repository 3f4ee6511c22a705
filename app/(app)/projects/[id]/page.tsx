import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageSites, setPageTopics } from "@/app/(app)/page-lists";
import { pageProject } from "@/app/(app)/page-project";
import { ProjectScreen } from "@/components/projects/project-screen";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { personaOf } from "@/lib/features/projects/reads";
import { personaOut } from "@/lib/features/projects/schema";
import { withRequestId } from "@/lib/transport/page-failure";

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = withRequestId(async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await pageProject((await params).id);
  return { title: project.title || `Project ${project.id}` };
});

/** Project detail. */
export default withRequestId(async function ProjectPage({ params }: Props) {
  const project = await pageProject((await params).id);
  const actor = await pageActor();
  const client = createQueryClient();
  const [persona] = await Promise.all([
    personaOf(actor, project.id),
    setPageTopics(client, actor, project.id),
    setPageSites(client, actor),
  ]);
  client.setQueryData(keys.project(project.id), project);
  client.setQueryData(keys.persona(project.id), personaOut.nullable().parse(persona));
  return (
    <PageData state={dehydrate(client)}>
      <ProjectScreen projectId={project.id} />
    </PageData>
  );
});
