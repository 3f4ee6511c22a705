import { reviewsOut, reviewsQuery } from "@/lib/features/publishing/schema";
import { reviewPieces } from "@/lib/features/publishing/writes/reviews";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "reviewContent",
    summary:
      "What is to be said of pieces before they are published: what may be unfinished, the SEO score, what readers will not get. Pieces that are not reviewed yet are left out.",
    shows: { nouns: ["piece"], failed: "The pieces could not be reviewed" },
    query: reviewsQuery,
    reply: reviewsOut,
  },
  ({ actor, query }) => reviewPieces(actor, query),
);
