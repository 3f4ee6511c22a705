import type { ErrorType } from "@/lib/errors";
import type { WpPlace } from "@/lib/features/content/rules";
import type { CONTENT_STATUSES } from "@/lib/features/content/states";

type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** The state of a piece's post on the site: `none` was never created, `other` is a plugin's status, `gone` was deleted. */
export const POST_STATES = [
  "none",
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
  return POST_STATES.find((state) => state === status && !(state === "none" || state === "gone")) ?? "other";
}

/** The statuses publishing may set. */
export const PUBLISHING_STATUSES = ["wp_published", "wp_draft", "wp_failed", "unpublished"] as const;
type PublishingStatus = (typeof PUBLISHING_STATUSES)[number];

/** What a verb does about a post in a given state. */
export type Step = {
  /** The status to send to the site, if any. */
  sends?: "publish" | "draft";
  becomes?: PublishingStatus;
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

/** What each verb does, whatever the piece's own status. */
export const STEPS = {
  publish: {
    none: PUBLISHES,
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

export type PublishingVerb = keyof typeof STEPS;

export function stepOf(verb: PublishingVerb, state: PostState): Step {
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
} as const satisfies Record<ContentStatus, PublishingStatus>;

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

type Placed = { status: ContentStatus; wpPlace: WpPlace };

/** The piece's status on the person's current site: published elsewhere is unpublished here. */
export function statusHere({ status, wpPlace }: Placed): ContentStatus {
  return wpPlace === "elsewhere" ? "unpublished" : status;
}

export function rowActionOf(piece: Placed): "publish" | "update" {
  return ROW_ACTIONS[statusHere(piece)];
}
