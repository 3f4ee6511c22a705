/** @jest-environment jsdom */
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { answerCalls, failure, renderScreen } from "@/tests/support/render";

const START = "POST /api/chat/start";
const MESSAGE = "POST /api/chat/message";
const SESSION = "6f6d2b1c-2f57-4f0a-9a39-8f2f1c0d9e11";
const started = () => ({ json: { response: "Hello! What would you like to plan?", type: "chat", sessionId: SESSION } });

type Table = Parameters<typeof answerCalls>[0];

function open(table: Table = {}, projectId: number | null = null) {
  const calls = answerCalls({ [START]: started, ...table });
  return { calls, ...renderScreen(<ConversationScreen projectId={projectId} />) };
}

const field = () => screen.getByPlaceholderText("Type your message...");
const sendButton = () => screen.getByRole("button", { name: "Send message" });
const log = () => within(screen.getByRole("log"));

async function openStarted(table: Table = {}, projectId: number | null = null) {
  const opened = open(table, projectId);
  await screen.findByText(/What would you like to plan/);
  return opened;
}

/** An answer that waits until it is let go. */
function held(json: unknown) {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetched = global.fetch;
  global.fetch = jest.fn(async (url: string, init?: RequestInit) => {
    if (url !== "/api/chat/message") return fetched(url, init);
    await gate;
    return { ok: true, status: 200, headers: { get: () => null }, json: async () => json } as unknown as Response;
  }) as unknown as typeof fetch;
  return () => act(async () => release());
}

describe("the start", () => {
  it("happens on opening, for the project of the address, and shows the greeting", async () => {
    const { calls } = await openStarted({}, 3);
    expect(calls).toEqual([{ method: "POST", url: "/api/chat/start", body: { projectId: 3 } }]);
    expect(sendButton()).toBeEnabled();
  });

  it("leaves the send button disabled until it is done; a message meanwhile stays in the field", async () => {
    let answer = (_value: unknown) => {};
    global.fetch = jest.fn(() => new Promise((resolve) => (answer = resolve))) as unknown as typeof fetch;
    const { user } = renderScreen(<ConversationScreen projectId={null} />);
    expect(await screen.findByText("The conversation is starting")).toBeInTheDocument();
    expect(sendButton()).toBeDisabled();
    await user.type(field(), "Hello{Enter}");
    expect(await screen.findByText("Chat session not started")).toBeVisible();
    expect(field()).toHaveValue("Hello");
    const { json } = started();
    await act(async () => answer({ ok: true, status: 200, headers: { get: () => null }, json: async () => json }));
    expect(sendButton()).toBeEnabled();
  });

  it("that fails for want of a key says so in a bubble, with the way to the settings, and can be tried again", async () => {
    const needsKey = "Please add your OpenAI API key in the settings page to use the AI assistant.";
    let fails = true;
    const { user } = open({
      [START]: () => (fails ? { status: 400, json: failure(needsKey, "MISSING_API_KEY") } : started()),
    });
    expect(await log().findByText(needsKey)).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to Settings" })).toHaveAttribute("href", "/settings");
    expect(sendButton()).toBeDisabled();
    fails = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/What would you like to plan/)).toBeVisible();
    expect(screen.queryByText(needsKey)).toBeNull();
  });

  it("that fails without a sentence of ours says the call's own", async () => {
    open({ [START]: () => ({ status: 500, json: "<html>" }) });
    expect(await screen.findByText("Failed to start chat session")).toBeVisible();
  });
});

describe("a message", () => {
  it("goes out with Enter, empties the field, and shows a spinner until the answer is there", async () => {
    const { user } = await openStarted();
    const release = held({ response: "Balconies it is." });
    await user.type(field(), "  Plan balconies {Enter}");
    expect(log().getByText("Plan balconies")).toBeVisible();
    expect(field()).toHaveValue("");
    expect(screen.getByText("The assistant is answering")).toBeInTheDocument();
    expect(sendButton()).toBeDisabled();
    await release();
    expect(await log().findByText("Balconies it is.")).toBeVisible();
    expect(screen.queryByText("The assistant is answering")).toBeNull();
    expect(sendButton()).toBeEnabled();
  });

  it("names the session it belongs to", async () => {
    const { user, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) });
    await user.type(field(), "One{Shift>}{Enter}{/Shift}two");
    await user.click(sendButton());
    expect(await log().findByText("Yes.")).toBeVisible();
    expect(calls.at(-1)?.body).toEqual({ message: "One\ntwo", sessionId: SESSION });
  });

  it("is not sent when it is blank", async () => {
    const { user, calls } = await openStarted();
    await user.type(field(), "   {Enter}");
    await user.click(sendButton());
    expect(calls).toHaveLength(1);
  });

  it("that is too long stays in the field and says so", async () => {
    const { user, calls } = await openStarted();
    await user.click(field());
    await user.paste("x".repeat(4_001));
    expect(screen.getByRole("alert")).toHaveTextContent(/^4,001 characters are more than the 4,000/);
    expect(sendButton()).toBeDisabled();
    await user.keyboard("{Enter}");
    expect(calls).toHaveLength(1);
    expect(field()).toHaveValue("x".repeat(4_001));
  });

  it("that fails is kept and can be sent again", async () => {
    const sentence = "The AI provider did not answer in time.";
    let fails = true;
    const { user, calls } = await openStarted({
      [MESSAGE]: () =>
        fails ? { status: 504, json: failure(sentence, "AI_TIMEOUT") } : { json: { response: "Here you are." } },
    });
    await user.type(field(), "Plan balconies{Enter}");
    expect(await screen.findByText("Failed to send message")).toBeVisible();
    expect(log().getByText(sentence)).toBeVisible();
    fails = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await log().findByText("Here you are.")).toBeVisible();
    expect(screen.queryByText("Failed to send message")).toBeNull();
    expect(log().getAllByText("Plan balconies")).toHaveLength(1);
    expect(calls.map(({ url }) => url).filter((url) => url.endsWith("message"))).toHaveLength(2);
  });

  it("to a conversation that is gone opens a new one first, and is said there", async () => {
    let gone = true;
    const { user, calls } = await openStarted({
      [MESSAGE]: () =>
        gone
          ? { status: 404, json: failure("This conversation was not found. Start a new one.", "NOT_FOUND") }
          : { json: { response: "Here you are." } },
    });
    await user.type(field(), "Plan balconies{Enter}");
    await screen.findByText("Failed to send message");
    expect(sendButton()).toBeDisabled();
    gone = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await log().findByText("Here you are.")).toBeVisible();
    expect(calls.map(({ url }) => url)).toEqual([
      "/api/chat/start",
      "/api/chat/message",
      "/api/chat/start",
      "/api/chat/message",
    ]);
    expect(log().getAllByText(/What would you like to plan/)).toHaveLength(1);
  });
});

describe("an answer", () => {
  const action = {
    type: "action",
    actionType: "topic",
    message: "Done. I kept to open-pollinated crops.",
    actions: [
      {
        tool: "create_topic",
        type: "topic",
        label: "topic “Saving your own seed”",
        ok: true,
        id: 12,
        projectId: 3,
        topicId: 12,
        name: "Saving your own seed",
        description: "Which plants to leave standing.",
      },
      {
        tool: "add_keywords",
        type: "keyword",
        label: "keywords saving tomato seed",
        ok: true,
        projectId: 3,
        topicId: 12,
        name: "Saving your own seed",
        keywords: ["saving tomato seed", "when are bean seeds dry"],
      },
      { tool: "create_project", type: "project", label: "project “Twice”", ok: false, error: "No." },
    ],
  };

  it("that made something shows each with the way to it, and refreshes the project", async () => {
    const { user, client } = await openStarted(
      { [MESSAGE]: () => ({ json: { response: JSON.stringify(action) } }) },
      3,
    );
    const invalidate = jest.spyOn(client, "invalidateQueries");
    await user.type(field(), "Add a topic{Enter}");
    expect(await log().findByText("Done. I kept to open-pollinated crops.")).toBeVisible();
    expect(log().getByText("Topic created")).toBeVisible();
    expect(log().getByText("Which plants to leave standing.")).toBeVisible();
    expect(log().getByText("2 keywords added to “Saving your own seed”")).toBeVisible();
    expect(log().getByText("when are bean seeds dry")).toBeVisible();
    expect(log().queryByText("Project created")).toBeNull();
    for (const name of ["Open topic", "View keywords"]) {
      expect(log().getByRole("link", { name })).toHaveAttribute("href", "/projects/3?topic=12");
    }
    await waitFor(() =>
      expect(invalidate.mock.calls.map(([filter]) => filter?.queryKey?.[0])).toEqual(
        expect.arrayContaining(["/api/projects/3", "/api/projects/3/topics", "/api/topics/12/keywords"]),
      ),
    );
  });

  it.each([
    ['{"type":"chat","message":"{\\"a\\":1}"}', '{"a":1}'],
    ['{"type":"dance","message":"Words"}', '{"type":"dance","message":"Words"}'],
    ["Just words.", "Just words."],
  ])("that is %s is shown as %s", async (response, shown) => {
    const { user } = await openStarted({ [MESSAGE]: () => ({ json: { response } }) });
    await user.type(field(), "Hello{Enter}");
    await waitFor(() => expect(screen.getByRole("log").lastElementChild).toHaveTextContent(shown));
  });
});

describe("the conversation", () => {
  it("is there when the person comes back, with what was typed and not sent", async () => {
    const { user, client, unmount, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) });
    await user.type(field(), "Is it spring?{Enter}");
    await log().findByText("Yes.");
    await user.type(field(), "And then");
    unmount();
    render(
      <QueryClientProvider client={client}>
        <ConversationScreen projectId={null} />
      </QueryClientProvider>,
    );
    expect(log().getByText("Yes.")).toBeVisible();
    expect(field()).toHaveValue("And then");
    expect(calls.filter(({ url }) => url === "/api/chat/start")).toHaveLength(1);
  });

  it("begins anew when the person wants", async () => {
    const { user, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) });
    await user.type(field(), "Is it spring?{Enter}");
    await log().findByText("Yes.");
    await user.click(screen.getByRole("button", { name: "New conversation" }));
    await waitFor(() => expect(log().queryByText("Yes.")).toBeNull());
    expect(await log().findByText(/What would you like to plan/)).toBeVisible();
    expect(calls.filter(({ url }) => url === "/api/chat/start")).toHaveLength(2);
  });

  it("offers something to begin with, which can be changed before it is sent", async () => {
    const { user, calls } = await openStarted({}, 3);
    const ideas = within(screen.getByRole("list", { name: "Ideas to begin with" }));
    await user.click(ideas.getByRole("button", { name: /Suggest three topics/ }));
    expect(field()).toHaveValue("Suggest three topics for this project, with five keywords each.");
    expect(calls).toHaveLength(1);
  });
});
