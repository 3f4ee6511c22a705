import { CONTENT_STATUSES } from "@/lib/features/content/states";
import {
  knownStateOf,
  POST_STATES,
  postStateOf,
  rowActionOf,
  STEPS,
  type Step,
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
  ["unanswered", "other"],
  ["elsewhere", "other"],
])("maps the WordPress status %j to %s", (status, state) => {
  expect(postStateOf({ state: "found", status })).toBe(state);
});

it("maps a deleted post to gone", () => {
  expect(postStateOf({ state: "gone" })).toBe("gone");
});

it.each([
  ["a known post", { postId: "7", unansweredSince: null }, true, undefined],
  ["a known post with an open write", { postId: "7", unansweredSince: new Date() }, false, undefined],
  ["a creation without an answer", { postId: null, unansweredSince: new Date() }, true, "unanswered"],
  ["a post on another site", { postId: null, unansweredSince: null }, true, "elsewhere"],
  ["nothing here, and a post on another site", undefined, true, "elsewhere"],
  ["nothing at all", undefined, false, "none"],
] as const)("knows before it asks the site: %s", (_what, here, isElsewhere, state) => {
  expect(knownStateOf(here, isElsewhere)).toBe(state);
});

it("looks for a post before it decides, only where there may be one", () => {
  for (const steps of Object.values(STEPS)) {
    const looking = POST_STATES.filter((state) => (steps[state] as Step).looksFor);
    expect(looking).toEqual(["unanswered", "elsewhere"]);
  }
});

it.each(CONTENT_STATUSES)("%s: a row offers to update a live post, and to publish any other piece", (status) => {
  expect(rowActionOf({ status })).toBe(status === "wp_published" ? "update" : "publish");
});
