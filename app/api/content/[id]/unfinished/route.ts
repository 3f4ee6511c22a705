import { z } from "zod";
import { readUnfinished } from "@/lib/features/generation/reads";
import { unfinishedOut } from "@/lib/features/generation/schema";
import { dropUnfinished } from "@/lib/features/generation/writes/unfinished";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

const params = z.object({ id: uuid });

export const GET = route(
  {
    operationId: "getUnfinished",
    summary: "The section in which the AI provider broke off, and the text so far.",
    shows: { nouns: ["unfinished"], failed: "The unfinished section did not load" },
    params,
    reply: unfinishedOut,
  },
  ({ actor, params }) => readUnfinished(actor, params.id),
);

export const DELETE = route(
  {
    operationId: "dropUnfinished",
    summary: "Drops the unfinished section. The piece's text stays as it is.",
    changes: ["unfinished"],
    params,
  },
  ({ actor, params }) => dropUnfinished(actor, params.id),
);
