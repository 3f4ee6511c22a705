import { exportArchive } from "@/lib/features/account/own-data/reads";
import { route } from "@/lib/transport/route";
import { zipResponse } from "@/lib/transport/zip";

export const maxDuration = 300;

export const GET = route(
  {
    operationId: "exportUserData",
    summary: "Exports all of the user's data as a zip of Markdown, CSV and JSON.",
    produces: "application/zip",
    limit: "export",
  },
  async ({ actor, request, context }) => {
    const day = new Date().toISOString().slice(0, 10);
    return zipResponse(exportArchive(actor), `content-planner-${day}.zip`, request, context.requestId);
  },
);
