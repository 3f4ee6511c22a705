import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { Greeting } from "@/components/account/greeting";
import { ProjectsSection } from "@/components/projects/projects-section";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { listProjects } from "@/lib/features/projects/reads";
import { projectOut } from "@/lib/features/projects/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Home" };

/** The projects dashboard. */
export default withRequestId(async function HomePage() {
  const actor = await pageActor();
  const client = createQueryClient();
  client.setQueryData(keys.projects(), projectOut.array().parse(await listProjects(actor)));
  return (
    <PageData state={dehydrate(client)}>
      <Greeting />
      <ProjectsSection />
    </PageData>
  );
});
