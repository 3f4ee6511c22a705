import { z } from "zod";
import { foreignDoors, operations } from "@/app/api/openapi.json/operations";
import { openApiDocument } from "@/lib/transport/openapi";
import { type RouteHandler, route } from "@/lib/transport/route";

export const GET: RouteHandler = route(
  { summary: "This document.", access: "anyone", reply: z.record(z.string(), z.unknown()) },
  async () => {
    document ??= openApiDocument({ ...operations, "/api/openapi.json": { GET } }, foreignDoors);
    return document;
  },
);

/** The same for everybody until the next start. */
let document: ReturnType<typeof openApiDocument> | undefined;
