import { z } from "zod";
import { listPublishingResults } from "@/lib/features/publishing/reads";
import { publishingResultOut, publishingResultsQuery } from "@/lib/features/publishing/schema";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    operationId: "listPublishingResults",
    summary: "What became of the pieces of a publishing job, in their order, 200 at a time.",
    shows: { nouns: ["publishing"], failed: "The results of publishing did not load" },
    params,
    query: publishingResultsQuery,
    reply: publishingResultOut.array(),
  },
  async ({ actor, params, query, request }) => pageReply(request, await listPublishingResults(actor, params.id, query)),
);
