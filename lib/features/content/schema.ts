import { z } from "zod";
import {
  BODY_MAX,
  EXCERPT_MAX,
  KEYWORD_MAX,
  META_DESCRIPTION_MAX,
  META_TITLE_MAX,
  OUTLINE_MAX,
  SEARCH_MAX,
  SLUG_MAX,
  TITLE_MAX,
  WP_PLACES,
} from "@/lib/features/content/rules";
import { CONTENT_STATUSES, EDITABLE_STATUSES } from "@/lib/features/content/states";
import { PIECE_STEPS } from "@/lib/features/topics/rules";
import { MAX_ID } from "@/lib/utils/ids";
import { typedSlug } from "@/lib/utils/slug";
import { intId, isoDate, pageQuery, patchInput, text, webUrl } from "@/lib/utils/zod";

export const contentStatus = z.enum(CONTENT_STATUSES);

export const createContentInput = z.object({ title: text(TITLE_MAX, 1), body: text(BODY_MAX).optional() });

/** An empty text is null. */
function optionalText(max: number) {
  return text(max)
    .nullable()
    .transform((value) => value || null);
}

const NO_SLUG = "A slug needs letters or digits, such as raised-beds.";
const LONG_SLUG = "This slug is too long: WordPress would shorten it. Take fewer words.";

/** What stands beside the text. It changes without a new version, and revisions do not have it. */
export const pieceFields = z.object({
  focusKeyword: optionalText(KEYWORD_MAX),
  metaTitle: optionalText(META_TITLE_MAX),
  metaDescription: optionalText(META_DESCRIPTION_MAX),
  slug: optionalText(SLUG_MAX)
    .transform((value, context) => {
      const slug = value && typedSlug(value);
      if (slug === undefined || (value && !slug)) context.addIssue(slug === undefined ? LONG_SLUG : NO_SLUG);
      return slug || null;
    })
    .meta({
      description: "The end of the post's address. It is stored as WordPress writes it: Raised Beds as raised-beds.",
    }),
  excerpt: optionalText(EXCERPT_MAX),
});
export type PieceFields = z.infer<typeof pieceFields>;

export const updateContentInput = patchInput(
  z.object({
    ...pieceFields.shape,
    title: text(TITLE_MAX, 1),
    body: text(BODY_MAX),
    outline: text(OUTLINE_MAX).nullable(),
    status: contentStatus.meta({
      enum: EDITABLE_STATUSES,
      description: "One of these, or the status the piece has. Publishing alone sets the others.",
    }),
    isOutline: z.boolean(),
    isTitleOnly: z.boolean(),
    /** The version this change is based on; without it the change wins, and what it replaced stays as a revision. */
    version: z.number().int().min(1).max(MAX_ID),
  }),
  "version",
);

export const listContentQuery = z.object({
  search: text(SEARCH_MAX).optional(),
  projectId: intId.optional(),
  topicId: intId.optional(),
  status: contentStatus.optional(),
  step: z
    .enum(PIECE_STEPS)
    .optional()
    .meta({ description: "The furthest step that the pieces have reached, as a topic counts them." }),
  newerHere: z
    .literal("true")
    .optional()
    .meta({ description: "Live pieces alone whose text was changed since it was sent to the site." }),
  ...pageQuery,
});
export const contentPageQuery = z.object(pageQuery);
export const contentGroupsQuery = listContentQuery.omit({ limit: true });

/** A piece in a list: without body and outline. */
export const contentSummaryOut = z
  .object({
    id: z.uuid(),
    projectId: z.number().int(),
    topicId: z.number().int(),
    title: z.string(),
    status: contentStatus,
    isTitleOnly: z.boolean(),
    isOutline: z.boolean(),
    hasBody: z.boolean(),
    hasOutline: z.boolean(),
    wordCount: z.number().int(),
    /** The length as authors count it, also in scripts without spaces; null while it is not counted yet. */
    lengthInWords: z.number().int().nullable(),
    version: z.number().int(),
    /** "elsewhere" leaves out the seven members below, "unknown" the category. */
    wpPlace: z.enum(WP_PLACES).default("none"),
    wpPostId: z.string().nullable(),
    wpPermalink: webUrl,
    /** What the site calls a post that is not live: `draft`, `future`, `pending`, `private` or a plugin's status. */
    wpPostStatus: z.string().nullable(),
    /** When the site will publish it, if it is scheduled. */
    wpPostDate: isoDate.nullable(),
    wpCategoryId: z.string().nullable(),
    wpCategoryName: z.string().nullable(),
    publishError: z.string().nullable(),
    /** It is live, and its title or body differs from what was sent to the site last. */
    isNewerHere: z.boolean().default(false),
    lastSyncedAt: isoDate.nullable(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: "ContentSummary" });

export const contentOut = contentSummaryOut
  .extend({
    body: z.string(),
    outline: z.string().nullable(),
    focusKeyword: z.string().nullable(),
    metaTitle: z.string().nullable(),
    metaDescription: z.string().nullable(),
    slug: z.string().nullable(),
    excerpt: z.string().nullable(),
    intent: z.string().nullable(),
    angle: z.string().nullable(),
    /** A direct AI call is writing it; the queue reports its own work. */
    isBeingWritten: z.boolean().default(false),
    /** The site's answers have shown no SEO title, meta description or focus keyword that it would take. */
    lacksSearchFields: z.boolean().default(false),
  })
  .meta({ id: "Content" });

export const contentGroupOut = z
  .object({
    projectId: z.number().int(),
    title: z.string(),
    count: z.number().int(),
    topics: z.array(z.object({ topicId: z.number().int(), name: z.string(), count: z.number().int() })),
  })
  .meta({ id: "ContentGroup" });

const neighbourOut = z.object({ id: z.uuid(), title: z.string() });

/** The pieces beside one, in the order in which its topic lists them; null at an end. */
export const neighboursOut = z
  .object({ topicId: z.number().int(), previous: neighbourOut.nullable(), next: neighbourOut.nullable() })
  .meta({ id: "Neighbours" });

/** A revision in a list: without body and outline. */
export const revisionSummaryOut = z
  .object({
    id: z.uuid(),
    version: z.number().int().nullable(),
    author: z.enum(["user", "ai", "import"]),
    title: z.string(),
    wordCount: z.number().int(),
    /** The start of the body, else of the outline; null when there is neither. */
    excerpt: z.object({ of: z.enum(["body", "outline"]), text: z.string() }).nullable(),
    model: z.string().nullable(),
    promptVersion: z.string().nullable(),
    createdAt: isoDate,
  })
  .meta({ id: "RevisionSummary" });

export const revisionOut = revisionSummaryOut
  .extend({ body: z.string(), outline: z.string().nullable() })
  .meta({ id: "Revision" });

export type CreateContentInput = z.infer<typeof createContentInput>;
export type UpdateContentInput = z.infer<typeof updateContentInput>;
export type PageQuery = z.infer<typeof contentPageQuery>;
export type ListContentQuery = z.infer<typeof listContentQuery>;
export type ContentGroupsQuery = z.infer<typeof contentGroupsQuery>;
export type ContentSummary = z.infer<typeof contentSummaryOut>;
export type ContentOut = z.infer<typeof contentOut>;
export type ContentGroup = z.infer<typeof contentGroupOut>;
export type Neighbours = z.infer<typeof neighboursOut>;
export type RevisionSummary = z.infer<typeof revisionSummaryOut>;
export type RevisionOut = z.infer<typeof revisionOut>;
