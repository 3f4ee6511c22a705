"use server";

import { createProjectInput, projectOut } from "@/lib/features/projects/schema";
import { createProject } from "@/lib/features/projects/writes";
import { creationAction } from "@/lib/transport/action";

export const createProjectAction = creationAction("/api/projects", createProjectInput, projectOut, createProject);
