"use server";

import { createProjectInput, projectOut } from "@/lib/features/projects/schema";
import { createProject } from "@/lib/features/projects/writes";
import { action } from "@/lib/transport/action";

export const createProjectAction = action(createProjectInput, projectOut, createProject);
