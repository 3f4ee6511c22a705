import { z } from "zod";
import { ERROR_TYPES } from "@/lib/errors";
import { contentOut } from "@/lib/features/content/schema";
import { text, webAddress } from "@/lib/utils/zod";

export const CATEGORY_MAX = 200;

/** Category: id before name before the piece's own on this site before the topic's name. Ids come as number or string. */
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
    /** The topic's name, also of a piece that has another category on the site. */
    byTopic: z.boolean().optional(),
    /** Overwrite a post that was edited on the site since we wrote it. */
    force: z.boolean().optional(),
  })
  .default({});

export const syncOut = contentOut.extend({ remoteChanged: z.boolean() });

export const publishResult = z.object({
  contentId: z.uuid(),
  title: z.string(),
  success: z.boolean(),
  unchanged: z.boolean().optional(),
  wpPostId: z.string().nullish(),
  wpPermalink: webAddress.optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
  type: z.enum([...ERROR_TYPES, "TIME_BUDGET"]).optional(),
});
export const publishAllOut = z.object({ results: z.array(publishResult), totalProcessed: z.number().int() });

export const categoryOut = z.object({ id: z.number().int(), name: z.string() });

/** What a look at the site with the stored credentials found. */
export const connectionOut = z.object({
  ok: z.literal(true),
  site: z.string(),
  roles: z.array(z.string()),
  warnings: z.array(z.string()),
});

export type PublishInput = z.infer<typeof publishInput>;
export type PublishResult = z.infer<typeof publishResult>;
export type PublishAllOut = z.infer<typeof publishAllOut>;
export type CategoryOut = z.infer<typeof categoryOut>;
export type ConnectionOut = z.infer<typeof connectionOut>;
