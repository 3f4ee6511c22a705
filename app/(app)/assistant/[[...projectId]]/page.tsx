import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { pageProject } from "@/app/(app)/page-project";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Planning assistant" };

/** The planning assistant, about a project or about none. */
export default withRequestId(async function AssistantPage({ params }: { params: Promise<{ projectId?: string[] }> }) {
  const [id, ...more] = (await params).projectId ?? [];
  if (more.length > 0) notFound();
  const project = id === undefined ? null : await pageProject(id);
  const client = createQueryClient();
  if (project) client.setQueryData(keys.project(project.id), project);
  return (
    <PageData state={dehydrate(client)}>
      <ConversationScreen key={project?.id ?? "none"} projectId={project?.id ?? null} />
    </PageData>
  );
});
