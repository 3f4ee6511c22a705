import { serve } from "inngest/next";
import { functions } from "@/inngest/all-functions";
import { env } from "@/lib/env";
import { inngest } from "@/lib/events/client";
import { guardEndpoint } from "@/lib/events/endpoint";
import { resumeAfterOutage } from "@/lib/features/work/writes/sending";
import { external } from "@/lib/transport/external";

/** The engine calls our functions here. */
const sdk = serve({
  client: inngest,
  functions,
  // We never take the origin from a request's Host header.
  serveOrigin: env.INNGEST_SERVE_ORIGIN ?? env.APP_URL,
  servePath: "/api/inngest",
  enableUnauthedSync: false,
});

const summary = "Signed calls of background functions, as Inngest documents them.";

export const GET = external({ operationId: "introspectInngest", summary }, guardEndpoint(sdk.GET));
export const POST = external(
  { operationId: "invokeInngest", summary },
  guardEndpoint(sdk.POST, () => resumeAfterOutage()),
);
export const PUT = external({ operationId: "registerInngest", summary }, guardEndpoint(sdk.PUT));

export const maxDuration = 300;
