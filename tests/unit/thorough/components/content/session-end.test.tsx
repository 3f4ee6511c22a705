/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import { ContentEditor } from "@/components/content/content-editor";
import { api } from "@/lib/client/api";
import { loadPage } from "@/lib/client/load-page";
import { toasts } from "@/lib/client/toast";
import type { ContentOut } from "@/lib/features/content/schema";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, renderSignedIn, SIGNED_OUT } from "@/tests/support/render";

jest.mock("next/navigation", () => ({
  useRouter: () => ({ push: jest.fn() }),
  usePathname: () => window.location.pathname,
}));
jest.mock("@/lib/client/load-page", () => ({ loadPage: jest.fn() }));

const PATH = `/api/content/${PIECE_ID}`;

beforeEach(() => window.history.replaceState(null, "", `/content/${PIECE_ID}`));
afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  toasts.clear();
  jest.mocked(loadPage).mockClear();
});

/** The editor; `signedIn: false` means that the server has ended the session. */
function open({ piece = {}, person = "maren" }: { piece?: Partial<ContentOut>; person?: string } = {}) {
  const server = { signedIn: true, piece: aPiece(piece) };
  const calls = mockApi({
    [`GET ${PATH}`]: () => ({ json: server.piece }),
    "GET /api/queue/status": () => SIGNED_OUT,
    [`PATCH ${PATH}`]: (body) => {
      if (!server.signedIn) return SIGNED_OUT;
      const { version, ...changes } = body as Partial<ContentOut>;
      if (version !== server.piece.version) {
        return { status: 409, json: { ...failure("Changed elsewhere", "VERSION_CONFLICT"), current: server.piece } };
      }
      server.piece = { ...server.piece, ...changes, version: server.piece.version + 1 };
      return { json: server.piece };
    },
  });
  const { user, unmount } = renderSignedIn(
    <ContentEditor id={PIECE_ID} place={{ projectTitle: "Garden", topicName: "Seeds", language: null }} />,
    person,
  );
  return { user, unmount, server, writes: () => calls.filter(({ method }) => method === "PATCH") };
}

const field = (name: string) => screen.findByRole("textbox", { name });
const dialog = () => screen.findByRole("alertdialog", { name: "Your session has ended" });
const BODY = "Water from below, not above.";

/** Background calls come back refused. */
const refuseBackgroundCalls = (calls = 1) =>
  act(async () => {
    const refused = Array.from({ length: calls }, () => api("GET", "/api/queue/status"));
    for (const each of await Promise.allSettled(refused)) expect(each).toMatchObject({ reason: { status: 401 } });
  });

/** Types, and learns on save that the session has ended. */
async function loseSession(piece: Partial<ContentOut> = {}) {
  const opened = open({ piece });
  opened.server.signedIn = false;
  await opened.user.type(await field("Body"), " Daily.");
  await opened.user.click(screen.getByRole("button", { name: "Save Changes" }));
  await dialog();
  return opened;
}

describe("a session that ended while there is unsaved text", () => {
  it("says so before leaving, and returns to the page after sign-in", async () => {
    const { user } = await loseSession();
    expect(await dialog()).toHaveTextContent(/not saved yet\. It is kept in this browser/);
    expect(loadPage).not.toHaveBeenCalled();
    expect(screen.getByText("Not saved yet")).toBeInTheDocument();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("button", { name: "Sign In" })).toHaveFocus();
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(loadPage).toHaveBeenCalledTimes(1);
    expect(loadPage).toHaveBeenCalledWith(`/auth?next=${encodeURIComponent(`/content/${PIECE_ID}`)}`);
    // The text is stored: the browser's own question would only confuse.
    expect(window.dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  });

  it("is announced once, however many calls fail, and keeps what was typed until then", async () => {
    const { user, unmount } = open();
    await user.type(await field("Title"), "!");
    await refuseBackgroundCalls(2);
    expect(await screen.findAllByRole("alertdialog", { name: "Your session has ended" })).toHaveLength(1);
    unmount();
    open();
    expect(await field("Title")).toHaveValue("Bottom watering, explained!");
  });

  it("leaves at once when nothing is unsaved", async () => {
    open();
    await field("Body");
    await refuseBackgroundCalls();
    expect(loadPage).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    expect(localStorage).toHaveLength(0);
  });
});

describe("after signing in again", () => {
  it("restores the text as unsaved changes, and says so", async () => {
    (await loseSession()).unmount();
    const { user, writes } = open();
    await waitFor(async () => expect(await field("Body")).toHaveValue(`${BODY} Daily.`));
    expect(screen.getByText("Unsaved changes")).toBeVisible();
    expect(await screen.findByText("Your text is back")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("Content has been updated successfully")).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ body: `${BODY} Daily.`, version: 4 });
    expect(localStorage).toHaveLength(0);
  });

  it("restores title, outline and status too", async () => {
    const outlined = { isOutline: true, hasOutline: true, outline: "## One", hasBody: false, body: "" };
    const { user, unmount } = open({ piece: outlined });
    await user.click(await screen.findByRole("button", { name: "Markdown" }));
    await user.type(await field("Outline"), "{Enter}## Two");
    await user.click(screen.getByRole("tab", { name: "Edit" }));
    await user.type(await field("Title"), "!");
    await user.click(screen.getByRole("combobox", { name: "Status" }));
    await user.click(screen.getByRole("option", { name: "Under Review" }));
    await refuseBackgroundCalls();
    await dialog();
    unmount();
    const { user: again } = open({ piece: outlined });
    expect(await field("Outline")).toHaveValue("## One\n## Two");
    await again.click(screen.getByRole("tab", { name: "Edit" }));
    expect(await field("Title")).toHaveValue("Bottom watering, explained!");
    expect(screen.getByRole("combobox", { name: "Status" })).toHaveTextContent("Under Review");
  });

  it("asks on save when the piece has changed meanwhile", async () => {
    (await loseSession()).unmount();
    const { user } = open({ piece: { version: 5, body: "Theirs." } });
    await waitFor(async () => expect(await field("Body")).toHaveValue(`${BODY} Daily.`));
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByRole("alertdialog", { name: "This piece was changed elsewhere" })).toBeVisible();
  });

  it("drops a status that publishing has locked meanwhile, and leaves nothing stored", async () => {
    const { user, unmount } = open();
    await field("Body");
    await user.click(screen.getByRole("combobox", { name: "Status" }));
    await user.click(screen.getByRole("option", { name: "Under Review" }));
    await refuseBackgroundCalls();
    unmount();
    open({ piece: { status: "wp_published", wpPostId: "12" } });
    await field("Body");
    expect(screen.queryByText("Unsaved changes")).not.toBeInTheDocument();
    expect(localStorage).toHaveLength(0);
  });

  it("hides the text from another user, and restores it for its owner", async () => {
    (await loseSession()).unmount();
    const other = open({ person: "somebody-else" });
    expect(await field("Body")).toHaveValue(BODY);
    other.unmount();
    open();
    await waitFor(async () => expect(await field("Body")).toHaveValue(`${BODY} Daily.`));
  });
});

it("keeps what was typed in a piece left with the browser's Back button", async () => {
  const { user, unmount } = open();
  await user.type(await field("Body"), " Daily.");
  unmount();
  const settings = renderSignedIn(<p>Settings</p>);
  await refuseBackgroundCalls();
  await dialog();
  settings.unmount();
  open();
  await waitFor(async () => expect(await field("Body")).toHaveValue(`${BODY} Daily.`));
});
