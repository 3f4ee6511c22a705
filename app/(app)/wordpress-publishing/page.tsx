import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageProjects } from "@/app/(app)/page-lists";
import { ProjectPicker } from "@/components/publishing/project-picker";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "WordPress Publishing" };

export default withRequestId(async function PublishingPage() {
  const client = createQueryClient();
  await setPageProjects(client, await pageActor());
  return (
    <PageData state={dehydrate(client)}>
      <ProjectPicker />
    </PageData>
  );
});
