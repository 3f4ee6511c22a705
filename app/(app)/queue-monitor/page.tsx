import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { QueueMonitor } from "@/components/work/queue-monitor";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { recentPublishingJobs } from "@/lib/features/publishing/reads";
import { recentPublishingOut } from "@/lib/features/publishing/schema";
import { queueStatus } from "@/lib/features/work/reads";
import { queueStatusOut } from "@/lib/features/work/schema";
import { withRequestId } from "@/lib/transport/page-failure";

export const metadata: Metadata = { title: "Queue Monitor" };

export default withRequestId(async function QueueMonitorPage() {
  const client = createQueryClient();
  const actor = await pageActor();
  const [status, publishing] = await Promise.all([queueStatus(actor), recentPublishingJobs(actor)]);
  client.setQueryData(keys.queueStatus(), queueStatusOut.parse(status));
  client.setQueryData(keys.publishingJobs(), recentPublishingOut.parse(publishing));
  return (
    <PageData state={dehydrate(client)}>
      <QueueMonitor />
    </PageData>
  );
});
