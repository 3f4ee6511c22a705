import { z } from "zod";
import { contentOut } from "@/lib/features/content/schema";
import { publishInput } from "@/lib/features/publishing/schema";
import { publishContent } from "@/lib/features/publishing/writes/publish";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "publishContent",
    summary: "Publishes a piece to the user's WordPress site, or updates its post.",
    // Publishing may create a category, ends what failed before, and settles which site a project is on.
    changes: ["project", "site", "piece", "category", "queue"],
    params,
    body: publishInput,
    example: { categoryName: "Guides" },
    reply: contentOut,
  },
  ({ actor, params, body, request }) => publishContent(actor, params.id, body, { signal: request.signal }),
);
