import { dehydrate } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { setPageSites } from "@/app/(app)/page-lists";
import { ContentEditor } from "@/components/content/content-editor";
import { pageActor } from "@/lib/auth/actor";
import { PageData } from "@/lib/client/page-data";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { isAppError } from "@/lib/errors";
import { neighbours, ownedContent } from "@/lib/features/content/reads";
import { contentOut, neighboursOut } from "@/lib/features/content/schema";
import { ownedProject } from "@/lib/features/projects/reads";
import { ownedTopic } from "@/lib/features/topics/reads";
import { withRequestId } from "@/lib/transport/page-failure";
import { uuid } from "@/lib/utils/zod";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ tab?: string | string[] }> };

export const generateMetadata = withRequestId(async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await readPiece((await params).id)).title };
});

/** The content editor; `?tab=preview` opens it on the Preview. */
export default withRequestId(async function ContentPage({ params, searchParams }: Props) {
  const { tab } = await searchParams;
  const piece = await readPiece((await params).id);
  const actor = await pageActor();
  const client = createQueryClient();
  const [project, topic, beside] = await Promise.all([
    ownedProject(actor, piece.projectId),
    ownedTopic(actor, piece.topicId),
    neighbours(actor, piece.id),
    setPageSites(client, actor),
  ]);
  client.setQueryData(keys.content(piece.id), piece);
  client.setQueryData(keys.neighbours(piece.id), neighboursOut.parse(beside));
  return (
    <PageData state={dehydrate(client)}>
      <ContentEditor
        id={piece.id}
        place={{ projectTitle: project.title, topicName: topic.name, language: project.writing.language }}
        tab={tab === "preview" ? tab : undefined}
      />
    </PageData>
  );
});

/** One read for metadata and page. A malformed id and another user's piece are both "not found". */
const readPiece = cache(async function readPiece(id: string) {
  const actor = await pageActor();
  const parsed = uuid.safeParse(id);
  if (!parsed.success) notFound();
  try {
    return contentOut.parse(await ownedContent(actor, parsed.data));
  } catch (error) {
    if (isAppError(error, "NOT_FOUND")) notFound();
    throw error;
  }
});
