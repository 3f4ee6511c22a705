import { z } from "zod";
import { listKeywords } from "@/lib/features/topics/reads";
import { keywordInput, keywordOut, listKeywordsQuery } from "@/lib/features/topics/schema";
import { createKeyword } from "@/lib/features/topics/writes";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "listKeywords",
    summary: "All keywords of a topic, newest first.",
    shows: { nouns: ["keyword"], failed: "Failed to fetch keywords" },
    params,
    query: listKeywordsQuery,
    reply: keywordOut.array(),
  },
  async ({ actor, params, query, request }) => pageReply(request, await listKeywords(actor, params.id, query)),
);

export const POST = route(
  {
    operationId: "createKeyword",
    summary: "Adds a keyword.",
    changes: ["keyword"],
    params,
    body: keywordInput,
    example: { keyword: "watering cans" },
    reply: keywordOut,
    status: 201,
    idempotent: "creation",
  },
  ({ actor, params, body }) => createKeyword(actor, params.id, body),
);
