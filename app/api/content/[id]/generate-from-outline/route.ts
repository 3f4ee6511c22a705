import { z } from "zod";
import { writeContentOut } from "@/lib/features/generation/schema";
import { writeContent } from "@/lib/features/generation/writes/pieces";
import { watcherOf } from "@/lib/transport/event-stream";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  { summary: "Writes the body from the outline, section by section.", params, reply: writeContentOut, limit: "ai" },
  ({ actor, params }) => writeContent(actor, params.id),
  async ({ actor, params }, send) => {
    const result = await writeContent(actor, params.id, watcherOf(send));
    send("done", writeContentOut.parse(result));
  },
);
