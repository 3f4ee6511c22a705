/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { apiEvents } from "@/lib/client/event-stream";
import type { ContentOut } from "@/lib/features/content/schema";
import type { Unfinished } from "@/lib/features/generation/schema";
import { openEditor, PATH } from "@/tests/support/content-editor";
import { aPiece } from "@/tests/support/pieces";
import { failure, pendingAnswer } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

const NOTICE = "The AI did not finish “Beta”";
const OUTLINED = { isOutline: true, hasOutline: true, outline: "## Alpha\n\n## Beta" };
const BROKEN = { heading: "Beta", text: "Water from below.", isShown: false, goesOn: "all" } as const;
const WITH_BODY = { ...OUTLINED, body: "By hand.", hasBody: true };

/** A text that ends when the test says so. */
function holdStream() {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  jest.mocked(apiEvents).mockImplementation(async function* () {
    yield { event: "section", data: { index: 1, count: 2, heading: "Beta", restart: false } };
    await finished;
    yield { event: "done", data: { message: "Written.", content: aPiece({ ...WITH_BODY, version: 9 }) } };
  });
  return () => act(async () => finish());
}

/** The editor of a piece with this unfinished section, which the test may change. */
async function open(first: Unfinished, parts: Partial<ContentOut> = OUTLINED, table = {}) {
  holdStream();
  jest.mocked(apiEvents).mockClear();
  const server = { unfinished: first };
  const opened = openEditor(parts, {
    [`GET ${PATH}/unfinished`]: () => ({ json: { unfinished: server.unfinished } }),
    [`DELETE ${PATH}/unfinished`]: () => {
      server.unfinished = null;
      return { status: 204 };
    },
    ...table,
  });
  await screen.findByRole("button", { name: "Save Changes" });
  if (first) await screen.findByRole("alert");
  return { ...opened, server };
}

const button = (name: string) => screen.queryByRole("button", { name });
const written = () => jest.mocked(apiEvents).mock.calls.map(([url]) => url);
const press = async (user: Awaited<ReturnType<typeof open>>["user"], name: string) =>
  user.click(screen.getByRole("button", { name }));

it("says which section is unfinished, how much of it is kept and what to do next", async () => {
  await open(BROKEN);
  const notice = screen.getByRole("alert");
  expect(notice).toHaveTextContent(NOTICE);
  expect(notice).toHaveTextContent(
    "What it wrote so far is kept: 3 words. Press Continue to have the AI write the rest.",
  );
  expect(within(notice).getByRole("group")).toHaveTextContent("Water from below.");
});

it("counts one word in the singular", async () => {
  await open({ ...BROKEN, text: "Water." });
  expect(screen.getByRole("alert")).toHaveTextContent("kept: 1 word.");
});

it("says nothing of a piece that has no unfinished section", async () => {
  await open(null);
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

describe("Continue", () => {
  it("writes on at once where there is no text yet, and the notice is hidden meanwhile", async () => {
    const { user } = await open(BROKEN);
    await press(user, "Continue");
    await waitFor(() => expect(written()).toEqual([`${PATH}/generate-from-outline`]));
    expect(screen.queryByText(/did not finish/)).not.toBeInTheDocument();
  });

  it("writes on at once where the text is only what the provider wrote", async () => {
    const { user } = await open({ ...BROKEN, isShown: true }, WITH_BODY);
    await press(user, "Continue");
    await waitFor(() => expect(written()).toEqual([`${PATH}/generate-from-outline`]));
  });

  it("writes only what is missing where sections were being added to a text", async () => {
    const { user } = await open({ ...BROKEN, goesOn: "missing" }, WITH_BODY);
    await press(user, "Continue");
    await waitFor(() => expect(written()).toEqual([`${PATH}/generate-from-outline?which=missing`]));
  });

  it("asks before it replaces a text that was written by hand", async () => {
    const { user } = await open(BROKEN, WITH_BODY);
    await press(user, "Continue");
    expect(await screen.findByRole("alertdialog", { name: "Replace the body?" })).toBeVisible();
    expect(written()).toEqual([]);
  });

  it("asks before it replaces what was typed into the provider's text a moment ago", async () => {
    const { user, server, writes } = await open({ ...BROKEN, isShown: true }, WITH_BODY);
    await user.click(screen.getByRole("tab", { name: "Edit" }));
    await user.type(screen.getByRole("textbox", { name: "Body" }), " More.");
    // Saving makes it the user's own.
    server.unfinished = { ...BROKEN, isShown: false };
    await press(user, "Continue");
    expect(await screen.findByRole("alertdialog", { name: "Replace the body?" })).toBeVisible();
    expect(writes()).toMatchObject([{ method: "PATCH", body: { body: "By hand. More." } }]);
    expect(written()).toEqual([]);
  });

  it("asks before it replaces a long text that was pasted a moment ago", async () => {
    const { user } = await open(BROKEN, WITH_BODY);
    await user.click(screen.getByRole("tab", { name: "Edit" }));
    await user.clear(screen.getByRole("textbox", { name: "Body" }));
    await user.paste("A long text. ".repeat(200));
    await press(user, "Continue");
    expect(await screen.findByRole("alertdialog", { name: "Replace the body?" })).toBeVisible();
    expect(written()).toEqual([]);
  });

  it("saves what was edited since, and pays for nothing if that left nothing to go on from", async () => {
    const { user, server, writes } = await open(BROKEN);
    await user.click(screen.getByRole("tab", { name: "Edit" }));
    await user.type(screen.getByRole("textbox", { name: "Title" }), " again");
    server.unfinished = { ...BROKEN, goesOn: null };
    await press(user, "Continue");
    expect(await screen.findByText(/the AI cannot continue from there/)).toBeVisible();
    expect(writes()).toHaveLength(1);
    expect(written()).toEqual([]);
    expect(button("Continue")).not.toBeInTheDocument();
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("shows what another window has made of the section, and pays for nothing", async () => {
    const { user, server, changeElsewhere } = await open(BROKEN);
    server.unfinished = null;
    changeElsewhere({ title: "Finished elsewhere" });
    await press(user, "Continue");
    expect(await screen.findByText("Nothing to continue")).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/did not finish/)).not.toBeInTheDocument());
    expect(await screen.findByRole("heading", { level: 1, name: "Finished elsewhere" })).toBeInTheDocument();
    expect(written()).toEqual([]);
  });

  it("says why it cannot go on, and can be pressed again", async () => {
    let isDown = false;
    const { user } = await open(BROKEN, OUTLINED, {
      [`GET ${PATH}/unfinished`]: () =>
        isDown
          ? { status: 503, json: failure("Busy for a moment.", "SERVICE_UNAVAILABLE") }
          : { json: { unfinished: BROKEN } },
    });
    isDown = true;
    await press(user, "Continue");
    expect(await screen.findByText("Busy for a moment.")).toBeVisible();
    isDown = false;
    await press(user, "Continue");
    await waitFor(() => expect(written()).toHaveLength(1));
  });

  it("writes once, however often it is pressed", async () => {
    let asked = 0;
    const { answer, give } = pendingAnswer();
    const { user } = await open(BROKEN, OUTLINED, {
      [`GET ${PATH}/unfinished`]: () => {
        asked += 1;
        return asked === 1 ? { json: { unfinished: BROKEN } } : answer();
      },
    });
    await user.dblClick(screen.getByRole("button", { name: "Continue" }));
    expect(button("Continue")).toHaveAttribute("aria-busy", "true");
    give({ json: { unfinished: BROKEN } });
    await waitFor(() => expect(written()).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([asked, written().length]).toEqual([2, 1]);
  });
});

describe("Drop", () => {
  it("asks first, and keeps the section when the answer is no", async () => {
    const { user, writes } = await open(BROKEN);
    await press(user, "Drop");
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Cancel" }));
    expect(writes()).toEqual([]);
    expect(screen.getByText(/did not finish/)).toBeVisible();
  });

  it("deletes the section and leaves the focus near where it was", async () => {
    const { user, writes } = await open(BROKEN);
    await press(user, "Drop");
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Drop" }));
    await waitFor(() => expect(screen.queryByText(/did not finish/)).not.toBeInTheDocument());
    expect(writes()).toMatchObject([{ method: "DELETE", url: `${PATH}/unfinished` }]);
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("says when it failed, and can be pressed again", async () => {
    const { user } = await open(BROKEN, OUTLINED, {
      [`DELETE ${PATH}/unfinished`]: () => ({
        status: 503,
        json: failure("Busy for a moment.", "SERVICE_UNAVAILABLE"),
      }),
    });
    await press(user, "Drop");
    const question = await screen.findByRole("alertdialog");
    await user.click(within(question).getByRole("button", { name: "Drop" }));
    expect(await screen.findByText("Busy for a moment.")).toBeInTheDocument();
    expect(question).toBeVisible();
  });
});

it("shows neither the text nor Drop where the piece has that text", async () => {
  await open({ ...BROKEN, isShown: true }, WITH_BODY);
  expect(screen.getByRole("alert")).toHaveTextContent(
    "The text ends partway through it. Press Continue to have the AI write the rest.",
  );
  expect(screen.queryByText("Show the unfinished text")).not.toBeInTheDocument();
  expect([button("Drop"), button("Dismiss")]).toEqual([null, null]);
});

it("says what to do with a section that cannot be continued", async () => {
  await open({ ...BROKEN, goesOn: null });
  expect(screen.getByRole("alert")).toHaveTextContent(/cannot continue from there\. Copy what you want to keep\./);
  expect([button("Continue"), button("Drop")]).toEqual([null, expect.anything()]);
});

it("can be dismissed where the piece has the text and the AI cannot continue it", async () => {
  const { user, writes } = await open({ ...BROKEN, isShown: true, goesOn: null }, WITH_BODY);
  expect(screen.getByRole("alert")).toHaveTextContent(/Finish it yourself, or have the AI write it again\./);
  await press(user, "Dismiss");
  await waitFor(() => expect(screen.queryByText(/did not finish/)).not.toBeInTheDocument());
  expect(writes()).toMatchObject([{ method: "DELETE", url: `${PATH}/unfinished` }]);
});

it("is read again once an edit is saved", async () => {
  const { user, server } = await open(BROKEN);
  server.unfinished = { ...BROKEN, goesOn: null };
  await user.click(screen.getByRole("tab", { name: "Edit" }));
  await user.type(screen.getByRole("textbox", { name: "Title" }), " again");
  await press(user, "Save Changes");
  expect(await screen.findByText(/cannot continue from there/)).toBeVisible();
});
