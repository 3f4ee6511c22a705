import { z } from "zod";
import { route } from "@/lib/transport/route";

/** Tells whatever restarts hanging processes that this one answers; asks nothing but the process itself. */
export const GET = route(
  {
    operationId: "getHealth",
    summary: "200 as long as this process answers, whatever becomes of the database.",
    access: "monitor",
    reply: z.object({ ok: z.boolean() }),
  },
  async () => ({ ok: true }),
);
