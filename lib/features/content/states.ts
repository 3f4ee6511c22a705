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

/** What a person may set by hand. */
export const EDITABLE_STATUSES = ["draft", "review", "published", "unpublished"] as const;
type EditableStatus = (typeof EDITABLE_STATUSES)[number];

/** What publishing may set; a trashed or deleted post leaves the piece unpublished. */
const OF_PUBLISHING = ["unpublished", "wp_draft", "wp_published", "wp_failed"] as const;

type ContentState = {
  /** In lists and in the editor's header. */
  badge: string;
  /** In the library's filter, where labels must be unique. */
  filter: string;
  /** In the editor's select; as specified, a wp_ status without its prefix. */
  select: string;
  /** On the publishing screen. */
  site: "Not Published" | "Draft" | "Published" | "Failed";
  /** Which statuses may follow, by who sets them. */
  next: { person: readonly EditableStatus[]; publishing: readonly ContentStatus[] };
};

const OPEN = { person: EDITABLE_STATUSES, publishing: OF_PUBLISHING };
/** A live piece has to be unpublished first; a failed update leaves it live. */
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

/** A person cannot change the status of a live piece with one of these. */
export const LOCKED_STATUSES = CONTENT_STATUSES.filter((status) => CONTENT_STATES[status].next.person.length === 0);

/** May a person set this status by hand? */
export function isEditable(status: unknown): status is EditableStatus {
  return EDITABLE_STATUSES.some((each) => each === status);
}

/** Is the piece public on the person's default site? */
export function isLive({ status }: { status: ContentStatus }): boolean {
  return LOCKED_STATUSES.includes(status);
}

export type StatusChange = "keep" | "set" | "locked" | "forbidden";

/** May a person set this status? The stored value is always accepted; a live piece is locked until it is unpublished. */
export function statusChange(piece: { status: ContentStatus }, wanted: ContentStatus): StatusChange {
  if (wanted === piece.status) return "keep";
  if (isLive(piece)) return "locked";
  return isEditable(wanted) ? "set" : "forbidden";
}
