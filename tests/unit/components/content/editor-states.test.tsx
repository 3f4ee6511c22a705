/** @jest-environment jsdom */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ContentOut } from "@/lib/features/content/schema";
import { PATH } from "@/tests/support/content-editor";
import {
  allButtons,
  button,
  buttonState,
  buttonStates,
  IDEA,
  OUTLINED,
  openEditorScreen,
  tab,
} from "@/tests/support/editor-screen";
import { lookAtMarkdown } from "@/tests/support/outline-view";
import { aPiece } from "@/tests/support/pieces";
import { failure, pendingAnswer, pressAndConfirm } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

lookAtMarkdown();

describe("the badges beside the status", () => {
  it.each<[string, Partial<ContentOut>, string[]]>([
    ["a text", {}, ["Content Created"]],
    ["a title", IDEA, ["Only Title"]],
    ["an outline and a text", { ...OUTLINED, body: "## One", hasBody: true }, ["Outline", "Content Created"]],
    ["an emptied text", { body: " \n", hasBody: false }, ["Content Created", "No text"]],
    [
      "an outline and an emptied text",
      { ...OUTLINED, body: "", hasBody: false },
      ["Outline", "Content Created", "No text"],
    ],
  ])("name %s", async (_what, parts, facts) => {
    await openEditorScreen(parts);
    const [, ...shown] = Array.from(screen.getByRole("status").parentElement?.parentElement?.children ?? []);
    expect(shown.slice(0, -1).map(({ textContent }) => textContent)).toEqual(facts);
  });

  it("say that there is no text as soon as it is gone, and until the first word is typed", async () => {
    const { user } = await openEditorScreen();
    const body = screen.getByRole("textbox", { name: "Body" });
    await user.clear(body);
    expect(screen.getByText("Content Created")).toBeVisible();
    expect(screen.getByText("No text")).toBeVisible();
    await user.type(body, "W");
    expect(screen.queryByText("No text")).not.toBeInTheDocument();
  });

  it("keep the place of that badge in narrow windows, once a piece was opened without a text", async () => {
    const { user } = await openEditorScreen({ body: "", hasBody: false });
    expect(screen.getByText("No text")).not.toHaveClass("invisible");
    await user.type(screen.getByRole("textbox", { name: "Body" }), "W");
    expect(screen.getByText("No text")).toHaveClass("invisible", "xl:hidden");
  });
});

describe("the notice above the text", () => {
  it("is absent for most pieces, whatever an earlier publish answered", async () => {
    await openEditorScreen({ status: "draft", publishError: "The site answered 403." });
    expect(screen.queryByText("The last publish failed")).not.toBeInTheDocument();
    expect(screen.queryByText("Title-Only Content")).not.toBeInTheDocument();
    // No empty box remains above the text.
    const notices = document.querySelector(".editor-head")?.nextElementSibling;
    expect(notices).toBeEmptyDOMElement();
    expect(notices?.nextElementSibling).toContainElement(screen.getByRole("textbox", { name: "Body" }));
  });

  it("reports the failed publish of a piece with a text", async () => {
    await openEditorScreen({ status: "wp_failed", publishError: "The site answered 403." });
    expect(screen.getByText("The last publish failed")).toBeVisible();
    expect(screen.queryByText("Title-Only Content")).not.toBeInTheDocument();
  });

  const TITLE = "This piece has a title and no text yet.";
  const BOTH = "This piece has a title and an outline, and no text yet.";

  it.each([
    ["Edit", IDEA, `${TITLE} Begin here, or plan it first in the Outline tab.`, "Outline"],
    ["Preview", IDEA, `${TITLE} Write it in the Edit tab.`, "Edit"],
    ["SEO Assistant", IDEA, `${TITLE} Write it in the Edit tab.`, "Edit"],
    [
      "Edit",
      { ...IDEA, ...OUTLINED },
      `${BOTH} Begin here, or let the AI write it from the outline in the Outline tab.`,
      "Outline",
    ],
    ["Preview", { ...IDEA, ...OUTLINED }, `${BOTH} Write it in the Edit tab.`, "Edit"],
    [
      "Outline",
      { ...IDEA, ...OUTLINED },
      `${BOTH} Let the AI write it from the outline, or begin in the Edit tab.`,
      "Edit",
    ],
  ])("leads from %s, of %j", async (from, parts, sentence, to) => {
    const { user } = await openEditorScreen(parts);
    await user.click(tab(from));
    expect(screen.getByText("Title-Only Content")).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
    await user.click(button(`Go to the ${to} tab`));
    expect(tab(to)).toHaveAttribute("aria-selected", "true");
    expect(tab(to)).toHaveFocus();
    expect(allButtons(`Go to the ${to} tab`)).toEqual([]);
  });

  it("leads back from an outline that is not begun yet", async () => {
    const { user } = await openEditorScreen(IDEA);
    await user.click(button("Go to the Outline tab"));
    expect(screen.getByText(`${TITLE} Plan it here, or begin in the Edit tab.`)).toBeVisible();
    await user.click(button("Go to the Edit tab"));
    expect(tab("Edit")).toHaveFocus();
    expect(screen.getByRole("textbox", { name: "Body" })).toBeVisible();
  });

  it("offers to generate an outline that a piece does not have", async () => {
    const { user } = await openEditorScreen(IDEA);
    expect(buttonStates("Generate Outline")).toEqual(["ready"]);
    await user.click(button("Go to the Outline tab"));
    // The Outline tab has its own.
    expect(allButtons("Generate Outline")).toHaveLength(1);
  });

  it("offers no outline to a piece that has one", async () => {
    const { user } = await openEditorScreen({ ...IDEA, ...OUTLINED });
    await user.click(tab("Edit"));
    expect(allButtons("Generate Outline")).toEqual([]);
  });

  it.each([
    ["outline", "busy"],
    ["body", "disabled"],
  ] as const)("generates no outline while the AI writes the %s, and leads to it", async (kind, state) => {
    const { chooseEdit, write } = await openEditorScreen(IDEA);
    await chooseEdit();
    await write(kind);
    expect(buttonStates("Go to the Outline tab")).toEqual(["ready"]);
    expect(buttonStates("Generate Outline")).toEqual([state]);
  });
});

describe("the notice of a text being written", () => {
  const notice = () => screen.queryByText("The AI is writing this piece");

  it("shows unless this page requested the text", async () => {
    const { write } = await openEditorScreen({ isBeingWritten: true });
    expect(notice()).toBeVisible();
    await write("body");
    expect(notice()).not.toBeInTheDocument();
  });

  it("does not show for a text that only this page requested", async () => {
    const { write } = await openEditorScreen();
    expect(notice()).not.toBeInTheDocument();
    await write("body");
    expect(notice()).not.toBeInTheDocument();
  });
});

describe("the WordPress button", () => {
  const LIVE = { status: "wp_published", wpPostId: "12", wpPlace: "here" } as const;

  it("is busy until the publish is answered, and sends one", async () => {
    const held = pendingAnswer();
    const { user, writes } = await openEditorScreen({}, { [`POST ${PATH}/publish`]: held.answer });
    await user.click(button("Publish to WordPress"));
    await user.dblClick(await screen.findByRole("button", { name: "Publish" }));
    await waitFor(() => expect(buttonStates("Publish to WordPress")).toEqual(["busy"]));
    held.give({ status: 500, json: {} });
    expect(await screen.findByText("Error publishing to WordPress")).toBeVisible();
    expect(buttonStates("Publish to WordPress")).toEqual(["ready"]);
    expect(writes()).toHaveLength(1);
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("is busy while the text is being saved first", async () => {
    const held = pendingAnswer();
    const { user } = await openEditorScreen({}, { [`PATCH ${PATH}`]: held.answer });
    await user.type(screen.getByRole("textbox", { name: "Body" }), "!");
    await pressAndConfirm(user, button("Publish to WordPress"));
    await waitFor(() => expect(buttonStates("Publish to WordPress")).toEqual(["busy"]));
    held.give({ status: 500, json: {} });
    await waitFor(() => expect(buttonStates("Publish to WordPress")).toEqual(["ready"]));
  });

  it("is busy until the post is unpublished, even if the piece has lost its text", async () => {
    const held = pendingAnswer();
    const { user } = await openEditorScreen({ ...LIVE, body: "" }, { [`POST ${PATH}/unpublish`]: held.answer });
    expect(button("Unpublish from WordPress")).not.toHaveAttribute("aria-disabled");
    await pressAndConfirm(user, button("Unpublish from WordPress"));
    expect(buttonStates("Unpublish from WordPress")).toEqual(["busy"]);
    held.give({ json: aPiece({ ...LIVE, status: "wp_draft" }) });
    expect(await screen.findByText("Content unpublished from WordPress successfully")).toBeVisible();
    expect(buttonStates("Publish to WordPress")).toEqual(["ready"]);
  });

  it("leaves the busy state to its dialog, which closes with the answer", async () => {
    const held = pendingAnswer();
    const { user } = await openEditorScreen(
      {},
      {
        [`POST ${PATH}/publish`]: (sent) =>
          (sent as { force?: boolean }).force
            ? held.answer()
            : { status: 409, json: failure("Edited on the site", "REMOTE_CHANGED") },
      },
    );
    await pressAndConfirm(user, button("Publish to WordPress"));
    await user.click(await screen.findByRole("button", { name: "Publish anyway" }));
    expect(buttonStates("Publish anyway")).toEqual(["busy"]);
    expect(buttonState(screen.getByRole("button", { name: "Publish to WordPress", hidden: true }))).toBe("ready");
    held.give({ status: 500, json: {} });
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  });

  it("has Sync Status beside it, busy until the site has answered", async () => {
    const held = pendingAnswer();
    const { user } = await openEditorScreen({ wpPostId: "12" }, { [`POST ${PATH}/sync`]: held.answer });
    expect(button("Sync Status")).not.toHaveAttribute("title");
    await user.click(button("Sync Status"));
    expect(buttonStates("Sync Status")).toEqual(["busy"]);
    held.give({ json: { ...aPiece(), remoteChanged: false } });
    await waitFor(() => expect(buttonStates("Sync Status")).toEqual(["disabled"]));
    expect(button("Sync Status")).toHaveAttribute("title", "Not on WordPress yet");
  });
});

describe("the update of a live post", () => {
  const LIVE = { status: "wp_published", wpPostId: "12", wpPlace: "here" } as const;
  const CHANGED = { ...LIVE, isNewerHere: true };
  const CHECK = `GET ${PATH}/rendering-changes`;
  const checked = { [CHECK]: () => ({ json: { changes: [], more: 0, includesEdits: false } }) };

  it("is offered, with a badge, while the text is newer here than on the site", async () => {
    const { user, writes } = await openEditorScreen(CHANGED, {
      ...checked,
      [`POST ${PATH}/publish`]: () => ({ json: aPiece(LIVE) }),
    });
    expect(screen.getByText("Newer here")).toBeVisible();
    expect(button("Unpublish from WordPress")).toBeVisible();
    await pressAndConfirm(user, button("Update on site"));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(writes().map(({ url, body }) => [url, body])).toEqual([[`${PATH}/publish`, { force: false }]]);
    expect(screen.queryByText("Newer here")).not.toBeInTheDocument();
    expect(allButtons("Update on site")).toEqual([]);
  });

  it("is not offered for a post that has the text", async () => {
    await openEditorScreen(LIVE);
    expect(screen.queryByText("Newer here")).not.toBeInTheDocument();
    expect(allButtons("Update on site")).toEqual([]);
  });

  it("saves first what is unsaved, and sends nothing if that fails", async () => {
    const held = pendingAnswer();
    const { user, writes } = await openEditorScreen(CHANGED, { ...checked, [`PATCH ${PATH}`]: held.answer });
    await user.type(screen.getByRole("textbox", { name: "Body" }), "!");
    await pressAndConfirm(user, button("Update on site"));
    expect(buttonStates("Update on site")).toEqual(["busy"]);
    held.give({ status: 500, json: {} });
    await waitFor(() => expect(buttonStates("Update on site")).toEqual(["ready"]));
    expect(writes().map(({ method }) => method)).not.toContain("POST");
  });

  it("asks before it overwrites an edit made on the site", async () => {
    const { user, writes } = await openEditorScreen(CHANGED, {
      ...checked,
      [`POST ${PATH}/publish`]: (sent) =>
        (sent as { force: boolean }).force
          ? { json: aPiece(LIVE) }
          : { status: 409, json: failure("Edited on the site", "REMOTE_CHANGED") },
    });
    await pressAndConfirm(user, button("Update on site"));
    await user.click(await screen.findByRole("button", { name: "Overwrite" }));
    await waitFor(() => expect(allButtons("Update on site")).toEqual([]));
    expect(writes().map(({ body }) => body)).toEqual([{ force: false }, { force: true }]);
  });

  it("needs a text", async () => {
    const { user, writes } = await openEditorScreen({ ...CHANGED, body: "" });
    expect(button("Update on site")).toHaveAttribute("aria-disabled", "true");
    await user.click(button("Update on site"));
    expect([screen.queryByRole("alertdialog"), writes()]).toEqual([null, []]);
  });
});

describe("the details", () => {
  const details = () => within(screen.getByRole("complementary", { name: "Details" }));
  const facts = () =>
    details()
      .getAllByRole("term")
      .map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);

  it("name the project and topic of a new piece, by number if they have no name", async () => {
    await openEditorScreen({}, {}, { projectTitle: "", topicName: "" });
    expect(facts()).toEqual([
      "Project: Project 3",
      "Topic: Topic 7",
      expect.stringMatching(/^Created: /),
      "Status: Not Published",
    ]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("name the place of a published piece on the site", async () => {
    await openEditorScreen({
      wpPostId: "12",
      wpCategoryName: "Watering",
      wpPermalink: "https://blog.example.com/watering/",
      lastSyncedAt: "2026-11-09T10:05:00.000Z",
    });
    expect(facts()).toEqual([
      "Project: Garden",
      "Topic: Seeds",
      expect.stringMatching(/^Created: /),
      "Category: Watering",
      expect.stringMatching(/^Last synced: /),
      "Link: blog.example.com/watering/",
    ]);
  });

  it("say when the site will publish a scheduled post", async () => {
    await openEditorScreen({
      status: "wp_draft",
      wpPostId: "12",
      wpPostStatus: "future",
      wpPostDate: "2026-11-30T09:00:00.000Z",
    });
    expect(facts().at(-1)).toMatch(/^Status: Scheduled: Nov 30, 2026/);
  });

  it("open the revision history", async () => {
    const { user } = await openEditorScreen({}, { [`GET ${PATH}/revisions?limit=50`]: () => ({ json: [] }) });
    // Beside the tabs; a second one is for phones.
    await user.click(allButtons("Revision history")[0] as HTMLElement);
    expect(await screen.findByText("Nothing has been changed yet.")).toBeVisible();
  });
});

describe("the SEO tab", () => {
  it.each([
    [null, "your site"],
    ["no address", "your site"],
    ["https://blog.example.com/watering/", "blog.example.com"],
  ])("previews the site of %j as %s", async (wpPermalink, host) => {
    const { user } = await openEditorScreen({ wpPermalink, wpPostId: "12", body: "" });
    await user.click(tab("SEO Assistant"));
    for (const address of screen.getAllByText(`${host} ›`, { exact: false })) expect(address).toBeVisible();
    expect(screen.getByText("The first 160 characters of the body stand here.")).toBeVisible();
  });
});

describe("the save shortcut", () => {
  const press = (key: string, more: KeyboardEventInit) => !fireEvent.keyDown(window, { key, ...more });

  it.each([{ ctrlKey: true }, { metaKey: true }])("works with %j and suppresses the browser's own", async (held) => {
    await openEditorScreen();
    expect(press("S", held)).toBe(true);
    expect(await screen.findByText("Everything is saved already")).toBeVisible();
  });

  it.each<[string, KeyboardEventInit]>([
    ["s", {}],
    ["a", { ctrlKey: true }],
    ["s", { ctrlKey: true, altKey: true }],
    ["s", { ctrlKey: true, shiftKey: true }],
  ])("leaves %s with %j to the browser", async (key, held) => {
    await openEditorScreen();
    expect(press(key, held)).toBe(false);
  });
});

describe("a piece that is closed and opened again", () => {
  it("keeps the text that could not be saved when it was closed", async () => {
    const saved = aPiece({ body: "Water from below, not above. Daily.", version: 5 });
    let fails = true;
    const { user } = await openEditorScreen(
      {},
      { [`PATCH ${PATH}`]: () => (fails ? { status: 503, json: {} } : { json: saved }) },
    );
    const reopen = async () => {
      await user.click(button("Back"));
      await user.click(button("Back"));
    };
    await user.type(screen.getByRole("textbox", { name: "Body" }), " Daily.");
    await reopen();
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("Water from below, not above. Daily.");
    expect(await screen.findByText("Not saved yet", { selector: "[role=status] *" })).toBeVisible();
    fails = false;
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    await reopen();
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("Water from below, not above. Daily.");
    expect(screen.queryByText(/Unsaved changes|Not saved yet/)).not.toBeInTheDocument();
  });

  it("saves what was typed just before it was closed", async () => {
    const { user, writes } = await openEditorScreen(
      {},
      { [`PATCH ${PATH}`]: () => ({ json: aPiece({ version: 5 }) }) },
    );
    await user.type(screen.getByRole("textbox", { name: "Body" }), " Daily.");
    await user.click(button("Back"));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.body).toEqual({ body: "Water from below, not above. Daily.", version: 4 });
  });
});

describe("a missing title", () => {
  it("is reported at its field until a title is typed", async () => {
    const { user } = await openEditorScreen();
    const title = screen.getByRole("textbox", { name: "Title" });
    expect(title).not.toHaveAttribute("aria-invalid");
    await user.clear(title);
    await user.click(button("Save Changes"));
    const sentence = "Give this piece a title before you save it.";
    expect(title).toHaveAccessibleDescription(sentence);
    await user.type(screen.getByRole("textbox", { name: "Body" }), "!");
    expect(title).toHaveAccessibleDescription(sentence);
    await user.type(title, "T");
    expect(title).not.toHaveAttribute("aria-describedby");
  });
});

describe("a conflict", () => {
  it("cannot be closed while it is being resolved", async () => {
    const held = pendingAnswer();
    const { user } = await openEditorScreen(
      {},
      {
        [`PATCH ${PATH}`]: (sent) =>
          (sent as { version: number }).version === 4
            ? {
                status: 409,
                json: {
                  ...failure("Changed elsewhere", "VERSION_CONFLICT"),
                  current: aPiece({ version: 9, body: "Theirs." }),
                },
              }
            : held.answer(),
      },
    );
    await user.type(screen.getByRole("textbox", { name: "Body" }), "!");
    await user.click(button("Save Changes"));
    await screen.findByRole("alertdialog");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    await user.click(button("Save Changes"));
    await user.click(await screen.findByRole("button", { name: "Keep mine" }));
    await user.keyboard("{Escape}");
    expect(screen.getByRole("alertdialog")).toBeVisible();
    expect(buttonStates("Keep mine")).toEqual(["busy"]);
    held.give({ json: aPiece({ version: 10 }) });
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  });
});
