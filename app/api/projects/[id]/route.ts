import { z } from "zod";
import { moveProject } from "@/lib/features/content/writes";
import { deleteProject } from "@/lib/features/deletion/writes";
import { ownedProject } from "@/lib/features/projects/reads";
import { projectDetailOut, updateProjectInput } from "@/lib/features/projects/schema";
import { updateProject } from "@/lib/features/projects/writes";
import { route } from "@/lib/transport/route";
import { intId } from "@/lib/utils/zod";

const params = z.object({ id: intId });

export const GET = route(
  {
    operationId: "getProject",
    summary: "One project.",
    shows: { nouns: ["project"], failed: "Failed to fetch project" },
    params,
    reply: projectDetailOut,
  },
  ({ actor, params }) => ownedProject(actor, params.id),
);

export const PATCH = route(
  {
    operationId: "updateProject",
    summary: "Changes a project.",
    // Another site has other posts and categories.
    changes: ["project", "site", "piece", "category", "publishing"],
    params,
    body: updateProjectInput,
    example: { title: "Balcony" },
    reply: projectDetailOut,
  },
  async ({ actor, params, body }) => {
    if (body.siteId) await moveProject(actor, params.id, body.siteId);
    return updateProject(actor, params.id, body);
  },
);

export const DELETE = route(
  {
    operationId: "deleteProject",
    summary: "Deletes a project with its topics, keywords and content.",
    changes: ["project", "site", "persona", "publishing", "topic", "keyword", "piece", "unfinished", "queue"],
    params,
  },
  ({ actor, params }) => deleteProject(actor, params.id),
);
