import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { pageProject } from "@/app/(app)/page-project";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Planning assistant" };

/** The planning assistant about a project. */
export default withRequestId(async function ProjectAssistantPage({
  params,
}: {
  params: Promise<{ projectId: string }>;
}) {
  const project = await pageProject((await params).projectId);
  const client = createQueryClient();
  client.setQueryData(keys.project(project.id), project);
  return (
    <PageData state={dehydrate(client)}>
      <ConversationScreen key={project.id} projectId={project.id} />
    </PageData>
  );
});
