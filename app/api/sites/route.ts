import { listSites } from "@/lib/features/sites/reads";
import { addSiteInput, siteOut } from "@/lib/features/sites/schema";
import { addSite } from "@/lib/features/sites/writes/manage";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listSites",
    summary: "The user's WordPress sites, the default one first.",
    shows: { nouns: ["site"], failed: "Failed to fetch sites" },
    reply: siteOut.array(),
  },
  ({ actor }) => listSites(actor),
);

export const POST = route(
  {
    operationId: "addSite",
    summary: "Adds a WordPress site after reaching it.",
    // A site that was connected before has its posts again.
    changes: ["site", "account", "category", "piece"],
    body: addSiteInput,
    example: { url: "https://blog.example.com", username: "editor", password: "abcd efgh ijkl mnop" },
    reply: siteOut,
    status: 201,
    limit: "site",
  },
  ({ actor, body, request }) => addSite(actor, body, { signal: request.signal }),
);
