import { connectionOut, siteInput } from "@/lib/features/sites/schema";
import { testConnection } from "@/lib/features/sites/writes/manage";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "testWordpressConnection",
    summary: "Tests the connection to the site with the stored credentials.",
    // A reachable site tells which pieces are on it.
    changes: ["site", "piece"],
    body: siteInput,
    reply: connectionOut,
    limit: "site",
  },
  ({ actor, body, request }) => testConnection(actor, {}, body.site, { signal: request.signal }),
);
