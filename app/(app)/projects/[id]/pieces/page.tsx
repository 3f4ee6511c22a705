import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageSites } from "@/app/(app)/page-lists";
import { pageProject } from "@/app/(app)/page-project";
import { GlanceScreen } from "@/components/publishing/glance-screen";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { withRequestId } from "@/lib/transport/page-failure";

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = withRequestId(async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await pageProject((await params).id);
  return { title: `All pieces of ${project.title || `Project ${project.id}`}` };
});

/** All pieces of a project at a glance. */
export default withRequestId(async function PiecesPage({ params }: Props) {
  const project = await pageProject((await params).id);
  const client = createQueryClient();
  await setPageSites(client, await pageActor());
  client.setQueryData(keys.project(project.id), project);
  return (
    <PageData state={dehydrate(client)}>
      <GlanceScreen projectId={project.id} />
    </PageData>
  );
});
