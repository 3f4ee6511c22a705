import { categoryOut, listCategoriesQuery } from "@/lib/features/publishing/schema";
import { listCategories } from "@/lib/features/publishing/writes/category";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listWordpressCategories",
    summary: "The categories of the user's site.",
    shows: { nouns: ["category"], failed: "Failed to fetch WordPress categories" },
    query: listCategoriesQuery,
    reply: categoryOut.array(),
    limit: "site",
  },
  async ({ actor, query, request }) =>
    pageReply(request, await listCategories(actor, query, { signal: request.signal })),
);
