import { z } from "zod";
import { SEARCH_MAX } from "@/lib/features/content/rules";
import { text } from "@/lib/utils/zod";

export const searchQuery = z.object({
  text: text(SEARCH_MAX)
    .optional()
    .meta({ description: "Text in a title, or in a project's description, in any case. Without it, the newest." }),
});

export const searchOut = z
  .object({
    projects: z.array(z.object({ id: z.number().int(), title: z.string() })),
    topics: z.array(
      z.object({ id: z.number().int(), name: z.string(), projectId: z.number().int(), projectTitle: z.string() }),
    ),
    pieces: z.array(z.object({ id: z.uuid(), title: z.string() })),
  })
  .meta({ id: "SearchHits" });

export type SearchQuery = z.infer<typeof searchQuery>;
export type SearchHits = z.infer<typeof searchOut>;
export type TopicHit = SearchHits["topics"][number];
