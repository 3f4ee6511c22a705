import { z } from "zod";
import { listRevisions } from "@/lib/features/content/reads";
import { revisionSummaryOut } from "@/lib/features/content/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    summary: "The newest revisions of a piece, at most 50, without body and outline.",
    params,
    reply: revisionSummaryOut.array(),
  },
  ({ actor, params }) => listRevisions(actor, params.id),
);
