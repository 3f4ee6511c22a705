import { POST_STATUSES } from "@/lib/features/sites/states";
import type { PieceStep } from "@/lib/features/topics/rules";

/** All content statuses, in the order of the database enum. */
export const CONTENT_STATUSES = [
  "draft",
  "review",
  "published",
  "unpublished",
  "wp_draft",
  "wp_published",
  "wp_failed",
] as const;
export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** What a user may set by hand. */
export const EDITABLE_STATUSES = ["draft", "review", "published", "unpublished"] as const;
type EditableStatus = (typeof EDITABLE_STATUSES)[number];

type ContentState = {
  /** The badge in lists and in the editor's header. */
  badge: { label: string; look: "new" | "review" | "ready" | "withdrawn" | "waiting" | "live" | "problem" };
  /** The label in the library's filter, where labels must be unique. */
  filter: string;
  /** The label in the editor's select; as specified, a wp_ status without its prefix. */
  select: string;
  /** What the publishing screen shows. */
  site: (typeof ON_SITE)[keyof typeof ON_SITE];
  /** Which statuses may follow, by who sets them. */
  next: { user: readonly EditableStatus[]; publishing: readonly ContentStatus[] };
};

const ON_SITE = {
  none: { label: "Not Published", look: "none" },
  draft: { label: "Draft", look: "waiting" },
  live: { label: "Published", look: "live" },
  failed: { label: "Failed", look: "problem" },
} as const;

const OPEN = { user: EDITABLE_STATUSES, publishing: POST_STATUSES };
/** A live piece has to be unpublished first; a failed update leaves it live. */
const LIVE = { user: [], publishing: ["unpublished", "wp_draft"] } as const;

export const CONTENT_STATES: Record<ContentStatus, ContentState> = {
  draft: {
    badge: { label: "Draft", look: "new" },
    filter: "Draft",
    select: "Draft",
    site: ON_SITE.none,
    next: OPEN,
  },
  review: {
    badge: { label: "Under Review", look: "review" },
    filter: "Under Review",
    select: "Under Review",
    site: ON_SITE.none,
    next: OPEN,
  },
  published: {
    badge: { label: "Published", look: "ready" },
    filter: "Published",
    select: "Published",
    site: ON_SITE.none,
    next: OPEN,
  },
  unpublished: {
    badge: { label: "Unpublished", look: "withdrawn" },
    filter: "Unpublished",
    select: "Unpublished",
    site: ON_SITE.none,
    next: OPEN,
  },
  wp_draft: {
    badge: { label: "WordPress Draft", look: "waiting" },
    filter: "WordPress Draft",
    select: "Draft",
    site: ON_SITE.draft,
    next: OPEN,
  },
  wp_published: {
    badge: { label: "Published", look: "live" },
    filter: "WordPress Published",
    select: "Published",
    site: ON_SITE.live,
    next: LIVE,
  },
  wp_failed: {
    badge: { label: "Failed", look: "problem" },
    filter: "WordPress Failed",
    select: "Failed",
    site: ON_SITE.failed,
    next: OPEN,
  },
};

/** The piece is public on the user's default site, and the user cannot change its status. */
export const LIVE_STATUSES = CONTENT_STATUSES.filter((status) => CONTENT_STATES[status].next.user.length === 0);

/** May a user set this status by hand? */
export function isEditable(status: unknown): status is EditableStatus {
  return EDITABLE_STATUSES.some((each) => each === status);
}

/** Is the piece public on the user's default site? */
export function isLive({ status }: { status: ContentStatus }): boolean {
  return LIVE_STATUSES.includes(status);
}

/** The furthest step that a piece has reached. AT_STEP of topics says the same in SQL. */
export function stepOf(piece: { status: ContentStatus; hasBody: boolean; hasOutline: boolean }): PieceStep {
  if (isLive(piece)) return "live";
  if (piece.hasBody) return "text";
  return piece.hasOutline ? "outline" : "idea";
}

export type StatusChange = "keep" | "set" | "locked" | "forbidden";

/** May a user set this status? The stored value is always accepted; a live piece is locked until it is unpublished. */
export function statusChange(piece: { status: ContentStatus }, wanted: ContentStatus): StatusChange {
  if (wanted === piece.status) return "keep";
  if (isLive(piece)) return "locked";
  return isEditable(wanted) ? "set" : "forbidden";
}
