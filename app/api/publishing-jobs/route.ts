import { recentPublishingJobs } from "@/lib/features/publishing/reads";
import { recentPublishingOut } from "@/lib/features/publishing/schema";
import { route } from "@/lib/transport/route";

export const GET = route(
  {
    operationId: "listPublishingJobs",
    summary: "The user's newest publishing jobs, 20 at most.",
    // A job has the title of its project.
    shows: { nouns: ["publishing", "project"], failed: "The publishing jobs did not load" },
    reply: recentPublishingOut,
  },
  ({ actor }) => recentPublishingJobs(actor),
);
