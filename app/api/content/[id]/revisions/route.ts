import { z } from "zod";
import { listRevisions } from "@/lib/features/content/reads";
import { contentPageQuery, revisionSummaryOut } from "@/lib/features/content/schema";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    operationId: "listRevisions",
    summary: "The revisions of a piece, newest first and 50 at a time, without body and outline.",
    shows: { nouns: ["piece"], failed: "The revision history did not load" },
    params,
    query: contentPageQuery,
    reply: revisionSummaryOut.array(),
  },
  async ({ actor, params, query, request }) => pageReply(request, await listRevisions(actor, params.id, query)),
);
