import { archiveOf } from "@/lib/features/archive/reads";
import { route } from "@/lib/transport/route";
import { zipResponse } from "@/lib/transport/zip";

export const maxDuration = 300;

export const GET = route(
  {
    summary: "Everything the person has, as one zip of Markdown, CSV and JSON.",
    produces: "application/zip",
    limit: "export",
  },
  async ({ actor, origin }) => {
    const day = new Date().toISOString().slice(0, 10);
    return zipResponse(archiveOf(actor), `content-planner-${day}.zip`, origin.requestId);
  },
);
