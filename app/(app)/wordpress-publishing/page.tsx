import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { ProjectPicker } from "@/components/publishing/project-picker";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { listProjects } from "@/lib/features/projects/reads";
import { projectOut } from "@/lib/features/projects/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "WordPress Publishing" };

export default withRequestId(async function PublishingPage() {
  const client = createQueryClient();
  client.setQueryData(keys.projects(), projectOut.array().parse(await listProjects(await pageActor())));
  return (
    <PageData state={dehydrate(client)}>
      <ProjectPicker />
    </PageData>
  );
});
