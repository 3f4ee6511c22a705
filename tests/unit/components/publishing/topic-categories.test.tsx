/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import type { ContentSummary } from "@/lib/features/content/schema";
import { aSummary, aTopic } from "@/tests/support/pieces";
import { jobServer, openPublishing, type Table } from "@/tests/support/publishing-screen";
import { pendingAnswer } from "@/tests/support/render";

const CATEGORIES = [
  { id: 30, name: "Company", parent: 0 },
  { id: 31, name: "seeds", parent: 30 },
  { id: 32, name: "Seeds ", parent: 0 },
  { id: 42, name: "Compost", parent: 31 },
  { id: 41, name: "Compost", parent: 30 },
];
const TWO = [aSummary({ id: "a", title: "Sowing" }), aSummary({ id: "c", title: "Turning", topicId: 8 })];
const ON_SITE = { wpPlace: "here", wpCategoryName: "seeds", wpCategoryId: "31" } as const;

const button = (name: string) => screen.getByRole("button", { name });
const dialog = () => within(screen.getByRole("alertdialog"));
const field = (topic: string) => dialog().getByRole("combobox", { name: topic });

/** Presses the button that asks about all pieces, or about the selected ones. */
async function ask(pieces: ContentSummary[], { selected, table }: { selected?: string[]; table?: Table } = {}) {
  const opened = await openPublishing(
    { ...jobServer().table, "GET /api/wordpress/categories": () => ({ json: CATEGORIES }), ...table },
    pieces,
  );
  const { user } = opened;
  for (const title of selected ?? []) await user.click(screen.getByRole("checkbox", { name: `Select “${title}”` }));
  await user.click(button(selected ? `Publish Selected (${selected.length})` : "Publish All Content"));
  const confirm = async () => {
    await user.click(dialog().getByRole("button", { name: selected ? "Publish Selected" : "Publish All" }));
    await waitFor(() => expect(opened.posts()).toHaveLength(1));
    return opened.posts()[0]?.body;
  };
  const isSiteRead = () => opened.calls.some(({ url }) => url === "/api/wordpress/categories");
  return { ...opened, confirm, isSiteRead };
}

describe("the question about many pieces whose topics’ names several of the site’s categories have", () => {
  it("offers those of each topic, the one at the top first, else the oldest, and sends what is chosen", async () => {
    const { user, confirm } = await ask(TWO);
    await waitFor(() => expect(field("Seeds")).toHaveTextContent("Seeds (top level)"));
    expect(field("Compost")).toHaveTextContent("Compost (in Company)");
    expect(dialog().getByText(/with each of these topics’ names/)).toBeVisible();
    await user.click(field("Seeds"));
    expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).toEqual([
      "Seeds  (top level)",
      "seeds (in Company)",
    ]);
    await user.click(screen.getByRole("option", { name: "seeds (in Company)" }));
    expect(await confirm()).toEqual({
      verb: "publish_all",
      categories: [
        { topicId: 7, categoryId: "31" },
        { topicId: 8, categoryId: "41" },
      ],
    });
  });

  it("asks about the topics of the selected pieces alone", async () => {
    const { confirm } = await ask(TWO, { selected: ["Turning"] });
    expect(await dialog().findByText(/with this topic’s name/)).toBeVisible();
    expect(dialog().getAllByRole("combobox")).toHaveLength(1);
    expect(await confirm()).toEqual({
      verb: "publish_selected",
      contentIds: ["c"],
      categories: [{ topicId: 8, categoryId: "41" }],
    });
  });

  it("asks nothing about a topic whose pieces have a category, nor about a name that one category has", async () => {
    const placed = aSummary({ id: "b", title: "Watering", ...ON_SITE, wpCategoryId: "50", wpCategoryName: "Guides" });
    const table = { "GET /api/wordpress/categories": () => ({ json: CATEGORIES.slice(0, 4) }) };
    const { confirm, isSiteRead } = await ask([...TWO, placed], { table });
    await waitFor(() => expect(isSiteRead()).toBe(true));
    await act(async () => {});
    expect(dialog().queryByRole("combobox")).not.toBeInTheDocument();
    expect(await confirm()).toEqual({ verb: "publish_all" });
  });

  it("asks about selected pieces unless one of their topic has a category of its name", async () => {
    const elsewhere = { ...ON_SITE, wpCategoryId: "50", wpCategoryName: "Guides" };
    const [seeds, compost] = TWO as [ContentSummary, ContentSummary];
    const placed = aSummary({ id: "b", title: "Watering", ...ON_SITE });
    await ask([seeds, placed, { ...compost, ...elsewhere }], { selected: ["Sowing", "Turning"] });
    expect(await dialog().findByRole("combobox", { name: "Compost" })).toBeVisible();
    expect(dialog().getAllByRole("combobox")).toHaveLength(1);
  });

  it("takes no account of a category on another site", async () => {
    const away = aSummary({ id: "b", title: "Watering", ...ON_SITE, wpPlace: "elsewhere" });
    await ask([...TWO, away]);
    expect(await dialog().findByRole("combobox", { name: "Seeds" })).toBeVisible();
  });

  it("does not wait for the site, and asks nothing if its categories cannot be read", async () => {
    const held = pendingAnswer();
    const { confirm } = await ask(TWO, { table: { "GET /api/wordpress/categories": held.answer } });
    expect(dialog().getByText("Loading the categories of your site")).toBeVisible();
    await act(async () => held.give({ status: 500, json: {} }));
    await waitFor(() => expect(dialog().queryByText("Loading the categories of your site")).not.toBeInTheDocument());
    expect(dialog().queryByRole("combobox")).not.toBeInTheDocument();
    expect(await confirm()).toEqual({ verb: "publish_all" });
  });

  it("can be confirmed while the categories load", async () => {
    const { confirm } = await ask(TWO, { table: { "GET /api/wordpress/categories": pendingAnswer().answer } });
    expect(await confirm()).toEqual({ verb: "publish_all" });
  });

  it("does not read the site's categories where every topic has one", async () => {
    const { isSiteRead } = await ask(TWO.map((piece) => ({ ...piece, ...ON_SITE })));
    expect(dialog().getByRole("heading", { name: "Publish all content?" })).toBeVisible();
    expect(isSiteRead()).toBe(false);
  });

  it("does not read them for an update", async () => {
    const live = TWO.map((piece) => ({ ...piece, status: "wp_published" as const, isNewerHere: true }));
    const { user, calls } = await openPublishing({}, live);
    await user.click(screen.getAllByRole("button", { name: "More actions" }).at(-2) as HTMLElement);
    await user.click(await screen.findByRole("menuitem", { name: "Update 2 changed posts" }));
    expect(await screen.findByRole("alertdialog", { name: "Update 2 changed posts?" })).toBeVisible();
    expect(calls.map(({ url }) => url)).not.toContain("/api/wordpress/categories");
  });

  it("asks about twenty topics at most, and says what happens to the others", async () => {
    const ids = Array.from({ length: 22 }, (_, n) => 100 + n);
    const table = {
      "GET /api/projects/3/topics?description=300": () => ({
        json: ids.map((id) => aTopic({ id, name: `Topic ${id}` })),
      }),
      "GET /api/wordpress/categories": () => ({
        json: ids.flatMap((id) => [0, 1].map((parent) => ({ id: id + 100 * parent, name: `Topic ${id}`, parent }))),
      }),
    };
    const pieces = ids.map((id) => aSummary({ id: `p${id}`, title: `Piece ${id}`, topicId: id }));
    const { confirm } = await ask(pieces, { table });
    expect(await dialog().findAllByRole("combobox")).toHaveLength(20);
    const others = "For 2 more topics, the category at the top level is used, or else the oldest.";
    expect(dialog().getByText(others)).toBeVisible();
    expect(((await confirm()) as { categories: object[] }).categories).toHaveLength(20);
  });
});
