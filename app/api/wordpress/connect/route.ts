import { connectInput, connectOut } from "@/lib/features/sites/connecting/schema";
import { beginConnecting } from "@/lib/features/sites/connecting/writes";
import { route } from "@/lib/transport/route";

export const POST = route(
  {
    operationId: "connectWordpress",
    summary: "Says where the user approves the connection to a site, whose answer comes to /api/wordpress/connected.",
    changes: [],
    body: connectInput,
    example: { url: "https://blog.example.com" },
    reply: connectOut,
    limit: "site",
  },
  ({ actor, sessionToken, body, request }) => beginConnecting({ actor, sessionToken }, body, request.signal),
);
