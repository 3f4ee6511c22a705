import { z } from "zod";
import { isDatabaseReachable } from "@/lib/db/health";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";

/** For start scripts, load balancers and monitors. */
export const GET = route(
  {
    operationId: "getHealth",
    summary: "200 when the app and its database answer, else 503.",
    access: "anyone",
    reply: z.object({ ok: z.boolean() }),
  },
  async () => {
    const ok = await isDatabaseReachable();
    return new Reply({ ok }, { status: ok ? 200 : 503 });
  },
);
