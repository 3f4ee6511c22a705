/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { TopicContent } from "@/components/content/topic-content";
import { aPiece, aSummary, aTopic } from "@/tests/support/pieces";
import { expectLoadFailure, failure, mockApi, renderScreen } from "@/tests/support/render";

const LIST = "/api/projects/3/topics/7/content";
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => aSummary({ id: `piece-${n}`, title: `Piece ${n}` }));

function open(table: Parameters<typeof mockApi>[0] = {}, contentCount = 2) {
  const calls = mockApi({ [`GET ${LIST}?limit=50`]: () => ({ json: rows(2) }), ...table });
  const { user } = renderScreen(<TopicContent topic={aTopic({ contentCount })} />);
  return { user, writes: () => calls.filter(({ method }) => method !== "GET") };
}

const titles = () => screen.queryAllByRole("link").map(({ textContent }) => textContent);
const button = (name: string) => screen.getByRole("button", { name });

describe("the pieces of a topic", () => {
  it("are listed under their count, without any dialog open", async () => {
    open();
    expect(await screen.findByRole("link", { name: "Piece 0" })).toBeVisible();
    expect(titles()).toEqual(["Piece 0", "Piece 1"]);
    expect(screen.getByRole("heading", { name: "Content 2" })).toBeVisible();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
    expect(screen.queryByText(/^No content pieces yet/)).not.toBeInTheDocument();
  });

  it("are listed when there is only one", async () => {
    open({ [`GET ${LIST}?limit=50`]: () => ({ json: rows(1) }) });
    expect(await screen.findByRole("link", { name: "Piece 0" })).toBeVisible();
  });

  it("have a message when there are none", async () => {
    open({ [`GET ${LIST}?limit=50`]: () => ({ json: [] }) }, 0);
    expect(await screen.findByText(/^No content pieces yet/)).toBeVisible();
  });

  it.each([
    [3, 3],
    [11, 10],
  ])("have a placeholder each while they load, ten at most: %i", (count, lines) => {
    open({ [`GET ${LIST}?limit=50`]: () => new Promise(() => undefined) }, count);
    const loading = screen.getByRole("list", { name: "Content is loading" });
    expect(within(loading).getAllByRole("listitem")).toHaveLength(lines);
  });

  it("load page by page", async () => {
    const next = `${LIST}?limit=50&cursor=c`;
    const { user } = open({
      [`GET ${LIST}?limit=50`]: () => ({ json: rows(1), link: `<${next}>; rel="next"` }),
      [`GET ${next}`]: () => ({ json: [aSummary({ id: "last", title: "The last" })] }),
    });
    await user.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByRole("link", { name: "The last" })).toBeVisible();
    expect(titles()).toEqual(["Piece 0", "The last"]);
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
  });

  it("can be loaded again after a failure", async () => {
    let isDown = true;
    const { user } = open({
      [`GET ${LIST}?limit=50`]: () => (isDown ? { status: 500, json: {} } : { json: rows(2) }),
    });
    await expectLoadFailure("Failed to fetch content");
    isDown = false;
    await user.click(button("Try again"));
    expect(await screen.findByRole("link", { name: "Piece 0" })).toBeVisible();
  });
});

describe("a piece added by hand", () => {
  async function openForm(table: Parameters<typeof mockApi>[0] = {}) {
    const opened = open(table);
    await opened.user.click(button("Add Content"));
    const dialog = within(await screen.findByRole("dialog", { name: "Add Content" }));
    return { ...opened, dialog, add: () => opened.user.click(dialog.getByRole("button", { name: "Add Content" })) };
  }

  it("is sent with what was typed, and the dialog closes", async () => {
    const { user, dialog, add, writes } = await openForm({
      [`POST ${LIST}`]: () => ({ status: 201, json: aPiece({ id: "new", title: "Heat mats" }) }),
    });
    await user.type(dialog.getByRole("textbox", { name: "Title" }), "Heat mats");
    await add();
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(writes()).toEqual([{ method: "POST", url: LIST, body: expect.objectContaining({ title: "Heat mats" }) }]);
  });

  it("needs a title: its field says so and takes the focus", async () => {
    const { user, dialog, add, writes } = await openForm();
    await add();
    const title = dialog.getByRole("textbox", { name: "Title" });
    await waitFor(() => expect(title).toHaveFocus());
    expect(title).toHaveAttribute("aria-invalid", "true");
    expect(writes()).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("stays in the dialog when it is refused, with the reason at its field", async () => {
    let answer: { status: number; json: unknown } = {
      status: 400,
      json: failure("Some fields need your attention.", "VALIDATION_ERROR", { title: ["Choose another title."] }),
    };
    const { user, dialog, add } = await openForm({ [`POST ${LIST}`]: () => answer });
    await user.type(dialog.getByRole("textbox", { name: "Title" }), "Heat mats");
    await add();
    expect(await dialog.findByText("Choose another title.")).toBeVisible();
    expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("Heat mats");
    answer = { status: 500, json: {} };
    await add();
    await waitFor(() => expect(dialog.queryByText("Choose another title.")).not.toBeInTheDocument());
    expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("Heat mats");
  });
});

it("opens the dialog of Create Ideas", async () => {
  const { user } = open();
  await user.click(button("Create Ideas"));
  expect(await screen.findByRole("dialog")).toHaveTextContent(/ideas/i);
});
