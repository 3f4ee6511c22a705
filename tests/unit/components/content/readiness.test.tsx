/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { LibraryRow } from "@/components/content/library-row";
import { PieceActions } from "@/components/publishing/piece-actions";
import type { ReviewOut } from "@/lib/features/publishing/schema";
import { openEditor, PATH } from "@/tests/support/content-editor";
import { aPiece, aReview, aSummary } from "@/tests/support/pieces";
import { jobServer, openPublishing, publishSelected } from "@/tests/support/publishing-screen";
import { mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }), usePathname: () => "/" }));

// What each place that publishes says of a piece that may be unfinished, and what it does.

const HOLDS = { kind: "sourceNeeded", sentence: "A claim needs a source.", holds: true };
const INFORMS = { kind: "description", sentence: "There is no meta description.", holds: false };
const reviewed = (id: string, ...findings: ReviewOut["findings"]) =>
  aReview({ id, findings, found: findings.length, holding: findings.filter(({ holds }) => holds).length });
const reviews = (...all: ReviewOut[]) => ({
  [`GET /api/content/reviews?ids=${all.map(({ id }) => id).join(",")}`]: () => ({ json: all }),
});
const question = (name: string) => screen.findByRole("alertdialog", { name });

describe("the editor", () => {
  const open = (body: string, parts = {}) =>
    openEditor({ body, ...parts }, { [`POST ${PATH}/publish`]: () => ({ json: aPiece({ status: "wp_published" }) }) });

  it.each([
    ["A week of rain [source needed: how much].", "A claim needs a source: how much."],
    ["Rain.\n\n## \n\nMore rain.", "A heading has no words."],
  ])("holds a first publish until the user publishes anyway: %j", async (body, sentence) => {
    const { user, writes } = open(body);
    await user.click(await screen.findByRole("button", { name: "Publish to WordPress" }));
    const dialog = within(await question("Publish this piece?"));
    expect(await dialog.findByRole("button", { name: sentence })).toBeVisible();
    expect(dialog.queryByRole("button", { name: "Publish" })).not.toBeInTheDocument();
    expect(writes()).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Publish anyway" }));
    await waitFor(() => expect(writes().map(({ url }) => url)).toContain(`${PATH}/publish`));
  });

  it("adds no press for what only informs", async () => {
    const { user, writes } = open("A week of rain.");
    await user.click(await screen.findByRole("button", { name: "Publish to WordPress" }));
    const dialog = within(await question("Publish this piece?"));
    expect(await dialog.findByText(INFORMS.sentence)).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Publish" }));
    await waitFor(() => expect(writes().map(({ url }) => url)).toContain(`${PATH}/publish`));
  });

  it("informs before an update, and holds nothing", async () => {
    const live = { status: "wp_published", wpPostId: "12", isNewerHere: true } as const;
    const { user } = open("A week of rain [source needed].", live);
    await user.click(await screen.findByRole("button", { name: "Update on site" }));
    const dialog = within(await question("Update this piece?"));
    expect(await dialog.findByText("A claim needs a source.")).toBeVisible();
    expect(dialog.getByRole("button", { name: "Update" })).toBeVisible();
  });

  it("leads from the question to the place", async () => {
    const { user } = open("A week of rain [source needed].");
    await user.click(await screen.findByRole("button", { name: "Publish to WordPress" }));
    await user.click(await screen.findByRole("button", { name: "A claim needs a source." }));
    const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
    await waitFor(() => expect(field()).toHaveFocus());
    const body = field();
    expect(body.value.slice(body.selectionStart, body.selectionEnd)).toBe("[source needed]");
  });
});

describe("a row of the library", () => {
  function open(review: ReviewOut, table = {}) {
    const calls = mockApi({
      ...reviews(review),
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a", status: "wp_published" }) }),
      ...table,
    });
    const { user } = renderScreen(<LibraryRow piece={aSummary({ id: "a", title: "Sowing" })} />);
    return { user, posts: () => calls.filter(({ method }) => method === "POST") };
  }

  it("holds a first publish, and a press while the text is checked is none on what holds it", async () => {
    const held = pendingAnswer();
    const { user, posts } = open(reviewed("a", HOLDS), { "GET /api/content/reviews?ids=a": held.answer });
    await user.click(screen.getByRole("button", { name: "Publish to WordPress: Sowing" }));
    const dialog = within(await question("Publish this piece?"));
    await user.click(dialog.getByRole("button", { name: "Publish" }));
    expect(dialog.getByText("Checking the text")).toBeVisible();
    held.give({ json: [reviewed("a", HOLDS)] });
    expect(await dialog.findByRole("link", { name: HOLDS.sentence })).toHaveAttribute("href", "/content/a");
    expect(posts()).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Publish anyway" }));
    await waitFor(() => expect(posts()).toHaveLength(1));
  });

  it("publishes with one press where findings only inform", async () => {
    const { user, posts } = open(reviewed("a", INFORMS));
    await user.click(screen.getByRole("button", { name: "Publish to WordPress: Sowing" }));
    await user.click(within(await question("Publish this piece?")).getByRole("button", { name: "Publish" }));
    await waitFor(() => expect(posts()).toHaveLength(1));
  });
});

describe("a row of the publishing tables, by topic or all", () => {
  it.each([
    [HOLDS, "Publish anyway"],
    [INFORMS, "Publish"],
  ])("says what may be unfinished beside the category: %j", async (finding, label) => {
    const calls = mockApi({
      ...reviews(reviewed("a", finding)),
      "GET /api/wordpress/categories": () => ({ json: [] }),
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
    });
    const piece = aSummary({ id: "a", title: "Sowing" });
    const { user } = renderScreen(<PieceActions piece={piece} topicName="Seeds" isBusy={false} isBulk={false} />);
    await user.click(screen.getByRole("button", { name: "Publish with Category" }));
    expect(await screen.findByText(finding.sentence)).toBeVisible();
    await user.click(screen.getByRole("button", { name: label }));
    await waitFor(() => expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1));
  });

  it("publishes once the text is checked, if the press came before", async () => {
    const held = pendingAnswer();
    const calls = mockApi({
      "GET /api/content/reviews?ids=a": held.answer,
      "GET /api/wordpress/categories": () => ({ json: [] }),
      "POST /api/content/a/publish": () => ({ json: aPiece({ id: "a" }) }),
    });
    const piece = aSummary({ id: "a", title: "Sowing" });
    const { user } = renderScreen(<PieceActions piece={piece} topicName="Seeds" isBusy={false} isBulk={false} />);
    await user.click(screen.getByRole("button", { name: "Publish with Category" }));
    await user.click(await screen.findByRole("button", { name: "Publish" }));
    expect(screen.getByText("Checking the text")).toBeVisible();
    held.give({ json: [reviewed("a", INFORMS)] });
    await waitFor(() => expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1));
  });

  it("informs before an update, and holds nothing", async () => {
    mockApi(reviews(reviewed("a", HOLDS)));
    const piece = aSummary({ id: "a", title: "Sowing", status: "wp_published", wpPostId: "12" });
    const { user } = renderScreen(<PieceActions piece={piece} topicName="Seeds" isBusy={false} isBulk={false} />);
    await user.click(screen.getByRole("button", { name: "Update" }));
    const dialog = within(await question("Update this piece?"));
    expect(await dialog.findByText(HOLDS.sentence)).toBeVisible();
    expect(dialog.getByRole("button", { name: "Update" })).toBeVisible();
  });

  it("says before an update that the address changes, where the user has written another slug", async () => {
    const review = { ...reviewed("a", INFORMS), slug: "new" };
    mockApi(reviews(review));
    const live = {
      id: "a",
      status: "wp_published",
      wpPostId: "12",
      wpPermalink: "https://blog.example.com/old/",
    } as const;
    const { user } = renderScreen(<PieceActions piece={aSummary(live)} topicName="" isBusy={false} isBulk={false} />);
    await user.click(screen.getByRole("button", { name: "Update" }));
    const dialog = await question("Update this piece?");
    expect(await within(dialog).findByText(/^Its address will end in “new”/)).toBeVisible();
  });

  it("says in the row that a piece is not ready, but for a live one", async () => {
    await openPublishing(reviews(reviewed("a", HOLDS), reviewed("b", HOLDS), reviewed("c", INFORMS)));
    expect(await screen.findByRole("link", { name: "Not ready" })).toHaveAttribute("href", "/content/a");
  });
});

describe("many pieces", () => {
  const table = () => ({
    ...jobServer().table,
    ...reviews(reviewed("a", HOLDS), reviewed("b", HOLDS), reviewed("c", INFORMS)),
  });

  it("Publish All offers those that are ready, and leaves the others out", async () => {
    const { user, posts } = await openPublishing(table());
    await user.click(screen.getByRole("button", { name: "Publish All Content" }));
    const dialog = within(await question("Publish all content?"));
    // A live piece is updated, which nothing holds.
    expect(await dialog.findByText("1 piece is not ready:")).toBeVisible();
    expect(dialog.getByText(/1 other piece has something/)).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Publish those that are ready (2 of 3)" }));
    await waitFor(() => expect(posts()[0]?.body).toEqual({ verb: "publish_all", except: ["a"] }));
  });

  it("Publish All publishes anyway if the user says so", async () => {
    const { user, posts } = await openPublishing(table());
    await user.click(screen.getByRole("button", { name: "Publish All Content" }));
    const dialog = within(await question("Publish all content?"));
    await user.click(await dialog.findByRole("button", { name: "Publish anyway" }));
    await waitFor(() => expect(posts()[0]?.body).toEqual({ verb: "publish_all" }));
  });

  it("Publish Selected offers those that are ready", async () => {
    const { user, posts } = await openPublishing(table());
    for (const title of ["Sowing", "Turning"])
      await user.click(screen.getByRole("checkbox", { name: `Select “${title}”` }));
    await user.click(screen.getByRole("button", { name: "Publish Selected (2)" }));
    const dialog = within(await question("Publish selected content?"));
    await user.click(await dialog.findByRole("button", { name: "Publish those that are ready (1 of 2)" }));
    await waitFor(() => expect(posts()[0]?.body).toEqual({ verb: "publish_selected", contentIds: ["c"] }));
  });

  it("offers no part where nothing is ready, and says which pieces were not checked", async () => {
    const { user } = await openPublishing({ ...table(), ...reviews(reviewed("a", HOLDS)) });
    await user.click(screen.getByRole("checkbox", { name: "Select “Sowing”" }));
    await user.click(screen.getByRole("button", { name: "Publish Selected (1)" }));
    const dialog = within(await question("Publish selected content?"));
    expect(await dialog.findByRole("button", { name: "Publish anyway" })).toBeVisible();
    expect(dialog.queryByRole("button", { name: /those that are ready/ })).not.toBeInTheDocument();
  });

  it("publishes pieces that could not be checked, and says so", async () => {
    const { user, posts } = await openPublishing({
      ...jobServer().table,
      "GET /api/content/reviews?ids=a,b,c": () => ({ json: [] }),
      "GET /api/content/reviews?ids=a": () => ({ status: 500, json: {} }),
    });
    await user.click(screen.getByRole("checkbox", { name: "Select “Sowing”" }));
    await user.click(screen.getByRole("button", { name: "Publish Selected (1)" }));
    expect(
      await within(await question("Publish selected content?")).findByText("1 piece was not checked."),
    ).toBeVisible();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("checkbox", { name: "Select “Sowing”" }));
    await publishSelected(user, "Sowing");
    await waitFor(() => expect(posts()).toHaveLength(1));
  });

  it("says how many posts get a new address before they are updated, and of no other", async () => {
    const live = { status: "wp_published", wpPostId: "12", isNewerHere: true } as const;
    const at = (id: string, slug: string) =>
      aSummary({ ...live, id, title: id, wpPermalink: `https://blog.example.com/${slug}/` });
    const withSlug = (id: string, slug: string | null) => ({ ...reviewed(id, INFORMS), slug });
    const { user } = await openPublishing(
      { ...jobServer().table, ...reviews(withSlug("a", "new"), withSlug("b", "old"), withSlug("c", null)) },
      [at("a", "old"), at("b", "old"), at("c", "old")],
    );
    await user.click(screen.getAllByRole("button", { name: "More actions" }).at(-2) as HTMLElement);
    await user.click(await screen.findByRole("menuitem", { name: "Update 3 changed posts" }));
    const dialog = within(await question("Update 3 changed posts?"));
    expect(await dialog.findByText(/^1 post gets a new address/)).toBeVisible();
  });
});
