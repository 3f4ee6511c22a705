import { z } from "zod";
import { stopWritingOut } from "@/lib/features/generation/schema";
import { stopWriting } from "@/lib/features/generation/writes/stopping";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "stopWriting",
    summary: "Stops the direct AI call that is writing a piece. What it has written is kept.",
    changes: [],
    params,
    reply: stopWritingOut,
  },
  ({ actor, params }) => stopWriting(actor, params.id),
);
