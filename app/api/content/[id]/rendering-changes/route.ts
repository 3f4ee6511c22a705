import { z } from "zod";
import { renderingChangesOut } from "@/lib/features/publishing/schema";
import { renderingChanges } from "@/lib/features/publishing/writes/rendering";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    operationId: "getRenderingChanges",
    summary:
      "What the next update changes in a live post beyond the user's edit, where an earlier release rendered it.",
    shows: { nouns: ["piece"], failed: "The changes of the layout did not load" },
    params,
    reply: renderingChangesOut,
    limit: "site",
  },
  ({ actor, params, request }) => renderingChanges(actor, params.id, { signal: request.signal }),
);
