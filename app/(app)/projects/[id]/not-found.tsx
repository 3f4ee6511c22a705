import type { Metadata } from "next";

export { ProjectNotFound as default } from "@/components/projects/project-not-found";

export const metadata: Metadata = { title: "Project not found" };
