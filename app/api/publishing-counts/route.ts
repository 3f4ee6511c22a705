import { publishingCounts } from "@/lib/features/publishing/reads";
import { publishingCountsOut } from "@/lib/features/publishing/schema";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "countPublishing",
    summary: "How many pieces of each project are published (`live`), can be published (`ready`) and failed.",
    shows: { nouns: ["project", "piece"], failed: "Failed to count the content" },
    reply: publishingCountsOut,
  },
  ({ actor }) => publishingCounts(actor),
);
