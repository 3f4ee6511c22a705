import { WP_PLACES } from "@/lib/features/content/rules";
import { CONTENT_STATUSES } from "@/lib/features/content/states";
import {
  AFTER_FAILED_WRITE,
  POST_STATES,
  PUBLISHING_STATUSES,
  postStateOf,
  rowActionOf,
  STEPS,
  type Step,
  statusHere,
} from "@/lib/features/publishing/states";

it.each([
  ["publish", "publish"],
  ["future", "future"],
  ["draft", "draft"],
  ["pending", "pending"],
  ["private", "private"],
  ["trash", "trash"],
  ["a plugin's own", "other"],
  ["", "other"],
  // Our own words, in case a plugin uses them too.
  ["none", "other"],
  ["gone", "other"],
])("maps the WordPress status %j to %s", (status, state) => {
  expect(postStateOf({ state: "found", status })).toBe(state);
});

it("maps a deleted post to gone", () => {
  expect(postStateOf({ state: "gone" })).toBe("gone");
});

it("defines a step of every verb for every state of a post, and sets only the statuses of publishing", () => {
  for (const steps of Object.values(STEPS)) {
    expect(Object.keys(steps)).toEqual([...POST_STATES]);
    for (const { becomes } of Object.values<Step>(steps))
      expect([undefined, ...PUBLISHING_STATUSES]).toContain(becomes);
  }
  expect(new Set(Object.values(AFTER_FAILED_WRITE))).toEqual(new Set(["wp_failed", "wp_published"]));
  expect(CONTENT_STATUSES).toEqual(expect.arrayContaining([...PUBLISHING_STATUSES]));
});

const placed = CONTENT_STATUSES.flatMap((status) => WP_PLACES.map((wpPlace) => ({ status, wpPlace })));

it.each(placed)(
  "$status at $wpPlace: a row shows the status unless the post is on another site, and updates a live post",
  (piece) => {
    const isElsewhere = piece.wpPlace === "elsewhere";
    expect(statusHere(piece)).toBe(isElsewhere ? "unpublished" : piece.status);
    expect(rowActionOf(piece)).toBe(piece.status === "wp_published" && !isElsewhere ? "update" : "publish");
  },
);
