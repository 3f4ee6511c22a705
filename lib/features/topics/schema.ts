import { z } from "zod";
import { KEYWORD_MAX, MAX_SUGGESTED, PIECE_STEPS } from "@/lib/features/topics/rules";
import { descriptionCut, descriptionQuery, isoDate, pageQuery, patchInput, text } from "@/lib/utils/zod";

/** Bound the lists of topics and keywords, which are not cut by number. */
export const MAX_TOPICS = 500;
export const MAX_KEYWORDS = 500;

const topic = { name: text(200, 1), description: text(5000, 1), category: text(100).nullish() };

export const createTopicInput = z.object(topic);
export const updateTopicInput = patchInput(z.object(topic));

export const topicOut = z
  .object({
    id: z.number().int(),
    projectId: z.number().int(),
    name: z.string(),
    description: z.string(),
    category: z.string().nullable(),
    keywordCount: z.number().int(),
    contentCount: z.number().int(),
    unoutlinedCount: z
      .number()
      .int()
      .meta({ description: "Pieces without an outline, which generate-outline-queue takes." }),
    unwrittenCount: z
      .number()
      .int()
      .meta({ description: "Pieces with an outline and no body, which generate-all-content-queue takes." }),
    steps: z.record(z.enum(PIECE_STEPS), z.number().int()).meta({
      description:
        "How many pieces are an idea, have an outline, have a text, and are live: each in its furthest step.",
    }),
    createdAt: isoDate,
  })
  .meta({ id: "Topic" });

/** A topic in a list. */
export const listedTopicOut = topicOut.extend({ descriptionCut }).meta({ id: "ListedTopic" });

export const listTopicsQuery = z.object({ ...descriptionQuery, ...pageQuery });
export const listKeywordsQuery = z.object(pageQuery);

export const keywordInput = z.object({ keyword: text(KEYWORD_MAX, 1) });
export const keywordOut = z
  .object({
    id: z.number().int(),
    topicId: z.number().int(),
    keyword: z.string(),
    createdAt: isoDate,
  })
  .meta({ id: "Keyword" });

/** The suggestions a user chose; known keywords are skipped. */
export const addSuggestedInput = z.object({
  keywords: z.array(text(KEYWORD_MAX, 1)).min(1, "Choose at least one keyword.").max(MAX_SUGGESTED),
});
export const addSuggestedOut = z.object({ count: z.number().int() });

export type CreateTopicInput = z.infer<typeof createTopicInput>;
export type UpdateTopicInput = z.infer<typeof updateTopicInput>;
export type TopicOut = z.infer<typeof topicOut>;
export type ListedTopic = z.infer<typeof listedTopicOut>;
export type ListTopicsQuery = z.infer<typeof listTopicsQuery>;
export type ListKeywordsQuery = z.infer<typeof listKeywordsQuery>;
export type KeywordInput = z.infer<typeof keywordInput>;
export type KeywordOut = z.infer<typeof keywordOut>;
export type AddSuggestedInput = z.infer<typeof addSuggestedInput>;
