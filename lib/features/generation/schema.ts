import { z } from "zod";
import { contentOut } from "@/lib/features/content/schema";
import { AFTER_MAX, BEFORE_MAX, INSTRUCTION_MAX, REWRITES, SELECTION_MAX } from "@/lib/features/generation/rules";
import { writingStyle } from "@/lib/features/projects/schema";
import { keywordOut } from "@/lib/features/topics/schema";
import { jobOut, processingStatus } from "@/lib/features/work/schema";
import { bodyIntId, text } from "@/lib/utils/zod";

export const IDEAS_MIN = 1;
export const IDEAS_MAX = 10;
export const IDEAS_DEFAULT = 3;
/** Keywords per ideas call, so that it ends within a minute. */
export const MAX_KEYWORDS_PER_IDEAS = 20;

const SELECT_TOPIC = "Please select a topic";
const SELECT_COUNT = "Please select how many ideas per keyword";
const COUNT_RANGE = `Use ${IDEAS_MIN} to ${IDEAS_MAX}.`;

export const generateIdeasInput = z.object({
  topicId: bodyIntId(SELECT_TOPIC),
  ideasPerKeyword: z
    .number(SELECT_COUNT)
    .int(COUNT_RANGE)
    .min(IDEAS_MIN, COUNT_RANGE)
    .max(IDEAS_MAX, COUNT_RANGE)
    .default(IDEAS_DEFAULT),
});

/** The dialog's form, with numbers as typed. */
export const ideasForm = z.object({
  topicId: z.string().min(1, SELECT_TOPIC),
  ideasPerKeyword: z.coerce
    .number(SELECT_COUNT)
    .int(COUNT_RANGE)
    .min(IDEAS_MIN, COUNT_RANGE)
    .max(IDEAS_MAX, COUNT_RANGE),
});

const ideaOut = contentOut.omit({ body: true, outline: true });
export const generateIdeasOut = z.object({ message: z.string(), contentIdeas: z.array(ideaOut) });

export const suggestQuery = z.object({ autoSave: z.enum(["true", "false"]).optional() });
export const suggestOut = z.object({
  saved: z.boolean(),
  savedKeywords: z.array(keywordOut),
  keywords: z.array(z.string()),
  /** Names those that are near to another. */
  message: z.string().optional(),
});

/** `style`: what differs from the project's for this text alone; null and blank leave the project's. */
export const writeInput = z.object({ style: writingStyle.partial().optional() }).default({});
export const generateOutlineOut = z.object({ message: z.string(), outline: contentOut });
/** `missing`: the sections of the outline that the text does not have yet, after what there is. */
export const writeContentQuery = z.object({ which: z.enum(["all", "missing"]).default("all") });
/**
 * The section in which the AI provider broke off, and the text so far. `goesOn`: how writing goes on from it, as in `which`;
 * null when outline or text have changed since. `isShown`: the piece's text shows it.
 */
export const unfinishedOut = z.object({
  unfinished: z
    .object({
      heading: z.string(),
      text: z.string(),
      isShown: z.boolean(),
      goesOn: z.enum(["all", "missing"]).nullable(),
    })
    .nullable(),
});
export const stopWritingOut = z.object({ isStopping: z.boolean() });
/** `isComplete` is false when the request's time was up: what is written is kept, and calling again goes on. */
export const writeContentOut = z.object({
  message: z.string(),
  isComplete: z.boolean().default(true),
  content: contentOut,
});

/** Empty where nothing is proposed. */
export const proposeFieldsOut = z.object({
  focusKeyword: z.string(),
  metaTitle: z.string(),
  metaDescription: z.string(),
  slug: z.string(),
  excerpt: z.string(),
});

/** What each action needs is checked by its verb. */
export const rewriteInput = z.object({
  action: z.enum(REWRITES),
  /** The text that the part belongs to. */
  of: z.enum(["body", "outline"]).default("body"),
  selection: text(SELECTION_MAX).default(""),
  before: text(BEFORE_MAX).default(""),
  after: text(AFTER_MAX).default(""),
  instruction: text(INSTRUCTION_MAX).default(""),
});
export const rewriteOut = z.object({ text: z.string(), note: z.string().nullable() });

/** A section of a text that is being written, from 0: `from` is how many characters of it the reader has already. */
const textPart = z.object({
  position: z.number().int(),
  heading: z.string(),
  from: z.number().int(),
  text: z.string(),
});

/** The texts that a job writes now, and those that have just ended: what is new of their sections. */
export const jobTextsOut = z.object({
  job: jobOut,
  texts: z.array(
    z.object({
      itemId: z.uuid(),
      contentPieceId: z.uuid(),
      /** null once the piece is deleted */
      title: z.string().nullable(),
      status: processingStatus,
      /** The section that is being written, from 1, and how many there are; null before the first. */
      section: z.object({ number: z.number().int(), of: z.number().int() }).nullable(),
      /** By the time that its sections have taken; null before one is written. */
      secondsLeft: z.number().nullable(),
      /** A completed text is one part. */
      parts: z.array(textPart),
    }),
  ),
});

export type Unfinished = z.infer<typeof unfinishedOut>["unfinished"];
export type JobTexts = z.infer<typeof jobTextsOut>;
export type RewriteInput = z.infer<typeof rewriteInput>;
export type ProposeFieldsOut = z.infer<typeof proposeFieldsOut>;
export type RewriteOut = z.infer<typeof rewriteOut>;
export type WriteInput = z.infer<typeof writeInput>;
export type GenerateIdeasInput = z.infer<typeof generateIdeasInput>;
export type GenerateIdeasOut = z.infer<typeof generateIdeasOut>;
export type SuggestOut = z.infer<typeof suggestOut>;
