import { connectionOut, siteInput } from "@/lib/features/publishing/schema";
import { testConnection } from "@/lib/features/publishing/writes/site";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "testWordpressConnection",
    summary: "Tests the connection to the site with the stored credentials.",
    // A reachable site tells which pieces are on it.
    changes: ["piece"],
    body: siteInput,
    reply: connectionOut,
    limit: "site",
  },
  ({ actor, body, request }) => testConnection(actor, body.site, { signal: request.signal }),
);
