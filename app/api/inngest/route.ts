import { serve } from "inngest/next";
import { functions } from "@/inngest/all-functions";
import { env } from "@/lib/env";
import { inngest } from "@/lib/events/client";
import { guardEndpoint } from "@/lib/events/endpoint";

/** The engine calls our functions here. */
const sdk = serve({
  client: inngest,
  functions,
  // Never taken from a request's Host header.
  serveOrigin: env.INNGEST_SERVE_ORIGIN ?? env.APP_URL,
  servePath: "/api/inngest",
  enableUnauthedSync: false,
});

export const GET = guardEndpoint(sdk.GET);
export const POST = guardEndpoint(sdk.POST);
export const PUT = guardEndpoint(sdk.PUT);

export const maxDuration = 300;
