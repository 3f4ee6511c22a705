import { listProjects } from "@/lib/features/projects/reads";
import { createProjectInput, projectOut } from "@/lib/features/projects/schema";
import { createProject } from "@/lib/features/projects/writes";
import { route } from "@/lib/transport/route";

export const GET = route(
  { operationId: "listProjects", summary: "The user's projects, newest first.", reply: projectOut.array() },
  ({ actor }) => listProjects(actor),
);

export const POST = route(
  {
    operationId: "createProject",
    summary: "Creates a project.",
    body: createProjectInput,
    reply: projectOut,
    status: 201,
    idempotent: "creation",
  },
  ({ actor, body }) => createProject(actor, body),
);
