import "@/lib/utils/zod-config";
import { z } from "zod";
import { INT_ID, MAX_ID } from "@/lib/utils/ids";
import { MARKS_MAX } from "@/lib/utils/normal-form";
import { readText, type Unfit } from "@/lib/utils/text";

/** How much longer a text may be before it is normalised: decomposed, a Hangul syllable is three characters. */
const DECOMPOSED_TIMES = 4;

const UNFIT: Record<Unfit, string> = {
  characters: "This text has characters that cannot be stored.",
  marks: `This text has more than ${MARKS_MAX} accents or marks in a row. Delete some of them.`,
};

/** Texts that are trimmed before they are measured, with their least length: the API document says it with a pattern. */
export const trimmedTexts = z.registry<{ min: number }>();

/**
 * Text a person typed: trimmed, NFC, without what cannot be stored. Lengths are measured after trimming: first as it came,
 * since normalising costs time, then normalised.
 */
export function text(max: number, min = 0) {
  return (
    z
      .string()
      // For the API document: what comes in is a string of these bounds.
      .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
      .register(trimmedTexts, { min })
      .transform((value, context) => {
        const trimmed = value.trim();
        // Refused below, by its length.
        if (trimmed.length > DECOMPOSED_TIMES * max) return trimmed;
        const read = readText(trimmed, max);
        if ("text" in read) return read.text;
        context.addIssue(UNFIT[read.unfit]);
        return z.NEVER;
      })
      .pipe(z.string().min(min).max(max).register(trimmedTexts, { min }))
  );
}

const INVALID_ID = "Use a valid id.";

/** Integer id in a path or a query; anything else does not exist. */
export const intId = z.coerce
  .string()
  .regex(INT_ID, INVALID_ID)
  .transform(Number)
  .pipe(z.number(INVALID_ID).int().min(1).max(MAX_ID));

/** Integer id in a JSON body; `sentence` for whatever is wrong with it. */
export function bodyIntId(sentence = INVALID_ID) {
  return z.number(sentence).int().min(1).max(MAX_ID);
}

/** UUID as content, jobs, revisions and queue items have it. */
export const uuid = z.uuid();

/** A moment on its way out: a Date of the database or an ISO string, always an ISO 8601 string in UTC. */
export const isoDate = z.preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.iso.datetime());

/** An address on its way out to be a link: of the web, or null. A site or provider may have sent anything. */
export const webAddress = z.preprocess(
  (value) => (typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null),
  z.string().nullable(),
);

/** The body of a PATCH: at least one of its fields. Those named in `aside` change nothing by themselves. */
export function changeOf<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>, ...aside: (keyof Shape & string)[]) {
  const names = Object.keys(fields.shape).filter((name) => !aside.includes(name));
  return fields
    .partial()
    .refine((body: Record<string, unknown>) => names.some((name) => body[name] !== undefined), AT_LEAST_ONE)
    .meta({ anyOf: names.map((name) => ({ required: [name] })) });
}

const AT_LEAST_ONE = "Send at least one field to change.";

/** `limit` and `cursor` of a list; the cursor is opaque to callers. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  cursor: z.string().max(200).optional(),
};
