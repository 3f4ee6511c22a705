/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ContentEditor } from "@/components/content/content-editor";
import { invalidate } from "@/lib/client/invalidation";
import { keys } from "@/lib/client/query-keys";
import type { ContentOut } from "@/lib/features/content/schema";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));

const PATH = `/api/content/${PIECE_ID}`;
const GONE = { status: 404, json: failure("This piece was not found. It may have been deleted.", "NOT_FOUND") };

/** The editor, with a mock server whose stored piece can change. */
async function open(first: Partial<ContentOut> = {}) {
  let stored: { status?: number; json: unknown } = { json: aPiece(first) };
  mockApi({ [`GET ${PATH}`]: () => stored });
  const { client } = renderScreen(
    <ContentEditor id={PIECE_ID} place={{ projectTitle: "Garden", topicName: "Seeds", language: null }} />,
  );
  await screen.findByRole("button", { name: "Save Changes" });
  /** Another tab, a queue or the AI has changed the piece; this page does not know yet. */
  function setStored(next: typeof stored) {
    stored = next;
  }
  async function changeElsewhere(next: typeof stored) {
    setStored(next);
    await act(async () => invalidate(client, [{ noun: "piece", contentId: PIECE_ID }]));
  }
  const tab = (name: string) => screen.getByRole("tab", { name });
  return { client, setStored, changeElsewhere, tab, user: userEvent.setup() };
}

const OUTLINED = {
  json: aPiece({ isOutline: true, outline: "## Water\nFrom below.", hasBody: false, body: "", version: 5 }),
};

describe("a piece whose outline a queue has written", () => {
  it("switches to the Outline tab, as when it is opened now", async () => {
    const { changeElsewhere, tab } = await open({ isTitleOnly: true, body: "" });
    expect(tab("Edit")).toHaveAttribute("aria-selected", "true");
    await changeElsewhere(OUTLINED);
    await waitFor(() => expect(tab("Outline")).toHaveAttribute("aria-selected", "true"));
  });

  it("stays on the tab the user has chosen", async () => {
    const { changeElsewhere, tab, user } = await open();
    await user.click(tab("Preview"));
    await changeElsewhere(OUTLINED);
    await waitFor(() => expect(tab("Outline")).toBeEnabled());
    expect(tab("Preview")).toHaveAttribute("aria-selected", "true");
  });

  it("stays on Edit while the user is typing", async () => {
    const { changeElsewhere, tab, user } = await open();
    await user.type(screen.getByRole("textbox", { name: "Body" }), " More.");
    await changeElsewhere(OUTLINED);
    await waitFor(() => expect(tab("Outline")).toBeEnabled());
    expect(tab("Edit")).toHaveAttribute("aria-selected", "true");
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("Water from below, not above. More.");
  });
});

describe("a piece that was deleted elsewhere", () => {
  it("is shown as not found", async () => {
    const { changeElsewhere } = await open();
    await changeElsewhere(GONE);
    expect(await screen.findByText("Content not found")).toBeVisible();
    expect(screen.getByText("The content you're looking for doesn't exist or has been deleted.")).toBeVisible();
  });

  it("keeps what was typed, and says that the piece was deleted", async () => {
    const { changeElsewhere, user } = await open();
    await user.type(screen.getByRole("textbox", { name: "Body" }), " More.");
    await changeElsewhere(GONE);
    expect(await screen.findByText("This piece was deleted")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("Water from below, not above. More.");
  });
});

describe("a piece that the AI is writing for another page", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("says so, polls until it is done, and invalidates the lists", async () => {
    const { client, setStored, tab } = await open({ isBeingWritten: true });
    client.setQueryData(keys.topicContent(3, 7), { pages: [], pageParams: [] });
    expect(screen.getByText("The AI is writing this piece")).toBeVisible();
    await act(() => jest.advanceTimersByTimeAsync(5_100));
    expect(screen.getByText("The AI is writing this piece")).toBeVisible();
    expect(client.getQueryState(keys.topicContent(3, 7))?.isInvalidated).toBe(false);
    setStored(OUTLINED);
    await act(() => jest.advanceTimersByTimeAsync(5_100));
    expect(screen.queryByText("The AI is writing this piece")).not.toBeInTheDocument();
    expect(tab("Outline")).toHaveAttribute("aria-selected", "true");
    expect(client.getQueryState(keys.topicContent(3, 7))?.isInvalidated).toBe(true);
  });
});
