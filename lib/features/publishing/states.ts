import type { ErrorType } from "@/lib/errors";
import { type ContentStatus, isLive } from "@/lib/features/content/states";
import type { PostStatus } from "@/lib/features/sites/states";

/**
 * The state of a piece's post on a site. What we know: `none` was never created, `unanswered` may have been, `elsewhere` has a
 * post on another site, of which this one may be a copy. What the site says: its statuses, where `other` is a plugin's and
 * `gone` was deleted.
 */
export const POST_STATES = [
  "none",
  "unanswered",
  "elsewhere",
  "publish",
  "future",
  "draft",
  "pending",
  "private",
  "other",
  "trash",
  "gone",
] as const;
export type PostState = (typeof POST_STATES)[number];

export function postStateOf(remote: { state: "gone" } | { state: "found"; status: string }): PostState {
  if (remote.state === "gone") return "gone";
  const { status } = remote;
  return POST_STATES.find((state) => state === status && !NOT_STATUSES.includes(state)) ?? "other";
}

const NOT_STATUSES: PostState[] = ["none", "unanswered", "elsewhere", "gone"];

/** The state before the site is asked for the post; undefined: it has to be asked. */
export function knownStateOf(
  here: { postId: string | null; unansweredSince: Date | null } | undefined,
  isElsewhere: boolean,
): "none" | "unanswered" | "elsewhere" | undefined {
  if (here?.postId) return undefined;
  if (here?.unansweredSince) return "unanswered";
  return isElsewhere ? "elsewhere" : "none";
}

/** What a verb does about a post in a given state. */
export type Step = {
  /** First looks for the post on the site: under its marker, or as a copy of the one elsewhere. Then the next step counts. */
  looksFor?: "marker" | "copy";
  /** The status to send to the site, if any. */
  sends?: "publish" | "draft";
  becomes?: PostStatus;
  /** The piece forgets the post, which no longer exists. */
  forgets?: true;
  refuses?: ErrorType;
};

const PUBLISHES: Step = { sends: "publish", becomes: "wp_published" };
const WITHDRAWS: Step = { sends: "draft", becomes: "wp_draft" };
const NOT_LIVE: Step = { becomes: "wp_draft" };
const TRASHED: Step = { becomes: "unpublished" };
const GONE: Step = { becomes: "unpublished", forgets: true };
const NOT_THERE: Step = { refuses: "NOT_ON_SITE" };
const LOOKS: Step = { looksFor: "marker" };
const LOOKS_FOR_COPY: Step = { looksFor: "copy" };

/** What each verb does, whatever the piece's own status. */
export const STEPS = {
  publish: {
    none: PUBLISHES,
    unanswered: LOOKS,
    elsewhere: LOOKS_FOR_COPY,
    publish: PUBLISHES,
    future: PUBLISHES,
    draft: PUBLISHES,
    pending: PUBLISHES,
    private: PUBLISHES,
    other: PUBLISHES,
    trash: { refuses: "REMOTE_TRASHED" },
    gone: { ...GONE, refuses: "REMOTE_GONE" },
  },
  unpublish: {
    none: NOT_THERE,
    unanswered: LOOKS,
    elsewhere: LOOKS_FOR_COPY,
    publish: WITHDRAWS,
    future: WITHDRAWS,
    draft: NOT_LIVE,
    pending: WITHDRAWS,
    private: WITHDRAWS,
    other: WITHDRAWS,
    trash: TRASHED,
    gone: GONE,
  },
  sync: {
    none: NOT_THERE,
    unanswered: LOOKS,
    elsewhere: LOOKS_FOR_COPY,
    publish: { becomes: "wp_published" },
    future: NOT_LIVE,
    draft: NOT_LIVE,
    pending: NOT_LIVE,
    private: NOT_LIVE,
    other: NOT_LIVE,
    trash: TRASHED,
    gone: GONE,
  },
} satisfies Record<string, Record<PostState, Step>>;

/** What is done to one piece. */
export type Verb = keyof typeof STEPS;

export function stepOf(verb: Verb, state: PostState): Step {
  return STEPS[verb][state];
}

/** The status after a refused or unanswered write; a live piece stays live. */
export const AFTER_FAILED_WRITE = {
  draft: "wp_failed",
  review: "wp_failed",
  published: "wp_failed",
  unpublished: "wp_failed",
  wp_draft: "wp_failed",
  wp_published: "wp_published",
  wp_failed: "wp_failed",
} as const satisfies Record<ContentStatus, PostStatus>;

/** The button in a piece's row of the publishing view. */
export const ROW_ACTIONS = {
  draft: "publish",
  review: "publish",
  published: "publish",
  unpublished: "publish",
  wp_draft: "publish",
  wp_published: "update",
  wp_failed: "publish",
} as const satisfies Record<ContentStatus, "publish" | "update">;

export function rowActionOf({ status }: { status: ContentStatus }): "publish" | "update" {
  return ROW_ACTIONS[status];
}

/** Will the site publish the piece's post by itself, as far as we know? */
export function isScheduled({ wpPostStatus }: { wpPostStatus?: string | null }): boolean {
  return wpPostStatus === "future";
}

/** What a publishable piece counts as where projects are chosen. */
export type Readiness = "live" | "ready" | "failed";

export function readinessOf(piece: { status: ContentStatus }): Readiness {
  if (isLive(piece)) return "live";
  return piece.status === "wp_failed" ? "failed" : "ready";
}

/** What a publishing job does with all pieces of a project, or with those that the user selects. */
export const PROJECT_VERBS = ["publish_all", "update_all"] as const;
export const SELECTING_VERBS = ["publish_selected", "unpublish_selected"] as const;
export const BULK_VERBS = [...PROJECT_VERBS, ...SELECTING_VERBS] as const;
export type BulkVerb = (typeof BULK_VERBS)[number];
