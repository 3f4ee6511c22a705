/** @jest-environment jsdom */
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { conversationOf } from "@/components/assistant/kept-conversation";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import { stopSaving } from "@/lib/client/sign-out";
import { forgetTab } from "@/lib/client/tab-storage";
import { log, MESSAGE, SESSION, START, started, type Table } from "@/tests/support/conversation";
import { failure, mockApi, polyfillBrowser } from "@/tests/support/render";

const field = () => screen.getByPlaceholderText("Type your message...");
const sendButton = () => screen.getByRole("button", { name: "Send message" });

describe("a reload of the tab", () => {
  beforeEach(() => forgetTab());

  /** As the page is after a load: with another query client. */
  function load(table: Table, { userId = "maren", projectId = 3 }: { userId?: string; projectId?: number } = {}) {
    const calls = mockApi({ [START]: started, ...table });
    const client = createQueryClient();
    client.setQueryData(keys.user(), { id: userId });
    polyfillBrowser();
    const result = render(
      <QueryClientProvider client={client}>
        <ConversationScreen projectId={projectId} />
      </QueryClientProvider>,
    );
    return { ...result, calls, client, user: userEvent.setup() };
  }

  const keptKeys = () => Object.keys(sessionStorage).filter((key) => key.startsWith("tab:"));
  const yes: Table = { [MESSAGE]: () => ({ json: { response: "Yes." } }) };

  async function talk(table: Table = yes) {
    const page = load(table);
    await screen.findByText(/What would you like to plan/);
    await page.user.type(field(), "Is it spring?{Enter}");
    return page;
  }

  it("keeps the conversation and the message that was not sent, and goes on in its session", async () => {
    const before = await talk();
    await log().findByText("Yes.");
    await before.user.type(field(), "And then");
    before.unmount();
    const after = load(yes);
    expect(log().getByText("Yes.")).toBeVisible();
    expect(field()).toHaveValue("And then");
    await after.user.click(sendButton());
    await waitFor(() => expect(log().getAllByText("Yes.")).toHaveLength(2));
    expect(after.calls).toEqual([
      { method: "POST", url: "/api/chat/message", body: { message: "And then", sessionId: SESSION } },
    ]);
  });

  it.each([{ userId: "timo" }, { projectId: 4 }])("does not show it to %j", async (other) => {
    const before = await talk();
    await log().findByText("Yes.");
    before.unmount();
    const after = load(yes, other);
    expect(await screen.findByText(/What would you like to plan/)).toBeVisible();
    expect(log().queryByText("Yes.")).toBeNull();
    expect(after.calls).toHaveLength(1);
    // Nothing of maren's is left for timo.
    expect(keptKeys().filter((key) => !key.includes(other.userId ?? "maren"))).toEqual([]);
  });

  it("says that an answer may be missing, and does not ask again by itself", async () => {
    const before = await talk({ [MESSAGE]: () => new Promise(() => undefined) });
    await screen.findByText("The assistant is answering");
    before.unmount();
    const { calls } = load(yes);
    expect(log().getByText(/was reloaded before the answer came/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
    expect(sendButton()).toBeEnabled();
    expect(calls).toEqual([]);
  });

  it("keeps a message that failed, which can be sent again", async () => {
    const before = await talk({ [MESSAGE]: () => ({ status: 502, json: failure("No.", "AI_UNAVAILABLE") }) });
    await log().findByText("Failed to send message");
    before.unmount();
    const { user } = load(yes);
    await user.click(log().getByRole("button", { name: "Try again" }));
    expect(await log().findByText("Yes.")).toBeVisible();
    expect(log().getAllByText("Is it spring?")).toHaveLength(1);
  });

  it("keeps the newest 200 KB", async () => {
    const answers = ["First", "Second"].map((word) => `${word} ${"ä".repeat(60_000)}`);
    const before = await talk({ [MESSAGE]: () => ({ json: { response: answers.shift() } }) });
    await log().findByText(/^First/);
    await before.user.type(field(), "And then?{Enter}");
    await log().findByText(/^Second/);
    before.unmount();
    expect(new Blob(Object.values(sessionStorage)).size).toBeLessThan(200_000);
    load(yes);
    expect(log().getByText(/^Second/)).toBeVisible();
    expect(log().getByText("And then?")).toBeVisible();
    expect(log().queryByText(/^First/)).toBeNull();
  });

  it("is forgotten with the sign-out, whatever arrives after it", async () => {
    let answer: (value: { json: unknown }) => void = () => undefined;
    const { client } = await talk({ [MESSAGE]: () => new Promise((resolve) => (answer = resolve)) });
    await screen.findByText("The assistant is answering");
    client.setQueryData(keys.user(), null);
    stopSaving();
    forgetTab();
    await act(async () => answer({ json: { response: "Yes." } }));
    expect(keptKeys()).toEqual([]);
    client.setQueryData(keys.user(), { id: "maren" });
    expect(conversationOf(client, 3).read().entries).toEqual([]);
  });
});
