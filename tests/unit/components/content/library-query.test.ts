import { addressOf, filtersOf } from "@/components/content/library-query";

it("reads the filters in an address, and leaves out invalid ones", () => {
  const address = { search: " peat ", projectId: "3", topicId: "7", status: "review", step: "text", newerHere: "true" };
  expect(filtersOf(address)).toEqual({ ...address, search: "peat", projectId: 3, topicId: 7 });
  expect(filtersOf({ search: "x".repeat(301), projectId: "-1", status: "done", page: "2" })).toEqual({});
  expect(filtersOf({ topicId: "7.5", step: "texts", newerHere: "1" })).toEqual({});
  expect(filtersOf({ search: ["a", "b"], projectId: "99999999999" })).toEqual({});
  expect(filtersOf({ search: "  " })).toEqual({});
});

it("writes an address that reads back the same", () => {
  const filters = {
    search: "50 % & more",
    projectId: 3,
    topicId: 7,
    status: "wp_failed",
    step: "live",
    newerHere: "true",
  } as const;
  expect(filtersOf(Object.fromEntries(new URLSearchParams(addressOf(filters))))).toEqual(filters);
  expect(addressOf({ search: "" })).toBe("");
});
