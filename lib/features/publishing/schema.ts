import { z } from "zod";
import { ERROR_TYPES } from "@/lib/errors";
import { MAX_PIECES } from "@/lib/features/content/rules";
import { contentOut } from "@/lib/features/content/schema";
import { MAX_COMPARED, MAX_REVIEWED } from "@/lib/features/publishing/rules";
import { BULK_VERBS, PROJECT_VERBS, SELECTING_VERBS } from "@/lib/features/publishing/states";
import { siteAnswer } from "@/lib/features/sites/schema";
import { processingStatus } from "@/lib/features/work/schema";
import { bodyIntId, isoDate, pageQuery, text, uuid, webUrl } from "@/lib/utils/zod";

export const CATEGORY_MAX = 200;
/** Topics that one call chooses categories for. */
const MAX_CHOSEN = 100;
const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/** Ids of pieces in a query, separated by commas. */
function pieceIds(max: number) {
  return z
    .string()
    .regex(new RegExp(`^${UUID}(?:,${UUID}){0,${max - 1}}$`), `Use at most ${max} valid ids, separated by commas.`)
    .transform((ids) => ids.split(","));
}

const categoryId = z
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
  .transform((value) => String(value));

/** The category by id, else by name, else the piece's own on this site, else the topic's. Ids may be numbers or strings. */
export const publishInput = z
  .object({
    categoryId: categoryId.nullish(),
    categoryName: text(CATEGORY_MAX).nullish(),
    /** Use the topic's category, even if the piece has another one on the site. */
    byTopic: z.boolean().optional(),
    /** Overwrite a post that was edited on the site. */
    force: z.boolean().optional(),
    /** Make a post live that the site has scheduled. */
    now: z.boolean().optional(),
    site: siteAnswer,
  })
  .default({});

export const syncOut = contentOut.extend({ remoteChanged: z.boolean() });

export const publishResult = z.object({
  contentId: z.uuid(),
  title: z.string(),
  success: z.boolean(),
  unchanged: z.boolean().optional(),
  wpPostId: z.string().nullish(),
  wpPermalink: webUrl.optional(),
  /** As in a piece: what the site calls a post that is not live, and when it will publish it. */
  wpPostStatus: z.string().optional(),
  wpPostDate: isoDate.nullish(),
  error: z.string().optional(),
  detail: z.string().optional(),
  type: z.enum([...ERROR_TYPES, "TIME_BUDGET"]).optional(),
});
export const publishAllOut = z.object({
  results: z.array(publishResult),
  totalProcessed: z.number().int(),
  /** The job that goes on with the pieces reported as TIME_BUDGET. */
  jobId: z.uuid().optional(),
});

/**
 * Which of the site's categories of a topic's name the topic is, for its pieces without one of their own. Publishing finds
 * one itself where the site has no such category.
 */
const topicCategories = z
  .array(z.object({ topicId: bodyIntId(), categoryId }))
  .max(MAX_CHOSEN)
  .optional();

/** The whole project, or the pieces that the user has selected. */
export const startPublishingInput = z.discriminatedUnion("verb", [
  z.object({
    verb: z.enum(PROJECT_VERBS),
    /** Pieces of the project that stay as they are. */
    except: z.array(uuid).max(MAX_PIECES).optional(),
    categories: topicCategories,
    site: siteAnswer,
  }),
  z.object({
    verb: z.enum(SELECTING_VERBS),
    contentIds: z.array(uuid).min(1, "Select at least one content piece.").max(MAX_PIECES),
    categories: topicCategories,
    site: siteAnswer,
  }),
]);

/** `joined`: the project's running job took the pieces in. */
export const startedPublishingOut = z.object({ message: z.string(), jobId: z.uuid(), joined: z.boolean() });

export const publishingJobOut = z
  .object({
    id: z.uuid(),
    projectId: z.number().int(),
    verb: z.enum(BULK_VERBS),
    status: processingStatus,
    totalItems: z.number().int(),
    /** Published, updated, unpublished or left as they were. */
    completedItems: z.number().int(),
    /** The completed ones that needed no write. */
    unchangedItems: z.number().int(),
    /** The completed ones whose posts are live; a site may schedule a post or keep it for review. */
    liveItems: z.number().int(),
    failedItems: z.number().int(),
    cancelledItems: z.number().int(),
    /** Why the first failed one did. */
    firstFailure: z.string().nullable(),
    cancelRequestedAt: isoDate.nullable(),
    /** Why the site could not be reached last; the job tries again. */
    error: z.string().nullable(),
    errorType: z.enum(ERROR_TYPES).nullable().catch(null),
    startedAt: isoDate.nullable(),
    completedAt: isoDate.nullable(),
    createdAt: isoDate,
  })
  .meta({ id: "PublishingJob" });

/** The newest jobs of all projects. */
export const recentPublishingOut = publishingJobOut.extend({ projectTitle: z.string() }).array();

/** The project's latest job; null before its first. */
export const latestPublishingOut = z.object({
  job: publishingJobOut.nullable(),
  /** When the job engine went away; a waiting job starts when it is back. */
  engineAwaySince: isoDate.nullable(),
});

/** Publishable pieces of each project; one without any is left out. */
export const publishingCountsOut = z
  .object({
    projectId: z.number().int(),
    live: z.number().int(),
    ready: z.number().int(),
    failed: z.number().int(),
  })
  .meta({ id: "PublishingCounts" })
  .array();

export const listCategoriesQuery = z.object({
  siteId: uuid.optional().meta({ description: "One of your sites; by default, your default site." }),
  cursor: pageQuery.cursor,
});

export const publishingResultsQuery = z.object({
  status: processingStatus.optional(),
  limit: pageQuery.limit,
  cursor: pageQuery.cursor,
});

/** What a job does, what is counted of its items, and what an item says; see lib/features/work. */
export const jobInput = z.object({
  verb: z.enum(BULK_VERBS),
  /** Where its pieces go, also if the project moves meanwhile; a job of the release before has none. */
  siteId: z.uuid().optional(),
});
export const jobFacts = z.object({
  unchangedItems: z.number().int(),
  liveItems: z.number().int(),
  firstFailure: z.string().nullable(),
});
export const itemResult = z.object({
  title: z.string(),
  /** What the user has chosen for the piece's topic. */
  categoryId: z.string().optional(),
  /** The job has written the post, also if a later look needed no write. */
  isWritten: z.boolean().optional(),
  type: z.string().nullable().default(null),
  detail: z.string().nullable().default(null),
  wpPostId: z.string().nullable().default(null),
  wpPermalink: z.string().nullable().default(null),
  wpPostStatus: z.string().nullable().default(null),
  wpPostDate: z
    .string()
    .transform((date) => new Date(date))
    .nullable()
    .default(null),
});

export const publishingResultOut = z
  .object({
    contentId: z.uuid(),
    title: z.string(),
    status: processingStatus,
    unchanged: z.boolean(),
    error: z.string().nullable(),
    detail: z.string().nullable(),
    type: z.enum(ERROR_TYPES).nullable(),
    wpPostId: z.string().nullable(),
    wpPermalink: webUrl,
    wpPostStatus: z.string().nullable(),
    wpPostDate: isoDate.nullable(),
  })
  .meta({ id: "PublishingResult" });

/** What readers see of a block: its kind, such as "Table", and its text. */
const seenBlock = z.object({ kind: z.string(), text: z.string() });

/** What the next update changes in a live post beyond the user's edit: blocks that take the place of others. */
export const renderingChangesOut = z
  .object({
    changes: z.array(z.object({ before: z.array(seenBlock), after: z.array(seenBlock) })),
    /** How many changes are left out. */
    more: z.number().int(),
    /** The text of the last update is not known any more, so the user's own edits are among the changes. */
    includesEdits: z.boolean(),
  })
  .meta({ id: "RenderingChanges" });

/** `contentIds`: the selected pieces, separated by commas; without it the whole project. */
export const projectRenderingChangesQuery = z.object({
  contentIds: pieceIds(MAX_COMPARED).optional(),
});

/** The live posts that an update changes beyond the user's edits. */
export const projectRenderingChangesOut = z
  .object({
    pieces: z.array(z.object({ id: z.uuid(), title: z.string() })),
    /** There were too many to compare them all. */
    more: z.boolean(),
    /** Posts whose last text is not known any more, or is too complex today. */
    uncompared: z.number().int(),
  })
  .meta({ id: "ProjectRenderingChanges" });

export const reviewsQuery = z.object({ ids: pieceIds(MAX_REVIEWED) });

const findingOut = z.object({
  kind: z.string(),
  sentence: z.string(),
  /** A first publish waits for the user's word. */
  holds: z.boolean(),
});

/** What a worker says of a text. */
export const reviewedText = z.object({
  /** How much of the text its readers will not get, a hundred at most. */
  losses: z.number().int(),
  /** 0 to 100; null where no rule could judge. */
  score: z.number().int().nullable(),
  /** What may be unfinished: the first of them, with those that hold before the others. */
  findings: z.array(findingOut),
  /** How many there are in all, and how many of them hold. */
  found: z.number().int(),
  holding: z.number().int(),
  /** How many links lead to other sites, and where on the own site the others lead. */
  outbound: z.number().int(),
  internal: z.array(z.string()),
});

/** A piece is left out if nothing is known of it (yet). */
export const reviewsOut = reviewedText
  .extend({
    id: z.uuid(),
    focusKeyword: z.string().nullable(),
    /** As the user wrote it. */
    slug: z.string().nullable(),
    /** Others of the project with the same title, or with a focus keyword like this one. */
    rivals: z.array(z.object({ title: z.string(), focusKeyword: z.string().nullable() })),
  })
  .meta({ id: "Review" })
  .array();

/** `parent`: the id of the category that it is below; 0 at the top. */
export const categoryOut = z.object({ id: z.number().int(), name: z.string(), parent: z.number().int() });

/** What the work on an item adds to what it says. */
export type ItemResult = Omit<z.input<typeof itemResult>, "title" | "categoryId">;
export type PublishingCounts = z.infer<typeof publishingCountsOut>[number];
export type JobInput = z.infer<typeof jobInput>;
export type PublishInput = z.infer<typeof publishInput>;
export type PublishResult = z.infer<typeof publishResult>;
export type PublishAllOut = z.infer<typeof publishAllOut>;
export type StartPublishingInput = z.infer<typeof startPublishingInput>;
export type LatestPublishingOut = z.infer<typeof latestPublishingOut>;
export type PublishingJobOut = z.infer<typeof publishingJobOut>;
export type RecentPublishingJob = z.infer<typeof recentPublishingOut>[number];
export type PublishingResultOut = z.infer<typeof publishingResultOut>;
export type ListCategoriesQuery = z.infer<typeof listCategoriesQuery>;
export type RenderingChanges = z.infer<typeof renderingChangesOut>;
export type ProjectRenderingChangesQuery = z.infer<typeof projectRenderingChangesQuery>;
export type ProjectRenderingChanges = z.infer<typeof projectRenderingChangesOut>;
export type ReviewsQuery = z.infer<typeof reviewsQuery>;
export type ReviewOut = z.infer<typeof reviewsOut>[number];
export type CategoryOut = z.infer<typeof categoryOut>;
