import { z } from "zod";
import { jobTextsOut } from "@/lib/features/generation/schema";
import { followJobTexts, jobTexts } from "@/lib/features/generation/writes/watching";
import { acceptsEvents } from "@/lib/transport/event-stream";
import { liveStream } from "@/lib/transport/live-stream";
import { Reply } from "@/lib/transport/reply";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

/** A stream for those who accept one: 204 where nobody tells when something changes. Others get the texts as they are now. */
export const GET = route(
  {
    operationId: "watchJob",
    summary:
      "The texts that a job writes now, at most four, as they are written; 204 without a body where there is no stream.",
    // Its stream tells of everything else that changes.
    shows: { nouns: ["queue"], failed: "The texts did not load" },
    params,
    reply: jobTextsOut,
    sends: "`changes` with the answer of application/json: each has what is new since the one before.",
  },
  async ({ actor, params: { id }, request, context, sessionToken }) => {
    if (!acceptsEvents(request)) return jobTexts(actor, id);
    const stream = await liveStream(followJobTexts(actor, id), { userId: actor.userId, context, sessionToken });
    return stream ?? new Reply(null, { status: 204 });
  },
);
