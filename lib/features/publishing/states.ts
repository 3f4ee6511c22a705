import type { ErrorType } from "@/lib/errors";
import type { WpPlace } from "@/lib/features/content/rules";
import type { CONTENT_STATUSES } from "@/lib/features/content/states";

type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** Where the site has a piece's post: `none` was never made there, `other` is a status that a plugin made. */
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

/** What the site answered about a post. */
export function postStateOf(remote: { state: "gone" } | { state: "found"; status: string }): PostState {
  if (remote.state === "gone") return "gone";
  const { status } = remote;
  return POST_STATES.find((state) => state === status && !(state === "none" || state === "gone")) ?? "other";
}

/** What publishing may make of a piece. */
export const PUBLISHING_STATUSES = ["wp_published", "wp_draft", "wp_failed", "unpublished"] as const;
type PublishingStatus = (typeof PUBLISHING_STATUSES)[number];

/** What a verb does about a post in one state. What is refused changes nothing but what stands beside it. */
export type Step = {
  /** What the post becomes on the site, before the piece does; left out where nothing is sent. */
  sends?: "publish" | "draft";
  becomes?: PublishingStatus;
  /** The piece forgets the post: nothing of it is left on the site. */
  forgets?: true;
  refuses?: ErrorType;
};

const PUBLISHES: Step = { sends: "publish", becomes: "wp_published" };
const WITHDRAWS: Step = { sends: "draft", becomes: "wp_draft" };
const NOT_LIVE: Step = { becomes: "wp_draft" };
const TRASHED: Step = { becomes: "unpublished" };
const GONE: Step = { becomes: "unpublished", forgets: true };
const NOT_THERE: Step = { refuses: "NOT_ON_SITE" };

/** Every verb of publishing and what it does, whatever the piece's own status. */
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

/** The step of a verb about a post in this state. */
export function stepOf(verb: PublishingVerb, state: PostState): Step {
  return STEPS[verb][state];
}

/** What a publish makes of the piece whose write was refused or went unanswered: what is live stays so. */
export const AFTER_FAILED_WRITE = {
  draft: "wp_failed",
  review: "wp_failed",
  published: "wp_failed",
  unpublished: "wp_failed",
  wp_draft: "wp_failed",
  wp_published: "wp_published",
  wp_failed: "wp_failed",
} as const satisfies Record<ContentStatus, PublishingStatus>;

/** The one button of a piece's row in the publishing view. */
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

/** The piece's status as the person's site of today has it: one of another site comes to "unpublished" here. */
export function statusHere({ status, wpPlace }: Placed): ContentStatus {
  return wpPlace === "elsewhere" ? "unpublished" : status;
}

/** What a row offers: updating what is live on the person's site, publishing anything else. */
export function rowActionOf(piece: Placed): "publish" | "update" {
  return ROW_ACTIONS[statusHere(piece)];
}
