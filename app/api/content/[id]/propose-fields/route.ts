import { z } from "zod";
import { proposeFieldsOut } from "@/lib/features/generation/schema";
import { proposeFields } from "@/lib/features/generation/writes/fields";
import { route } from "@/lib/transport/route";
import { uuid } from "@/lib/utils/zod";

export const maxDuration = 300;

const params = z.object({ id: uuid });

export const POST = route(
  {
    operationId: "proposeFields",
    summary: "Proposes a piece's focus keyword, SEO title, meta description, slug and excerpt. Nothing is saved.",
    changes: [],
    params,
    reply: proposeFieldsOut,
    limit: "ai",
    idempotent: "paid",
  },
  ({ actor, params }) => proposeFields(actor, params.id),
);
