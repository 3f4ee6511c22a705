import { z } from "zod";
import { ownedRevision } from "@/lib/features/content/reads";
import { revisionOut } from "@/lib/features/content/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid, revisionId: uuid });

export const GET = route(
  {
    operationId: "getRevision",
    summary: "A revision of a piece with its texts.",
    shows: { nouns: ["piece"], failed: "The revision did not load" },
    params,
    reply: revisionOut,
  },
  ({ actor, params }) => ownedRevision(actor, params.id, params.revisionId),
);
