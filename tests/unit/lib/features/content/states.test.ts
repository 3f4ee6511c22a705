import {
  CONTENT_STATES,
  CONTENT_STATUSES,
  EDITABLE_STATUSES,
  isEditable,
  isLive,
  LIVE_STATUSES,
  statusChange,
} from "@/lib/features/content/states";

it("names each status in lists, and each post on the site, as specified", () => {
  const names = CONTENT_STATUSES.map((status) => CONTENT_STATES[status]).map(({ badge, site }) => [
    badge.label,
    site.label,
  ]);
  expect(names).toEqual([
    ["Draft", "Not Published"],
    ["Under Review", "Not Published"],
    ["Published", "Not Published"],
    ["Unpublished", "Not Published"],
    ["WordPress Draft", "Draft"],
    ["Published", "Published"],
    ["Failed", "Failed"],
  ]);
});

it("gives each filter and each editable status its own label", () => {
  const filters = CONTENT_STATUSES.map((status) => CONTENT_STATES[status].filter);
  expect(new Set(filters).size).toBe(CONTENT_STATUSES.length);
  expect(new Set(EDITABLE_STATUSES.map((status) => CONTENT_STATES[status].select)).size).toBe(EDITABLE_STATUSES.length);
});

it("lets only publishing set the statuses that a user cannot set", () => {
  const made = CONTENT_STATUSES.flatMap((status) => CONTENT_STATES[status].next.publishing);
  const others = CONTENT_STATUSES.filter((status) => !isEditable(status));
  expect(others).toEqual(["wp_draft", "wp_published", "wp_failed"]);
  expect(made).toEqual(expect.arrayContaining(others));
  expect(isEditable(undefined)).toBe(false);
});

it("locks a live piece", () => {
  expect(LIVE_STATUSES).toEqual(["wp_published"]);
  for (const status of CONTENT_STATUSES) {
    expect([status, isLive({ status })]).toEqual([status, status === "wp_published"]);
  }
});

it("lets a user keep a status or set one that may follow, and refuses others", () => {
  for (const status of CONTENT_STATUSES) {
    for (const wanted of CONTENT_STATUSES) {
      const follows = CONTENT_STATES[status].next.user.some((each) => each === wanted);
      const refused = LIVE_STATUSES.includes(status) ? "locked" : "forbidden";
      const change = wanted === status ? "keep" : follows ? "set" : refused;
      expect([status, wanted, statusChange({ status }, wanted)]).toEqual([status, wanted, change]);
    }
  }
});
