/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { ContentEditor } from "@/components/content/content-editor";
import { apiEvents } from "@/lib/client/event-stream";
import { AppError } from "@/lib/errors";
import type { ContentOut } from "@/lib/features/content/schema";
import { lookAtMarkdown } from "@/tests/support/outline-view";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, pressAndConfirm, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

lookAtMarkdown();

const PATH = `/api/content/${PIECE_ID}`;

async function open(parts: Partial<ContentOut> = {}, table: Parameters<typeof mockApi>[0] = {}) {
  const calls = mockApi({ [`GET ${PATH}`]: () => ({ json: aPiece(parts) }), ...table });
  const { user } = renderScreen(
    <ContentEditor id={PIECE_ID} place={{ projectTitle: "Garden", topicName: "Seeds", language: null }} />,
  );
  await screen.findByRole("button", { name: "Save Changes" });
  return { user, calls };
}

const button = (name: string) => screen.getByRole("button", { name });
/** Beside the outline; phones have the button in the page's bar instead. */
const outlineButton = (name: string) =>
  within(screen.getByRole("region", { name: "Outline" })).getByRole("button", { name });

it("shows a placeholder while the piece loads", async () => {
  mockApi({ [`GET ${PATH}`]: () => ({ json: aPiece() }) });
  renderScreen(<ContentEditor id={PIECE_ID} place={{ projectTitle: "Garden", topicName: "Seeds", language: null }} />);
  expect(screen.getByRole("status")).toHaveTextContent("Loading the content");
  expect(await screen.findByRole("textbox", { name: "Body" })).toBeVisible();
  expect(screen.queryByText("Loading the content")).not.toBeInTheDocument();
});

describe("the tabs", () => {
  it("are Edit, Preview, Outline and SEO Assistant", async () => {
    await open();
    expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
      "Edit",
      "Preview",
      "Outline",
      "SEO Assistant",
    ]);
  });

  it("Edit has a title, a body of at least 400 px, and the status", async () => {
    const { user } = await open();
    const edit = within(screen.getByRole("tabpanel", { name: "Edit" }));
    expect(edit.getByRole("textbox", { name: "Title" })).toHaveValue("Bottom watering, explained");
    expect(edit.getByRole("textbox", { name: "Body" })).toHaveClass("min-h-[400px]");
    expect(edit.getByRole("combobox", { name: "Status" })).toHaveTextContent("Draft");
    await user.click(screen.getByRole("tab", { name: "Preview" }));
    expect(screen.queryByRole("combobox", { name: "Status" })).not.toBeInTheDocument();
  });

  it("Edit shows the status above the text", async () => {
    await open();
    const status = screen.getByRole("combobox", { name: "Status" });
    const title = screen.getByRole("textbox", { name: "Title" });
    expect(status.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("Preview shows the title and the rendered body", async () => {
    const { user } = await open({ body: "## From below\n\nWater **slowly**." });
    await user.click(screen.getByRole("tab", { name: "Preview" }));
    const preview = within(screen.getByRole("tabpanel", { name: "Preview" }));
    expect(preview.getByRole("heading", { name: "Bottom watering, explained" })).toBeVisible();
    expect((await preview.findByText("slowly")).tagName).toBe("STRONG");
    expect(preview.getByRole("heading", { name: "From below" })).toBeVisible();
  });

  it("Outline has a field of at least 600 px and its two buttons", async () => {
    await open({ isOutline: true, hasOutline: true, outline: "## One", hasBody: false, body: "" });
    expect(screen.getByRole("textbox", { name: "Outline" })).toHaveClass("min-h-[600px]");
    expect(button("Save Outline")).toBeVisible();
    expect(outlineButton("Write Content with AI")).toBeVisible();
    expect(outlineButton("Write Content with AI")).toHaveAccessibleDescription(
      /section by section, which may take a minute or two/,
    );
  });

  it("Outline keeps its two buttons while blank, and says why nothing can be written from it", async () => {
    const { user, calls } = await open();
    await user.click(button("Write my own outline"));
    expect(screen.getByRole("textbox", { name: "Outline" })).toHaveValue("");
    expect(button("Save Outline")).toBeEnabled();
    expect(outlineButton("Write Content with AI")).toHaveAttribute("aria-disabled", "true");
    expect(outlineButton("Write Content with AI")).toHaveAccessibleDescription(
      new AppError("OUTLINE_REQUIRED").message,
    );
    for (const write of screen.getAllByRole("button", { name: "Write Content with AI" })) await user.click(write);
    expect(calls.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(apiEvents).not.toHaveBeenCalled();
    await user.type(screen.getByRole("textbox", { name: "Outline" }), "## One");
    expect(outlineButton("Write Content with AI")).not.toHaveAttribute("aria-disabled", "true");
    expect(outlineButton("Write Content with AI")).toHaveAccessibleDescription(/section by section/);
  });

  it.each([
    ["Save Outline", { outline: "" }],
    ["Save Changes", { outline: "" }],
  ])("Outline stays open when an empty one is saved with %s", async (label, sent) => {
    const outlined = { isOutline: true, hasOutline: true, outline: "## One", hasBody: false, body: "" };
    const blanked = aPiece({ version: 5, outline: null });
    const { user, calls } = await open(outlined, { [`PATCH ${PATH}`]: () => ({ json: blanked }) });
    await user.clear(screen.getByRole("textbox", { name: "Outline" }));
    await user.click(button(label));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    expect(calls.at(-1)?.body).toMatchObject(sent);
    expect(screen.getByRole("tab", { name: "Outline", selected: true })).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Outline" })).toHaveValue("");
    expect(button(label)).toHaveFocus();
    await waitFor(() => expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument());
  });

  it("SEO Assistant counts words, and previews title, slug and the first 160 characters", async () => {
    const body = "seed ".repeat(60).trim();
    const { user } = await open({ title: "When To Sow", body });
    await user.click(screen.getByRole("tab", { name: "SEO Assistant" }));
    expect(screen.getByText("Word count").nextSibling).toHaveTextContent("60");
    expect(screen.getByText("Keyword density").nextSibling).toHaveTextContent("0.00%");
    const preview = screen.getByRole("heading", { name: "Snippet preview" }).nextSibling as HTMLElement;
    const [address, title, snippet] = Array.from(preview.children, ({ textContent }) => textContent);
    expect(address).toMatch(/ › when-to-sow$/);
    expect(title).toBe("When To Sow");
    expect(snippet).toBe(body.slice(0, 160));
  });
});

describe("the address for publishing, beside the specified slug in the SEO tab", () => {
  async function address(parts: Partial<ContentOut>) {
    const { user } = await open(parts);
    await user.click(screen.getByRole("tab", { name: "SEO Assistant" }));
    return screen.getByRole("region", { name: "Address on your site" });
  }

  it("has only letters, digits and hyphens for a new post", async () => {
    const shown = await address({ title: "Don’t drown it: 3 Rules!" });
    expect(shown).toHaveTextContent("dont-drown-it-3-rules");
    expect(screen.getByText("don’t-drown-it:-3-rules!")).toBeVisible();
  });

  it("is left to WordPress when the title has no letters or digits", async () => {
    expect(await address({ title: "?!" })).toHaveTextContent("WordPress chooses one");
  });

  it("stays the same for a live post, whatever its title is now", async () => {
    const wpPermalink = "https://blog.example.com/2026/old-title/";
    const shown = await address({ status: "wp_published", wpPostId: "12", wpPermalink, title: "New title" });
    expect(within(shown).getByRole("link", { name: "blog.example.com/2026/old-title/" })).toHaveAttribute(
      "href",
      wpPermalink,
    );
    expect(shown).not.toHaveTextContent("new-title");
  });

  it("stays the same for a post that is no longer live", async () => {
    const shown = await address({ status: "wp_draft", wpPostId: "12", title: "New title" });
    expect(shown).toHaveTextContent("keeps the address it has there");
    expect(shown).not.toHaveTextContent("new-title");
  });
});

describe("the footer", () => {
  const footer = (text: string) => screen.getByText(text);

  it("counts words in scripts without spaces, and none in the marks of a table; the SEO tab splits at spaces", async () => {
    const { user } = await open({ body: "阳台上的香草\n\n| 土 | 水 |\n| --- | --- |" });
    expect(footer("5 words")).toBeVisible();
    await user.click(screen.getByRole("tab", { name: "SEO Assistant" }));
    expect(screen.getByText("Word count").nextSibling).toHaveTextContent("11");
  });

  it("updates as text is typed", async () => {
    const { user } = await open({ body: "word ".repeat(238) });
    expect(footer("238 words")).toBeVisible();
    expect(footer("1 min read")).toBeVisible();
    const body = screen.getByRole("textbox", { name: "Body" });
    await user.type(body, "more ");
    expect(await screen.findByText("239 words")).toBeVisible();
    expect(footer("2 min read")).toBeVisible();
    await user.clear(body);
    expect(await screen.findByText("0 words")).toBeVisible();
    expect(screen.queryByText(/min read/)).not.toBeInTheDocument();
    await user.type(body, "Seeds");
    expect(await screen.findByText("1 word")).toBeVisible();
  });

  it("says when the piece was last saved, and updates after a save", async () => {
    const updatedAt = "2026-11-09T10:05:00.000Z";
    const { user } = await open({}, { [`PATCH ${PATH}`]: () => ({ json: aPiece({ body: "More", updatedAt }) }) });
    const saved = () => screen.getByText(/^(Last s|S)aved/).querySelector("time");
    expect(saved()).toHaveAttribute("datetime", aPiece().updatedAt);
    await user.type(screen.getByRole("textbox", { name: "Body" }), " More");
    await user.click(button("Save Changes"));
    await screen.findByText("Content has been updated successfully");
    expect(saved()).toHaveAttribute("datetime", updatedAt);
  });

  it("counts the sections and points of an outline", async () => {
    await open({ isOutline: true, hasBody: false, body: "", outline: "## One\n- a\n- b\n\n## Two\nIn a line" });
    expect(footer("2 sections")).toBeVisible();
    expect(footer("2 points")).toBeVisible();
  });
});

it("offers the four statuses a user may set", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("combobox", { name: "Status" }));
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "Draft",
    "Under Review",
    "Published",
    "Unpublished",
  ]);
});

it.each([
  ["wp_draft", "Draft"],
  ["wp_failed", "Failed"],
  ["wp_published", "Published"],
] as const)("shows %s without its prefix in the status select: %s", async (status, label) => {
  await open({ status });
  expect(screen.getByRole("combobox", { name: "Status" })).toHaveTextContent(new RegExp(`^${label}$`));
});

it("distinguishes a WordPress draft from a chosen one, and lets the user switch to the latter", async () => {
  const { user, calls } = await open(
    { status: "wp_draft", wpPostId: "12" },
    { [`PATCH ${PATH}`]: () => ({ json: aPiece({ status: "draft", version: 5 }) }) },
  );
  const status = screen.getByRole("combobox", { name: "Status" });
  expect(status).toHaveAccessibleDescription("Set by publishing");
  await user.click(status);
  expect(status).toHaveTextContent("Draft");
  const options = screen.getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["Draft", "Under Review", "Published", "Unpublished"]);
  for (const option of options) expect(option).toHaveAttribute("data-state", "unchecked");
  await user.click(screen.getByRole("option", { name: "Draft" }));
  expect(screen.getByRole("combobox", { name: "Status" })).toHaveAccessibleDescription("");
  await user.click(button("Save Changes"));
  expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({ status: "draft", version: 4 });
});

it("warns in amber about a title-only piece", async () => {
  await open({ isTitleOnly: true, hasBody: false, body: "" });
  expect(screen.getByText("Title-Only Content")).toHaveClass("text-warning");
  expect(screen.getByText("Only Title")).toBeVisible();
  expect(screen.queryByText("Content Created")).not.toBeInTheDocument();
});

describe("the buttons at the top", () => {
  const broken = () => ({ status: 500, json: {} });

  it("publish a piece that is not live", async () => {
    const { user } = await open({ status: "wp_draft", wpPostId: "12" }, { [`POST ${PATH}/publish`]: broken });
    expect(screen.queryByRole("button", { name: "Unpublish from WordPress" })).not.toBeInTheDocument();
    await pressAndConfirm(user, button("Publish to WordPress"));
    expect(await screen.findByText("Error publishing to WordPress")).toBeVisible();
  });

  it("unpublish a live piece", async () => {
    const live = { status: "wp_published", wpPostId: "12" } as const;
    const { user } = await open(live, { [`POST ${PATH}/unpublish`]: broken });
    expect(screen.queryByRole("button", { name: "Publish to WordPress" })).not.toBeInTheDocument();
    await pressAndConfirm(user, button("Unpublish from WordPress"));
    expect(await screen.findByText("Error unpublishing from WordPress")).toBeVisible();
  });

  it("sync the status with the site", async () => {
    const { user, calls } = await open(
      { wpPostId: "12" },
      { [`POST ${PATH}/sync`]: () => ({ json: { ...aPiece(), remoteChanged: false } }) },
    );
    await user.click(button("Sync Status"));
    expect(await screen.findByText("Content synced with WordPress successfully")).toBeVisible();
    expect(calls.at(-1)).toEqual({ method: "POST", url: `${PATH}/sync`, body: undefined });
  });

  it("say when syncing fails", async () => {
    const { user } = await open({ wpPostId: "12" }, { [`POST ${PATH}/sync`]: broken });
    await user.click(button("Sync Status"));
    expect(await screen.findByText("Error syncing with WordPress")).toBeVisible();
  });
});

describe("writing from the outline", () => {
  const outlined = { isOutline: true, hasOutline: true, outline: "## One", body: "", hasBody: false };

  it("says that it failed", async () => {
    // biome-ignore lint/correctness/useYield: it fails before the first word.
    jest.mocked(apiEvents).mockImplementation(async function* () {
      throw new Error("The connection ended.");
    });
    const { user } = await open(outlined);
    await user.click(outlineButton("Write Content with AI"));
    expect(await screen.findByText("Error generating content from outline")).toBeVisible();
  });

  it("offers the settings when there is no API key", async () => {
    const sentence = "OpenAI API key not found. Please add your API key in the settings page.";
    const { ApiError } = jest.requireActual<typeof import("@/lib/client/api")>("@/lib/client/api");
    // biome-ignore lint/correctness/useYield: it is refused before the first word.
    jest.mocked(apiEvents).mockImplementation(async function* () {
      throw new ApiError(400, sentence, true, "MISSING_API_KEY", {}, failure(sentence, "MISSING_API_KEY"));
    });
    const { user } = await open(outlined);
    await user.click(outlineButton("Write Content with AI"));
    expect(await screen.findByText("API Key Required")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    expect(button("Go to Settings")).toBeVisible();
  });
});
