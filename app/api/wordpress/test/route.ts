import { connectionOut, siteInput } from "@/lib/features/publishing/schema";
import { testConnection } from "@/lib/features/publishing/writes/site";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "testWordpressConnection",
    summary: "Tests the connection to the site with the stored credentials.",
    body: siteInput,
    reply: connectionOut,
  },
  ({ actor, body }) => testConnection(actor, body.site),
);
