import { z } from "zod";
import { listProjectContent } from "@/lib/features/content/reads";
import { contentPageQuery, contentSummaryOut } from "@/lib/features/content/schema";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "listProjectContent",
    summary: "All pieces of a project, newest first, without body and outline.",
    shows: { nouns: ["piece"], failed: "Failed to fetch content" },
    params,
    query: contentPageQuery,
    reply: contentSummaryOut.array(),
  },
  async ({ actor, params, query, request }) => pageReply(request, await listProjectContent(actor, params.id, query)),
);
