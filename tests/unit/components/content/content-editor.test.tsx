/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { apiEvents } from "@/lib/client/event-stream";
import { keys } from "@/lib/client/query-keys";
import { openEditor, PATH } from "@/tests/support/content-editor";
import { lookAtMarkdown } from "@/tests/support/outline-view";
import { aPiece } from "@/tests/support/pieces";
import { failure, pendingAnswer, pressAndConfirm } from "@/tests/support/render";

lookAtMarkdown();

const push = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

const body = () => screen.findByRole("textbox", { name: "Body" });
const button = (name: string) => screen.getByRole("button", { name });
/** Beside the outline; phones have the button in the page's bar instead. */
const outlineButton = (name: string) =>
  within(screen.getByRole("region", { name: "Outline" })).getByRole("button", { name });

afterEach(() => push.mockClear());

describe("saving", () => {
  it("sends what changed and the version it is based on", async () => {
    const { user, writes } = openEditor();
    await user.type(await body(), " Daily.");
    expect(screen.getByText("Unsaved changes")).toBeVisible();
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    expect(writes()).toEqual([
      { method: "PATCH", url: PATH, body: { body: "Water from below, not above. Daily.", version: 4 } },
    ]);
    expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
  });

  it.each([
    ["Ctrl+S", async (user: UserEvent) => user.keyboard("{Control>}ss{/Control}")],
    ["Save Changes", async (user: UserEvent) => user.dblClick(button("Save Changes"))],
    ["Save Outline", async (user: UserEvent) => user.dblClick(button("Save Outline"))],
  ])("saves once, however often %s is pressed before the server answers", async (_name, press) => {
    const { answer, give } = pendingAnswer();
    const { user, writes } = openEditor({ isOutline: true, outline: "## One" }, { [`PATCH ${PATH}`]: answer });
    await user.type(await screen.findByRole("textbox", { name: "Outline" }), "{Enter}## Two");
    await press(user);
    give({ json: aPiece({ isOutline: true, outline: "## One\n## Two", hasBody: false, body: "", version: 5 }) });
    await screen.findByText("Content has been updated successfully");
    expect(writes()).toHaveLength(1);
  });

  it("bases the next save on the saved version", async () => {
    const { user, writes } = openEditor();
    await user.type(await body(), "!");
    await user.click(button("Save Changes"));
    await screen.findByText("Content has been updated successfully");
    await user.type(await body(), "!");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(writes()).toHaveLength(2));
    expect(writes()[1]?.body).toMatchObject({ version: 5 });
  });

  it("makes a title-only piece full content with its first body", async () => {
    const { user, writes } = openEditor({ isTitleOnly: true, hasBody: false, body: "" });
    expect(await screen.findByText("Only Title")).toBeVisible();
    expect(screen.getByText("Title-Only Content")).toBeVisible();
    await user.type(await body(), "A first line.");
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Content Created")).toBeVisible();
    expect(writes()[0]?.body).toEqual({ body: "A first line.", isTitleOnly: false, version: 4 });
    expect(screen.queryByText("Title-Only Content")).not.toBeInTheDocument();
  });

  it.each([
    ["Save Changes", (user: UserEvent) => user.click(button("Save Changes"))],
    ["Publish to WordPress", (user: UserEvent) => pressAndConfirm(user, button("Publish to WordPress"))],
  ])("asks for a title where %s meets a blank one", async (_action, press) => {
    const { user, writes } = openEditor({ isTitleOnly: false });
    await user.clear(await screen.findByRole("textbox", { name: "Title" }));
    await user.click(screen.getByRole("tab", { name: "Preview" }));
    await press(user);
    const title = await screen.findByRole("textbox", { name: "Title" });
    await waitFor(() => expect(title).toHaveFocus());
    expect(title).toHaveAccessibleDescription("Give this piece a title before you save it.");
    expect(await screen.findByText("Error")).toBeVisible();
    expect(writes()).toEqual([]);
  });

  it("keeps what was typed when the server fails", async () => {
    const { user } = openEditor({}, { [`PATCH ${PATH}`]: () => ({ status: 500, json: {} }) });
    await user.type(await body(), " More.");
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Error updating content")).toBeVisible();
    expect(await body()).toHaveValue("Water from below, not above. More.");
    expect(screen.getByText("Not saved yet")).toBeVisible();
  });

  describe.each([
    [
      409,
      "STORAGE_FULL",
      "There is no room left in your account. Delete pieces or projects you no longer need, then try again.",
    ],
    [429, "RATE_LIMITED", "You saved too many times within a minute. Wait a little, then save again."],
  ])("when refused with %i %s", (status, type, sentence) => {
    function openRefusing() {
      let refuses = true;
      const opened = openEditor(
        {},
        {
          [`PATCH ${PATH}`]: (changes) =>
            refuses
              ? { status, json: failure(sentence, type) }
              : { json: aPiece({ ...(changes as object), version: 5 }) },
        },
      );
      const accept = () => {
        refuses = false;
      };
      return { ...opened, accept };
    }

    it("keeps what was typed, says what to do, and saves it on the next try", async () => {
      const { user, writes, accept } = openRefusing();
      await user.type(await body(), " More.");
      await user.click(button("Save Changes"));
      expect(await screen.findByText(`${sentence} What you typed is still here.`)).toBeVisible();
      expect(await body()).toHaveValue("Water from below, not above. More.");
      expect(screen.getByText("Not saved yet")).toBeVisible();
      expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
      expect(writes()).toHaveLength(1);
      accept();
      await user.click(button("Save Changes"));
      expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
      expect(writes()).toHaveLength(2);
      expect(writes()[1]).toEqual(writes()[0]);
      expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
    });

    it("does not call the AI while the text is unsaved", async () => {
      const { user, writes } = openRefusing();
      await user.type(await body(), " More.");
      await user.click(outlineButton("Generate Outline"));
      expect(await screen.findByText(new RegExp(sentence))).toBeVisible();
      expect(await body()).toHaveValue("Water from below, not above. More.");
      expect(writes()).toHaveLength(1);
    });
  });

  it("does not count surrounding white space as a change", async () => {
    const { user } = openEditor();
    await user.type(await body(), "{Enter} ");
    expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
  });
});

describe("publishing", () => {
  it("makes a scheduled post live once the user says so", async () => {
    const { user, writes } = openEditor({ status: "wp_draft", wpPostId: "12", wpPostStatus: "future" });
    await body();
    await user.click(button("Publish to WordPress"));
    await user.click(await screen.findByRole("button", { name: "Publish now" }));
    await waitFor(() => expect(writes()).toEqual([expect.objectContaining({ body: { now: true } })]));
  });

  it("saves unsaved changes first", async () => {
    const { user, writes } = openEditor();
    await user.type(await body(), " Daily.");
    await pressAndConfirm(user, button("Publish to WordPress"));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(writes().map(({ method, url }) => `${method} ${url}`)).toEqual([`PATCH ${PATH}`, `POST ${PATH}/publish`]);
    expect(button("Unpublish from WordPress")).toBeVisible();
  });

  it.each(["Publish to WordPress", "Unpublish from WordPress"])("does nothing when “%s” is cancelled", async (name) => {
    const { user, writes } = openEditor(name.startsWith("Un") ? { status: "wp_published", wpPostId: "12" } : {});
    await user.type(await body(), " Daily.");
    await user.click(button(name));
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Cancel" }));
    expect(button(name)).toHaveFocus();
    expect(screen.getByText("Unsaved changes")).toBeVisible();
    expect(writes()).toEqual([]);
  });

  it("does not publish a text that could not be saved", async () => {
    const { user, writes } = openEditor({}, { [`PATCH ${PATH}`]: () => ({ status: 500, json: {} }) });
    await user.type(await body(), " Daily.");
    await pressAndConfirm(user, button("Publish to WordPress"));
    await screen.findByText("Error updating content");
    expect(writes().map(({ method }) => method)).toEqual(["PATCH"]);
  });

  it("asks before overwriting a post that was edited on the site", async () => {
    let isForced = false;
    const { user, writes } = openEditor(
      {},
      {
        [`POST ${PATH}/publish`]: (sent) => {
          isForced = (sent as { force?: boolean }).force === true;
          return isForced
            ? { json: aPiece({ status: "wp_published", wpPostId: "12" }) }
            : { status: 409, json: failure("Edited on the site", "REMOTE_CHANGED") };
        },
      },
    );
    await body();
    await pressAndConfirm(user, button("Publish to WordPress"));
    await user.click(await screen.findByRole("button", { name: "Publish anyway" }));
    expect(await screen.findByText("Content published to WordPress successfully")).toBeVisible();
    expect(writes().map((call) => call.body)).toEqual([{}, { force: true }]);
  });

  it("says that credentials are missing", async () => {
    const sentence = "WordPress credentials not found. Please add them in your profile settings.";
    const { user } = openEditor(
      {},
      { [`POST ${PATH}/publish`]: () => ({ status: 400, json: failure(sentence, "MISSING_CREDENTIALS") }) },
    );
    await body();
    await pressAndConfirm(user, button("Publish to WordPress"));
    expect(await screen.findByText("Credentials Required")).toBeVisible();
    expect(screen.getByText("Please add your WordPress credentials in your profile settings.")).toBeVisible();
  });

  it("is disabled with a reason while there is no body", async () => {
    const { user, writes } = openEditor({ body: "" });
    await body();
    await user.click(button("Publish to WordPress"));
    expect(button("Publish to WordPress")).toHaveAttribute("aria-disabled", "true");
    expect(writes()).toEqual([]);
  });

  it("shows why the last publish failed", async () => {
    openEditor({ status: "wp_failed", publishError: "The site answered 403." });
    expect(await screen.findByText("The site answered 403.")).toBeVisible();
  });

  it("locks the status of a live piece, and offers Sync Status for it", async () => {
    openEditor({ status: "wp_published", wpPostId: "12" });
    await body();
    expect(screen.getByRole("combobox", { name: "Status" })).toBeDisabled();
    expect(screen.getByText("Unpublish first to change the status")).toBeVisible();
    expect(button("Sync Status")).toBeEnabled();
  });

  it("disables Sync Status for a piece that is not on the site", async () => {
    openEditor();
    await body();
    expect(button("Sync Status")).toBeDisabled();
  });
});

describe("the tabs", () => {
  it("open on Edit, with Outline disabled while there is none", async () => {
    openEditor();
    expect(await screen.findByRole("tab", { name: "Edit", selected: true })).toBeVisible();
    expect(screen.getByRole("tab", { name: "Outline" })).toBeDisabled();
  });

  it("open on Edit once a text was written from the outline", async () => {
    openEditor({ isOutline: true, hasOutline: true, outline: "## One", hasBody: true, body: "Written." });
    expect(await screen.findByRole("tab", { name: "Edit", selected: true })).toBeVisible();
    expect(screen.getByRole("tab", { name: "Outline" })).toBeEnabled();
  });

  it("open on Outline for outline content", async () => {
    openEditor({ isOutline: true, hasOutline: true, outline: "## One" });
    expect(await screen.findByRole("textbox", { name: "Outline" })).toHaveValue("## One");
    expect(screen.getByRole("tab", { name: "Outline", selected: true })).toBeVisible();
  });

  it("show the figures of the text on the screen", async () => {
    const { user } = openEditor({ title: "Water from below", body: "Water from below. Then wait." });
    await user.type(await body(), " Water from below!");
    await user.click(screen.getByRole("tab", { name: "SEO Assistant" }));
    expect(screen.getByText("Word count").nextSibling).toHaveTextContent("8");
    expect(screen.getByText("25.00%")).toBeVisible();
    const preview = screen.getByRole("heading", { name: "Snippet preview" }).nextElementSibling as HTMLElement;
    expect(within(preview).getByText(/water-from-below$/)).toBeVisible();
  });

  it("name the site that is connected in the snippet", async () => {
    const { user, client } = openEditor({ title: "Water from below" });
    await user.click(await screen.findByRole("tab", { name: "SEO Assistant" }));
    const snippet = screen.getByRole("heading", { name: "Snippet preview" }).nextElementSibling;
    expect(snippet).toHaveTextContent(/^your site › water-from-below/);
    act(() => void client.setQueryData(keys.user(), { wordpressUrl: "https://blog.example.com/de" }));
    await waitFor(() => expect(snippet).toHaveTextContent(/^blog\.example\.com › water-from-below/));
  });
});

describe("the outline", () => {
  it("is saved on its own, and makes the piece outline content", async () => {
    const { user, writes } = openEditor({ isOutline: true, outline: "## One" });
    await user.type(await screen.findByRole("textbox", { name: "Outline" }), "{Enter}## Two");
    await user.click(button("Save Outline"));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    expect(writes()[0]?.body).toEqual({ outline: "## One\n## Two", isOutline: true, version: 4 });
  });

  it("keeps unsaved edits of other fields, to be saved on the new version", async () => {
    const { user, writes } = openEditor({ isOutline: true, outline: "## One" });
    await user.click(await screen.findByRole("tab", { name: "Edit" }));
    await user.type(screen.getByRole("textbox", { name: "Title" }), " in spring");
    await user.click(screen.getByRole("tab", { name: "Outline" }));
    await user.type(screen.getByRole("textbox", { name: "Outline" }), "{Enter}## Two");
    await user.click(button("Save Outline"));
    await screen.findByText("Content has been updated successfully");
    await user.click(screen.getByRole("tab", { name: "Edit" }));
    expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Bottom watering, explained in spring");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() =>
      expect(writes().map((write) => write.body)).toEqual([
        { outline: "## One\n## Two", isOutline: true, version: 4 },
        { title: "Bottom watering, explained in spring", version: 5 },
      ]),
    );
  });

  it("can be written by hand", async () => {
    const { user, writes } = openEditor();
    await body();
    await user.click(button("Write my own outline"));
    await user.type(screen.getByRole("textbox", { name: "Outline" }), "## One");
    await user.click(button("Save Outline"));
    await waitFor(() => expect(writes()[0]?.body).toEqual({ outline: "## One", isOutline: true, version: 4 }));
  });

  it("is expanded by the AI once confirmed, streamed to the screen, and saved in the body", async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const written = aPiece({ isOutline: true, outline: "## One", body: "## One\n\nWritten.", version: 5 });
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "section", data: { index: 0, count: 2, heading: "One", restart: false } };
      yield { event: "delta", data: { text: "As it is " } };
      yield { event: "delta", data: { text: "written" } };
      await finished;
      yield { event: "done", data: { message: "Content generated successfully from outline", content: written } };
    });
    const { user } = openEditor({ isOutline: true, outline: "## One", body: "Written before.", hasBody: true });
    await user.click(await screen.findByRole("tab", { name: "Outline" }));
    await user.click(outlineButton("Write Content with AI"));
    const dialog = screen.getByRole("alertdialog", { name: "Replace the body?" });
    await user.click(within(dialog).getByRole("button", { name: "Write Content with AI" }));
    expect(await screen.findByText("As it is written")).toBeVisible();
    expect(screen.getByText("Section 1 of 2")).toBeVisible();
    // A second click while it runs does nothing.
    await user.click(outlineButton("Write Content with AI"));
    expect(apiEvents).toHaveBeenCalledTimes(1);
    await act(async () => finish());
    expect(await screen.findByText("Content generated successfully from outline")).toBeVisible();
    expect(await body()).toHaveValue("## One\n\nWritten.");
  });
});

it("offers to try again when the piece fails to load", async () => {
  let fails = true;
  const { user } = openEditor({}, { [`GET ${PATH}`]: () => (fails ? { status: 500, json: {} } : { json: aPiece() }) });
  expect(await screen.findByText("Error fetching content")).toBeVisible();
  fails = false;
  await user.click(button("Try again"));
  expect(await body()).toBeVisible();
});

it("invalidates the lists that show the piece after a save", async () => {
  const { user, client } = openEditor();
  client.setQueryData(keys.library({ topicId: 7 }), { pages: [], pageParams: [] });
  await user.type(await body(), "!");
  await user.click(button("Save Changes"));
  await screen.findByText("Content has been updated successfully");
  expect(client.getQueryState(keys.library({ topicId: 7 }))?.isInvalidated).toBe(true);
});
