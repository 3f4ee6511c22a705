import { listProjects } from "@/lib/features/projects/reads";
import { createProjectInput, listedProjectOut, listProjectsQuery, projectOut } from "@/lib/features/projects/schema";
import { createProject } from "@/lib/features/projects/writes";
import { pageReply } from "@/lib/transport/page";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listProjects",
    summary: "The user's projects, newest first.",
    shows: { nouns: ["project"], failed: "Failed to fetch projects" },
    query: listProjectsQuery,
    reply: listedProjectOut.array(),
  },
  async ({ actor, query, request }) => pageReply(request, await listProjects(actor, query, { signal: request.signal })),
);

export const POST = route(
  {
    operationId: "createProject",
    summary: "Creates a project.",
    changes: ["project", "site"],
    body: createProjectInput,
    example: { title: "Balcony", description: "Pots alone." },
    reply: projectOut,
    status: 201,
    idempotent: "creation",
  },
  ({ actor, body }) => createProject(actor, body),
);
