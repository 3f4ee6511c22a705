/** @jest-environment jsdom */
import { render } from "@testing-library/react";
import { StatusBadge } from "@/components/shared/status-badge";
import {
  CONTENT_STATES,
  CONTENT_STATUSES,
  EDITABLE_STATUSES,
  isEditable,
  isLive,
  LOCKED_STATUSES,
  statusChange,
} from "@/lib/features/content/states";

it.each(CONTENT_STATUSES)("%s is called in badges what the table calls it", (status) => {
  const { badge, site } = CONTENT_STATES[status];
  expect(render(<StatusBadge status={status} />).container.textContent).toBe(badge);
  expect(render(<StatusBadge status={status} view="publishing" />).container.textContent).toBe(site);
});

it("no two filters are called the same, and no two of the statuses a person sets", () => {
  const filters = CONTENT_STATUSES.map((status) => CONTENT_STATES[status].filter);
  expect(new Set(filters).size).toBe(CONTENT_STATUSES.length);
  expect(new Set(EDITABLE_STATUSES.map((status) => CONTENT_STATES[status].select)).size).toBe(EDITABLE_STATUSES.length);
});

it("publishing alone makes the statuses a person does not set", () => {
  const made = CONTENT_STATUSES.flatMap((status) => CONTENT_STATES[status].next.publishing);
  const others = CONTENT_STATUSES.filter((status) => !isEditable(status));
  expect(others).toEqual(["wp_draft", "wp_published", "wp_failed"]);
  expect(made).toEqual(expect.arrayContaining(others));
  expect(isEditable(undefined)).toBe(false);
});

it("a live piece is locked, and only on the person's site of today", () => {
  expect(LOCKED_STATUSES).toEqual(["wp_published"]);
  for (const status of CONTENT_STATUSES) {
    for (const wpPlace of ["here", "unknown", "none"] as const) {
      expect([status, isLive({ status, wpPlace })]).toEqual([status, status === "wp_published"]);
    }
    expect([status, isLive({ status, wpPlace: "elsewhere" })]).toEqual([status, false]);
  }
});

it("by hand a status stays, becomes one of those that may follow, or is refused", () => {
  for (const status of CONTENT_STATUSES) {
    for (const wanted of CONTENT_STATUSES) {
      const follows = CONTENT_STATES[status].next.person.some((each) => each === wanted);
      const refused = LOCKED_STATUSES.includes(status) ? "locked" : "forbidden";
      const change = wanted === status ? "keep" : follows ? "set" : refused;
      expect([status, wanted, statusChange({ status, wpPlace: "here" }, wanted)]).toEqual([status, wanted, change]);
      const elsewhere = wanted === status ? "keep" : isEditable(wanted) ? "set" : "forbidden";
      expect(statusChange({ status, wpPlace: "elsewhere" }, wanted)).toBe(elsewhere);
    }
  }
});
