import { serve } from "inngest/next";
import { functions } from "@/inngest/all-functions";
import { env } from "@/lib/env";
import { inngest } from "@/lib/events/client";
import { engineDoor } from "@/lib/events/door";

/** Where the engine calls our functions; what is not signed is refused. */
const sdk = serve({
  client: inngest,
  functions,
  // Where the engine calls back is ours to say, never the Host of a request.
  serveOrigin: env.INNGEST_SERVE_ORIGIN ?? env.APP_URL,
  servePath: "/api/inngest",
  enableUnauthedSync: false,
});

export const GET = engineDoor(sdk.GET);
export const POST = engineDoor(sdk.POST);
export const PUT = engineDoor(sdk.PUT);

export const maxDuration = 300;
