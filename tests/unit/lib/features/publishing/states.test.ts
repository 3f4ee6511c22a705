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
  // Words of ours, should a plugin have them too.
  ["none", "other"],
  ["gone", "other"],
])("a post whose status is %j is %s to us", (status, state) => {
  expect(postStateOf({ state: "found", status })).toBe(state);
});

it("a post that is no more is gone", () => {
  expect(postStateOf({ state: "gone" })).toBe("gone");
});

it("every verb knows what it does about a post in every state, and makes of the piece only what publishing may", () => {
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
  "$status at $wpPlace: a row shows the status unless it is another site's, and updates what is live",
  (piece) => {
    const isElsewhere = piece.wpPlace === "elsewhere";
    expect(statusHere(piece)).toBe(isElsewhere ? "unpublished" : piece.status);
    expect(rowActionOf(piece)).toBe(piece.status === "wp_published" && !isElsewhere ? "update" : "publish");
  },
);
