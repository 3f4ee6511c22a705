import { z } from "zod";
import { ERROR_TYPES } from "@/lib/errors";
import { contentOut } from "@/lib/features/content/schema";
import { text, webUrl } from "@/lib/utils/zod";

export const CATEGORY_MAX = 200;

/** Answers SITE_UNCERTAIN: the site is the one connected before, at a new address, or another one that has its posts. */
const siteAnswer = z.enum(["same", "other"]).optional();

/** The category by id, else by name, else the piece's own on this site, else the topic's. Ids may be numbers or strings. */
export const publishInput = z
  .object({
    categoryId: z
      .union(
        [
          z.number().int().positive(),
          z
            .string()
            .trim()
            .regex(/^\d{0,15}$/),
        ],
        "Choose a category.",
      )
      .transform((value) => String(value))
      .nullish(),
    categoryName: text(CATEGORY_MAX).nullish(),
    /** Use the topic's category, even if the piece has another one on the site. */
    byTopic: z.boolean().optional(),
    /** Overwrite a post that was edited on the site. */
    force: z.boolean().optional(),
    site: siteAnswer,
  })
  .default({});

/** Of the calls that need no more. */
export const siteInput = z.object({ site: siteAnswer }).default({});

export const syncOut = contentOut.extend({ remoteChanged: z.boolean() });

export const publishResult = z.object({
  contentId: z.uuid(),
  title: z.string(),
  success: z.boolean(),
  unchanged: z.boolean().optional(),
  wpPostId: z.string().nullish(),
  wpPermalink: webUrl.optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
  type: z.enum([...ERROR_TYPES, "TIME_BUDGET"]).optional(),
});
export const publishAllOut = z.object({ results: z.array(publishResult), totalProcessed: z.number().int() });

export const categoryOut = z.object({ id: z.number().int(), name: z.string() });

/** The result of checking the stored credentials. */
export const connectionOut = z.object({
  ok: z.literal(true),
  site: z.string(),
  roles: z.array(z.string()),
  warnings: z.array(z.string()),
});

export type SiteAnswer = z.infer<typeof siteInput>["site"];
export type PublishInput = z.infer<typeof publishInput>;
export type PublishResult = z.infer<typeof publishResult>;
export type PublishAllOut = z.infer<typeof publishAllOut>;
export type CategoryOut = z.infer<typeof categoryOut>;
export type ConnectionOut = z.infer<typeof connectionOut>;
