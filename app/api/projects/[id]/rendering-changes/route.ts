import { z } from "zod";
import { projectRenderingChangesOut, projectRenderingChangesQuery } from "@/lib/features/publishing/schema";
import { projectRenderingChanges } from "@/lib/features/publishing/writes/rendering";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "listRenderingChanges",
    summary: "The live posts of a project that an update changes beyond the user's edits.",
    shows: { nouns: ["piece"], failed: "The changes of the layout did not load" },
    params,
    query: projectRenderingChangesQuery,
    reply: projectRenderingChangesOut,
    limit: "site",
  },
  ({ actor, params, query }) => projectRenderingChanges(actor, params.id, query),
);
