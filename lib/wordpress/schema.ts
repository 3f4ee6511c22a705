import { z } from "zod";
import { decodeEntities } from "@/lib/wordpress/entities";

/** The REST index, as far as it concerns us. */
export const siteIndex = z.object({
  namespaces: z.array(z.string()).refine((names) => names.includes("wp/v2")),
  // An object of methods, or an empty list where application passwords are off.
  authentication: z.unknown(),
});

export const restError = z.object({ code: z.string(), message: z.string().catch(""), data: z.unknown() });

export const termExists = z.object({ term_id: z.coerce.number().int().positive() });

export const account = z.object({
  id: z.number().int(),
  roles: z.preprocess(listOfPhp, z.array(z.string())),
  capabilities: z.preprocess(recordOfPhp, z.record(z.string(), z.unknown())),
});

export const category = z.object({ id: z.number().int().positive(), name: z.string().transform(decodeEntities) });

export const createdCategory = category.extend({ parent: z.number().int(), count: z.number().int() });

export const createdPost = z.object({ id: z.number().int().positive() });

export const post = z
  .object({
    id: z.number().int().positive(),
    status: z.string(),
    link: z.string(),
    slug: z.string(),
    modified_gmt: z.string(),
    title: z.object({ raw: z.string() }),
    content: z.object({ raw: z.string() }),
    categories: z.preprocess(listOfPhp, z.array(z.number())),
  })
  .transform(({ modified_gmt, title, content, ...rest }) => ({
    ...rest,
    modifiedGmt: modified_gmt,
    title: title.raw,
    content: content.raw,
  }));

export const foundPosts = z.array(z.object({ id: z.number().int().positive(), status: z.string() }));

export type WordPressCategory = z.infer<typeof category>;
export type WordPressPost = z.infer<typeof post>;

/** PHP writes a list with gaps as an object. */
function listOfPhp(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.values(value) : value;
}

/** PHP writes an empty record as a list. */
function recordOfPhp(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}
