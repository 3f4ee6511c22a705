import { z } from "zod";
import { neighbours } from "@/lib/features/content/reads";
import { neighboursOut } from "@/lib/features/content/schema";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    operationId: "getNeighbours",
    summary: "The pieces before and after one in its topic, which lists the newest first.",
    shows: { nouns: ["piece"], failed: "The pieces beside this one did not load" },
    params,
    reply: neighboursOut,
  },
  ({ actor, params }) => neighbours(actor, params.id),
);
