import { categoryOut } from "@/lib/features/publishing/schema";
import { listCategories } from "@/lib/features/publishing/writes/site";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listWordpressCategories",
    summary: "The categories of the user's site.",
    reply: categoryOut.array(),
    limit: "site",
  },
  ({ actor, request }) => listCategories(actor, { signal: request.signal }),
);
