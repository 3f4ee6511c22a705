import { lossCountsOut, lossCountsQuery } from "@/lib/features/publishing/schema";
import { countLosses } from "@/lib/features/publishing/writes/losses";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "countLosses",
    summary: "How much of each text its readers will not get. Pieces that are not counted yet are left out.",
    shows: { nouns: ["piece"], failed: "What will not appear could not be counted" },
    query: lossCountsQuery,
    reply: lossCountsOut,
  },
  ({ actor, query }) => countLosses(actor, query),
);
