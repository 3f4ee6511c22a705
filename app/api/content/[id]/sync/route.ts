import { z } from "zod";
import { syncOut } from "@/lib/features/publishing/schema";
import { syncContent } from "@/lib/features/publishing/writes/sync";
import { siteInput } from "@/lib/features/sites/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "syncContent",
    summary: "Reads the post's status from the site.",
    changes: ["piece"],
    params,
    body: siteInput,
    reply: syncOut,
  },
  ({ actor, params, body, request }) => syncContent(actor, params.id, body, { signal: request.signal }),
);
