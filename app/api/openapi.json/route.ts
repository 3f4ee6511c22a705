import { z } from "zod";
import { routes } from "@/app/api/openapi.json/generated/routes";
import { openApiDocument } from "@/lib/transport/openapi";
import { type RouteHandler, route } from "@/lib/transport/route";

export const GET: RouteHandler = route(
  {
    operationId: "getOpenApiDocument",
    summary: "This document.",
    access: "anyone",
    reply: z.record(z.string(), z.unknown()),
  },
  async () => {
    document ??= openApiDocument({ ...routes, "/api/openapi.json": { GET } });
    return document;
  },
);

/** The document is the same for every caller, so it is built once. */
let document: ReturnType<typeof openApiDocument> | undefined;
