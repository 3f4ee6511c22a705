import { z } from "zod";
import { contentOut } from "@/lib/features/content/schema";
import { restoreRevision } from "@/lib/features/content/writes";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid, revisionId: uuid });

export const POST = route(
  {
    operationId: "restoreRevision",
    summary: "Restores the texts of a revision.",
    changes: ["piece"],
    params,
    reply: contentOut,
  },
  ({ actor, params }) => restoreRevision(actor, params.id, params.revisionId),
);
