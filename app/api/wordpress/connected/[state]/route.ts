import { connectedParams, connectedQuery } from "@/lib/features/sites/connecting/schema";
import { finishConnecting } from "@/lib/features/sites/connecting/writes";
import { Reply, toAppError } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

/** WordPress puts the password into the address: it is answered with another one, and kept by nobody on the way. */
const HEADERS = { "referrer-policy": "no-referrer", "cache-control": "no-store" };

export const GET = route(
  {
    operationId: "finishConnectingWordpress",
    summary: "Saves the password that WordPress sends the browser back with, and leads to the settings.",
    // The state in the path is the proof. Without a session, the settings page asks you to sign in.
    access: "anyone",
    params: connectedParams,
    query: connectedQuery,
    status: 303,
  },
  async ({ actor, sessionToken, params, query, context }) => {
    const outcome = await finishConnecting({ actor, sessionToken }, params.state, query).catch((error: unknown) => {
      // An answer of its own would leave the password in the browser's address bar.
      toAppError(error, context.requestId);
      return "failed";
    });
    return new Reply(null, { status: 303, headers: { ...HEADERS, location: `/settings?connected=${outcome}` } });
  },
);
