import { z } from "zod";
import { connectionOut, siteInput } from "@/lib/features/sites/schema";
import { testConnection } from "@/lib/features/sites/writes/manage";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "testSite",
    summary: "Tests the connection to one of the user's sites.",
    // A reachable site tells which pieces are on it.
    changes: ["site", "piece"],
    params,
    body: siteInput,
    reply: connectionOut,
    limit: "site",
  },
  ({ actor, params, body, request }) =>
    testConnection(actor, { siteId: params.id }, body.site, { signal: request.signal }),
);
