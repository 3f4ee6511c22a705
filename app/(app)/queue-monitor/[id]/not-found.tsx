import type { Metadata } from "next";

export { JobNotFound as default } from "@/components/work/job-not-found";

export const metadata: Metadata = { title: "Job not found" };
