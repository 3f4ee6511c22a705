import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { WatchJob } from "@/components/work/watch-job";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { isAppError } from "@/lib/errors";
import { withTexts } from "@/lib/features/generation/client/watched-texts";
import { jobTexts } from "@/lib/features/generation/writes/watching";
import { withRequestId } from "@/lib/transport/page-failure";
import { uuid } from "@/lib/utils/zod";

export const metadata: Metadata = { title: "Being written" };

/** The texts of a job, as they are written. */
export default withRequestId(async function WatchJobPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await pageActor();
  const id = uuid.safeParse((await params).id);
  if (!id.success) notFound();
  const texts = await jobTexts(actor, id.data).catch((error: unknown) => {
    if (isAppError(error, "NOT_FOUND")) notFound();
    throw error;
  });
  const client = createQueryClient();
  client.setQueryData(keys.jobTexts(id.data), withTexts(undefined, texts));
  return (
    <PageData state={dehydrate(client)}>
      <WatchJob jobId={id.data} />
    </PageData>
  );
});
