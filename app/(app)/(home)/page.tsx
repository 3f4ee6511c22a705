import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { setPageProjects, setPageSites } from "@/app/(app)/page-lists";
import { Greeting } from "@/components/account/greeting";
import { ProjectsSection } from "@/components/projects/projects-section";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Home" };

/** The projects dashboard. */
export default withRequestId(async function HomePage() {
  const actor = await pageActor();
  const client = createQueryClient();
  await Promise.all([setPageProjects(client, actor), setPageSites(client, actor)]);
  return (
    <PageData state={dehydrate(client)}>
      <Greeting />
      <ProjectsSection />
    </PageData>
  );
});
