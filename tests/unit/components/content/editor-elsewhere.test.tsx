/** @jest-environment jsdom */
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ContentEditor } from "@/components/content/content-editor";
import { markChanged } from "@/lib/client/live";
import { keys } from "@/lib/client/query-keys";
import type { ContentOut } from "@/lib/features/content/schema";
import { aPiece, PIECE_ID } from "@/tests/support/pieces";
import { answerCalls, failure, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));

const PATH = `/api/content/${PIECE_ID}`;
const GONE = { status: 404, json: failure("This piece was not found. It may have been deleted.", "NOT_FOUND") };

/** The editor of a piece whose answer is what the server has now. */
async function open(first: Partial<ContentOut> = {}) {
  let stored: { status?: number; json: unknown } = { json: aPiece(first) };
  answerCalls({ [`GET ${PATH}`]: () => stored });
  const { client } = renderScreen(
    <ContentEditor id={PIECE_ID} place={{ projectTitle: "Garden", topicName: "Seeds" }} />,
  );
  await screen.findByRole("button", { name: "Save Changes" });
  /** Another tab, a queue or the AI has left it so; nobody here knows yet. */
  function isNow(next: typeof stored) {
    stored = next;
  }
  async function becomes(next: typeof stored) {
    isNow(next);
    await act(async () => markChanged(client, [{ noun: "piece", contentId: PIECE_ID }]));
  }
  const tab = (name: string) => screen.getByRole("tab", { name });
  return { client, isNow, becomes, tab, user: userEvent.setup() };
}

const OUTLINED = { json: aPiece({ isOutline: true, outline: "## Water\nFrom below.", version: 2 }) };

describe("a piece whose outline a queue has written", () => {
  it("opens the outline's tab, as it would be found by whoever opens it now", async () => {
    const { becomes, tab } = await open({ isTitleOnly: true, body: "" });
    expect(tab("Edit")).toHaveAttribute("aria-selected", "true");
    await becomes(OUTLINED);
    await waitFor(() => expect(tab("Outline")).toHaveAttribute("aria-selected", "true"));
  });

  it("leaves somebody where they have chosen to be", async () => {
    const { becomes, tab, user } = await open();
    await user.click(tab("Preview"));
    await becomes(OUTLINED);
    await waitFor(() => expect(tab("Outline")).toBeEnabled());
    expect(tab("Preview")).toHaveAttribute("aria-selected", "true");
  });

  it("and somebody who types where they type", async () => {
    const { becomes, tab, user } = await open();
    await user.type(screen.getByRole("textbox", { name: "Body" }), " More.");
    await becomes(OUTLINED);
    await waitFor(() => expect(tab("Outline")).toBeEnabled());
    expect(tab("Edit")).toHaveAttribute("aria-selected", "true");
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("Water from below, not above. More.");
  });
});

describe("a piece that was deleted elsewhere", () => {
  it("is not found", async () => {
    const { becomes } = await open();
    await becomes(GONE);
    expect(await screen.findByText("Content not found")).toBeVisible();
    expect(screen.getByText("The content you're looking for doesn't exist or has been deleted.")).toBeVisible();
  });

  it("keeps what was typed, and says so", async () => {
    const { becomes, user } = await open();
    await user.type(screen.getByRole("textbox", { name: "Body" }), " More.");
    await becomes(GONE);
    expect(await screen.findByText("This piece was deleted")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Body" })).toHaveValue("Water from below, not above. More.");
  });
});

describe("a piece that the AI writes for another page", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("says so, looks again until it is done, and marks the lists", async () => {
    const { client, isNow, tab } = await open({ isBeingWritten: true });
    client.setQueryData(keys.topicContent(3, 7), { pages: [], pageParams: [] });
    expect(screen.getByText("The AI is writing this piece")).toBeVisible();
    await act(() => jest.advanceTimersByTimeAsync(5_100));
    expect(screen.getByText("The AI is writing this piece")).toBeVisible();
    expect(client.getQueryState(keys.topicContent(3, 7))?.isInvalidated).toBe(false);
    isNow(OUTLINED);
    await act(() => jest.advanceTimersByTimeAsync(5_100));
    expect(screen.queryByText("The AI is writing this piece")).not.toBeInTheDocument();
    expect(tab("Outline")).toHaveAttribute("aria-selected", "true");
    expect(client.getQueryState(keys.topicContent(3, 7))?.isInvalidated).toBe(true);
  });
});
