import type { WpPlace } from "@/lib/features/content/rules";

/** All content statuses, in the order of the database's type. */
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

/** What a person may set by hand. */
export const EDITABLE_STATUSES = ["draft", "review", "published", "unpublished"] as const;
type EditableStatus = (typeof EDITABLE_STATUSES)[number];

/** What publishing makes of a piece; a post that is trashed or gone leaves it unpublished. */
const OF_PUBLISHING = ["unpublished", "wp_draft", "wp_published", "wp_failed"] as const;

type ContentState = {
  /** In lists and at the top of the editor. */
  badge: string;
  /** Among the library's filters, where no two may be called the same. */
  filter: string;
  /** In the editor's select: as specified, a wp_ status without its prefix. */
  select: string;
  /** On the publishing screen: where the piece stands on the site. */
  site: "Not Published" | "Draft" | "Published" | "Failed";
  /** Which statuses may follow, by who sets them; each may stay as it is. */
  next: { person: readonly EditableStatus[]; publishing: readonly ContentStatus[] };
};

const OPEN = { person: EDITABLE_STATUSES, publishing: OF_PUBLISHING };
/** While a piece is on the person's site of today: it is unpublished first, and an update that fails leaves it there. */
const LIVE = { person: [], publishing: ["unpublished", "wp_draft"] } as const;

export const CONTENT_STATES: Record<ContentStatus, ContentState> = {
  draft: { badge: "Draft", filter: "Draft", select: "Draft", site: "Not Published", next: OPEN },
  review: { badge: "Under Review", filter: "Under Review", select: "Under Review", site: "Not Published", next: OPEN },
  published: { badge: "Published", filter: "Published", select: "Published", site: "Not Published", next: OPEN },
  unpublished: {
    badge: "Unpublished",
    filter: "Unpublished",
    select: "Unpublished",
    site: "Not Published",
    next: OPEN,
  },
  wp_draft: { badge: "WordPress Draft", filter: "WordPress Draft", select: "Draft", site: "Draft", next: OPEN },
  wp_published: {
    badge: "Published",
    filter: "WordPress Published",
    select: "Published",
    site: "Published",
    next: LIVE,
  },
  wp_failed: { badge: "Failed", filter: "WordPress Failed", select: "Failed", site: "Failed", next: OPEN },
};

/** A live piece with one of these takes no status from a person. */
export const LOCKED_STATUSES = CONTENT_STATUSES.filter((status) => CONTENT_STATES[status].next.person.length === 0);

/** May a person set this status by hand? */
export function isEditable(status: unknown): status is EditableStatus {
  return EDITABLE_STATUSES.some((each) => each === status);
}

/** Is the piece on the person's site of today, for all to read? Its status is locked then. */
export function isLive({ status, wpPlace }: { status: ContentStatus; wpPlace: WpPlace }): boolean {
  return LOCKED_STATUSES.includes(status) && wpPlace !== "elsewhere";
}

export type StatusChange = "keep" | "set" | "locked" | "forbidden";

/**
 * May this status follow by hand? The stored value is always accepted and changes nothing; a piece that is live
 * on the person's site is locked until it is unpublished; a value of publishing's cannot be set.
 */
export function statusChange(piece: { status: ContentStatus; wpPlace: WpPlace }, wanted: ContentStatus): StatusChange {
  if (wanted === piece.status) return "keep";
  if (isLive(piece)) return "locked";
  return isEditable(wanted) ? "set" : "forbidden";
}
