import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { ProjectScreen } from "@/components/topics/project-screen";
import { pageActor } from "@/lib/auth/actor";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { isAppError } from "@/lib/errors";
import { ownedProject, personaOf } from "@/lib/features/projects/reads";
import { personaOut, projectOut } from "@/lib/features/projects/schema";
import { listTopics } from "@/lib/features/topics/reads";
import { topicOut } from "@/lib/features/topics/schema";
import { withRequestId } from "@/lib/transport/page-failure";
import { intId } from "@/lib/utils/zod";

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = withRequestId(async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await readProject((await params).id);
  return { title: project.title || `Project ${project.id}` };
});

/** Project detail. */
export default withRequestId(async function ProjectPage({ params }: Props) {
  const project = await readProject((await params).id);
  const actor = await pageActor();
  const [persona, topics] = await Promise.all([personaOf(actor, project.id), listTopics(actor, project.id)]);
  const client = createQueryClient();
  client.setQueryData(keys.project(project.id), project);
  client.setQueryData(keys.persona(project.id), personaOut.nullable().parse(persona));
  client.setQueryData(keys.topics(project.id), topicOut.array().parse(topics));
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <ProjectScreen projectId={project.id} />
    </HydrationBoundary>
  );
});

/** One read for title and page. A malformed id and another's project are both not there. */
const readProject = cache(async function readProject(id: string) {
  const actor = await pageActor();
  const parsed = intId.safeParse(id);
  if (!parsed.success) notFound();
  try {
    return projectOut.parse(await ownedProject(actor, parsed.data));
  } catch (error) {
    if (isAppError(error, "NOT_FOUND")) notFound();
    throw error;
  }
});
