import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageProjects, setPageSites } from "@/app/(app)/page-lists";
import { ProjectPicker } from "@/components/publishing/project-picker";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { publishingCounts } from "@/lib/features/publishing/reads";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "WordPress Publishing" };

export default withRequestId(async function PublishingPage() {
  const client = createQueryClient();
  const actor = await pageActor();
  const [counts] = await Promise.all([
    publishingCounts(actor),
    setPageProjects(client, actor),
    setPageSites(client, actor),
  ]);
  client.setQueryData(keys.publishingCounts(), counts);
  return (
    <PageData state={dehydrate(client)}>
      <ProjectPicker />
    </PageData>
  );
});
