import { matching } from "@/components/projects/use-project-search";
import { checkedState, withChecked, withoutMissing } from "@/components/publishing/selection";
import { USER_ID } from "@/tests/support/user";

describe("checkboxes of the publishing tables", () => {
  it("shows all, some or none", () => {
    const selected = new Set(["a", "b"]);
    expect(checkedState(["a", "b"], selected)).toBe(true);
    expect(checkedState(["a", "c"], selected)).toBe("indeterminate");
    expect(checkedState(["c"], selected)).toBe(false);
    expect(checkedState([], selected)).toBe(false);
  });

  it("selects and clears a topic without touching the others", () => {
    const all = withChecked(new Set(["x"]), ["a", "b"], true);
    expect([...all].sort()).toEqual(["a", "b", "x"]);
    expect([...withChecked(all, ["a", "b"], false)]).toEqual(["x"]);
  });

  it("drops what is no longer there", () => {
    expect([...withoutMissing(new Set(["a", "gone"]), ["a", "b"])]).toEqual(["a"]);
  });
});

describe("search of the project picker", () => {
  const projects = [
    {
      id: 1,
      title: "Spring planting",
      description: null,
      userId: USER_ID,
      siteId: null,
      createdAt: "2026-11-21T00:00:00Z",
    },
    {
      id: 2,
      title: "Tools",
      description: "For SPRING work",
      userId: USER_ID,
      siteId: null,
      createdAt: "2026-11-21T00:00:00Z",
    },
  ];

  it("finds projects by title and description, ignoring case", () => {
    expect(matching(projects, "spring").map(({ id }) => id)).toEqual([1, 2]);
    expect(matching(projects, "planting").map(({ id }) => id)).toEqual([1]);
    expect(matching(projects, "nothing")).toEqual([]);
    expect(matching(projects, "")).toHaveLength(2);
  });
});
