import { z } from "zod";
import { generateOutlineOut } from "@/lib/features/generation/schema";
import { generateOutline } from "@/lib/features/generation/writes/pieces";
import { watcherOf } from "@/lib/transport/event-stream";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  { summary: "Generates an outline for a piece.", params, reply: generateOutlineOut, limit: "ai" },
  ({ actor, params }) => generateOutline(actor, params.id),
  async ({ actor, params }, send) => {
    const result = await generateOutline(actor, params.id, watcherOf(send));
    send("done", generateOutlineOut.parse(result));
  },
);
