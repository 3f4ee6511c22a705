import "@/lib/utils/zod-config";
import { z } from "zod";
import { MAX_ID, parseIntId } from "@/lib/utils/ids";
import { MARKS_MAX } from "@/lib/utils/normal-form";
import { DESCRIPTION_START, normalizeText, type Unfit } from "@/lib/utils/text";

/** Decomposed, a Hangul syllable is three characters. */
const DECOMPOSED_TIMES = 4;

const UNFIT: Record<Unfit, string> = {
  characters: "This text has characters that cannot be stored.",
  marks: `This text has more than ${MARKS_MAX} accents or marks in a row. Delete some of them.`,
};

/** Trimmed texts with their minimum length: the API document shows it as a pattern. */
export const trimmedTexts = z.registry<{ min: number }>();

/**
 * Text a user typed: trimmed, NFC, storable. Normalising costs time, so a text of more than four times its limit is
 * refused before it. Below that it may be in decomposed letters, which are longer than what is stored.
 */
export function text(max: number, min = 0) {
  return (
    z
      .string()
      // The API document shows these.
      .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
      .register(trimmedTexts, { min })
      .transform((value, context) => {
        const trimmed = value.trim();
        // It is rejected below for its length.
        if (trimmed.length > DECOMPOSED_TIMES * max) return trimmed;
        const read = normalizeText(trimmed, max);
        if ("text" in read) return read.text;
        context.addIssue(UNFIT[read.unfit]);
        return z.NEVER;
      })
      .pipe(z.string().min(min).max(max).register(trimmedTexts, { min }))
  );
}

const INVALID_ID = "Use a valid id.";

/** An integer id in a path or query. */
export const intId = z.preprocess((value) => parseIntId(String(value)), z.number(INVALID_ID).int().min(1).max(MAX_ID));

/** An integer id in a JSON body. */
export function bodyIntId(sentence = INVALID_ID) {
  return z.number(sentence).int().min(1).max(MAX_ID);
}

/** The id of content, jobs, revisions and queue items. */
export const uuid = z.uuid();

/** Output: a Date or an ISO string, always as ISO 8601 in UTC. */
export const isoDate = z.preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.iso.datetime());

/** Output of a link: http(s) or null, since a site or provider may have sent anything. */
export const webUrl = z.preprocess(
  (value) => (typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null),
  z.string().nullable(),
);

/** The body of a PATCH: at least one field. Those in `aside` do not count. */
export function patchInput<Shape extends z.ZodRawShape>(
  fields: z.ZodObject<Shape>,
  ...aside: (keyof Shape & string)[]
) {
  const names = Object.keys(fields.shape).filter((name) => !aside.includes(name));
  return (
    fields
      .partial()
      .refine((body: Record<string, unknown>) => names.some((name) => body[name] !== undefined), AT_LEAST_ONE)
      // This is inside allOf, because generated clients take an anyOf beside properties for a union, and lose the properties.
      .meta({ allOf: [{ anyOf: names.map((name) => ({ required: [name] })) }] })
  );
}

const AT_LEAST_ONE = "Send at least one field to change.";

/** Asks a list for the starts of its descriptions; without it they are whole. */
export const descriptionQuery = {
  description: z
    .literal(String(DESCRIPTION_START))
    .transform(() => DESCRIPTION_START)
    .optional()
    .meta({
      description: `Answers the first ${DESCRIPTION_START} characters of descriptions, and descriptionCut, which says whether there are more.`,
    }),
};

/** Whether a description in a list goes on. It is absent where descriptions are whole. */
export const descriptionCut = z.boolean().optional();

/** The cursor is opaque to callers. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  cursor: z.string().max(200).optional(),
};
