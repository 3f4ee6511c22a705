/** @jest-environment jsdom */
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { ConversationScreen } from "@/components/assistant/conversation-screen";
import { keys } from "@/lib/client/query-keys";
import {
  held,
  log,
  MESSAGE,
  open,
  SESSION,
  START,
  started,
  type Table,
  unreachable,
} from "@/tests/support/conversation";
import { failure, renderScreen } from "@/tests/support/render";

const field = () => screen.getByPlaceholderText("Type your message...");
const sendButton = () => screen.getByRole("button", { name: "Send message" });

/** Renders the screen again, for the same user. */
function reopen(client: QueryClient) {
  return render(
    <QueryClientProvider client={client}>
      <ConversationScreen projectId={null} />
    </QueryClientProvider>,
  );
}

const toastCards = () => [...document.querySelectorAll<HTMLElement>("[data-toast-area] .toast")];

async function openStarted(table: Table = {}, projectId: number | null = null) {
  const opened = open(table, projectId);
  await screen.findByText(/What would you like to plan/);
  return opened;
}

describe("the start", () => {
  it("happens on opening, for the project in the address, and shows the greeting", async () => {
    const { calls } = await openStarted({}, 3);
    expect(calls).toEqual([{ method: "POST", url: "/api/chat/start", body: { projectId: 3 } }]);
    expect(sendButton()).toBeEnabled();
  });

  it("keeps the send button disabled and the message in the field until it is done", async () => {
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

  it("shows a missing key in a bubble, with a link to the settings, and can be tried again", async () => {
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

  it.each([
    [{ status: 404, json: failure("This project was not found.", "NOT_FOUND") }, "This project was not found."],
    [{ status: 500, json: "<html>" }, "Failed to start chat session"],
  ])("shows the server's error or a fixed message in a bubble, and no notification: %j", async (answer, sentence) => {
    open({ [START]: () => answer });
    expect(await log().findByText(sentence)).toBeVisible();
    const bubble = screen.getByRole("log").textContent;
    expect(bubble?.replace("Try again", "")).toBe(sentence);
    expect(toastCards()).toEqual([]);
  });

  it("says under the fixed message when the server does not answer", async () => {
    open({ [START]: unreachable });
    expect(await log().findByText("Failed to start chat session")).toBeVisible();
    expect(log().getByText("The server did not answer. Wait a moment, then try again.")).toBeVisible();
  });

  it("is retried each time the screen opens, without piling up failures", async () => {
    let fails = true;
    const needsKey = "Please add your OpenAI API key in the settings page to use the AI assistant.";
    const { user, client, unmount, calls } = open({
      [START]: () => (fails ? { status: 400, json: failure(needsKey, "MISSING_API_KEY") } : started()),
      [MESSAGE]: () => ({ json: { response: "Yes." } }),
    });
    await log().findByText(needsKey);
    await user.type(field(), "Anybody there?");
    unmount();
    const again = reopen(client);
    await waitFor(() => expect(calls).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText("The conversation is starting")).toBeNull());
    expect(log().getAllByText(needsKey)).toHaveLength(1);
    expect(sendButton()).toBeDisabled();
    again.unmount();
    fails = false;
    reopen(client);
    expect(await log().findByText(/What would you like to plan/)).toBeVisible();
    expect(log().queryByText(needsKey)).toBeNull();
    expect(field()).toHaveValue("Anybody there?");
    await user.click(sendButton());
    expect(await log().findByText("Yes.")).toBeVisible();
  });

  it("is retried when the user comes back to the window", async () => {
    let fails = true;
    const { calls } = open({ [START]: () => (fails ? { status: 500, json: {} } : started()) });
    await log().findByText("Failed to start chat session");
    fails = false;
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(await log().findByText(/What would you like to plan/)).toBeVisible();
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(calls).toHaveLength(2);
  });

  it("happens once when the screen is open twice", async () => {
    const { calls, client } = open();
    reopen(client);
    expect(await screen.findAllByText(/What would you like to plan/)).toHaveLength(2);
    expect(calls).toHaveLength(1);
  });
});

describe("a message", () => {
  it("is sent on Enter, clears the field, and shows a spinner until the response arrives", async () => {
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

  it("is sent with the id of its session", async () => {
    const { user, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) });
    await user.type(field(), "One{Shift>}{Enter}{/Shift}two");
    await user.click(sendButton());
    expect(await log().findByText("Yes.")).toBeVisible();
    expect(calls.at(-1)?.body).toEqual({ message: "One\ntwo", sessionId: SESSION });
  });

  it("is not sent when blank", async () => {
    const { user, calls } = await openStarted();
    await user.type(field(), "   {Enter}");
    await user.click(sendButton());
    expect(calls).toHaveLength(1);
  });

  it("stays in the field and says so when it is too long", async () => {
    const { user, calls } = await openStarted();
    await user.click(field());
    await user.paste("x".repeat(4_001));
    expect(screen.getByRole("alert")).toHaveTextContent(/^4,001 characters are more than the 4,000/);
    expect(sendButton()).toBeDisabled();
    await user.keyboard("{Enter}");
    expect(calls).toHaveLength(1);
    expect(field()).toHaveValue("x".repeat(4_001));
  });

  it("is kept when it fails, and can be sent again", async () => {
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

  it("that the provider refuses shows the provider's own sentence", async () => {
    const detail = "The provider says: “No such region.”";
    const json = { ...failure("The AI provider denied access.", "AI_ACCESS_DENIED"), detail };
    const { user } = await openStarted({ [MESSAGE]: () => ({ status: 502, json }) });
    await user.type(field(), "Plan balconies{Enter}");
    expect(await log().findByText(`The AI provider denied access. ${detail}`)).toBeVisible();
  });

  it.each(["NOT_FOUND", "CHAT_NOT_STARTED"])(
    "starts a new conversation when its own is gone (%s), and can be sent there",
    async (type) => {
      let gone = true;
      const { user, calls } = await openStarted({
        [MESSAGE]: () =>
          gone
            ? { status: 404, json: failure("This conversation was not found.", type) }
            : { json: { response: "Here you are." } },
      });
      await user.type(field(), "Plan balconies{Enter}");
      await screen.findByText("Failed to send message");
      await user.type(field(), "Next");
      await waitFor(() => expect(sendButton()).toBeEnabled());
      expect(calls.map(({ url }) => url)).toEqual(["/api/chat/start", "/api/chat/message", "/api/chat/start"]);
      expect(log().getByText("Plan balconies")).toBeVisible();
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
      expect(field()).toHaveValue("Next");
    },
  );

  it.each([
    [
      { status: 504, json: failure("The AI provider did not answer in time.", "AI_TIMEOUT") },
      "The AI provider did not answer in time.",
    ],
    [{ status: 502, json: "<html>" }, "Failed to send message"],
  ])("that fails shows a destructive notification too: %j", async (answer, sentence) => {
    let fails = true;
    const { user } = await openStarted({ [MESSAGE]: () => (fails ? answer : { json: { response: "Here you are." } }) });
    await user.type(field(), "Plan balconies{Enter}");
    await waitFor(() => expect(toastCards()).toHaveLength(1));
    const [card] = toastCards();
    expect(card).toHaveTextContent(`Error${sentence}`);
    expect(card).toHaveClass("toast-destructive");
    fails = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await log().findByText("Here you are.");
    // The failure no longer applies.
    await waitFor(() => expect(toastCards()).toHaveLength(0));
  });
});

/** Caches data of other screens; the returned function says whether all of it is invalidated. */
function cacheData(client: QueryClient, queryKeys: (readonly unknown[])[]): () => boolean {
  for (const queryKey of queryKeys) client.setQueryData(queryKey, []);
  return () => queryKeys.every((queryKey) => client.getQueryState(queryKey)?.isInvalidated);
}

describe("a response", () => {
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

  it("shows each thing it created with a link, and refreshes the project", async () => {
    const { user, client } = await openStarted(
      { [MESSAGE]: () => ({ json: { response: JSON.stringify(action) } }) },
      3,
    );
    const isStale = cacheData(client, [keys.project(3), keys.topics(3), keys.keywords(12), keys.persona(3)]);
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
    expect(isStale()).toBe(true);
  });

  it.each([
    ["project", "Project created", null],
    ["persona", "Buyer persona saved", "Open persona"],
    ["topic", "Topic created", "Open topic"],
    ["keyword", "Keywords added", "View keywords"],
  ])("is shown as the documented action of a %s, whatever else it contains", async (actionType, title, link) => {
    const response = JSON.stringify({
      type: "action",
      message: "It is done.",
      actionType,
      more: { than: "documented" },
    });
    const { user, client } = await openStarted({ [MESSAGE]: () => ({ json: { response } }) }, 3);
    const isStale = cacheData(client, [keys.project(3), keys.projects()]);
    await user.type(field(), "Do it{Enter}");
    expect(await log().findByText("It is done.")).toBeVisible();
    expect(log().getByText(title)).toBeVisible();
    expect(
      log()
        .queryAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(link ? [link] : []);
    if (link) expect(log().getByRole("link")).toHaveAttribute("href", "/projects/3");
    expect(isStale()).toBe(true);
  });

  it.each([
    ['{"type":"chat","message":"{\\"a\\":1}"}', '{"a":1}'],
    ['{"type":"dance","message":"Words"}', '{"type":"dance","message":"Words"}'],
    ["Just words.", "Just words."],
  ])("that is %s appears as %s", async (response, shown) => {
    const { user } = await openStarted({ [MESSAGE]: () => ({ json: { response } }) });
    await user.type(field(), "Hello{Enter}");
    await waitFor(() => expect(screen.getByRole("log").lastElementChild).toHaveTextContent(shown));
  });
});

describe("the conversation", () => {
  it("is kept until the user comes back, with the unsent message", async () => {
    const { user, client, unmount, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) });
    await user.type(field(), "Is it spring?{Enter}");
    await log().findByText("Yes.");
    await user.type(field(), "And then");
    unmount();
    reopen(client);
    expect(log().getByText("Yes.")).toBeVisible();
    expect(field()).toHaveValue("And then");
    expect(calls.filter(({ url }) => url === "/api/chat/start")).toHaveLength(1);
  });

  it("starts over on demand", async () => {
    const { user, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) });
    await user.type(field(), "Is it spring?{Enter}");
    await log().findByText("Yes.");
    await user.click(screen.getByRole("button", { name: "New conversation" }));
    await waitFor(() => expect(log().queryByText("Yes.")).toBeNull());
    expect(await log().findByText(/What would you like to plan/)).toBeVisible();
    expect(calls.filter(({ url }) => url === "/api/chat/start")).toHaveLength(2);
  });

  it("begins with an idea at its click, and leaves what was typed", async () => {
    const { user, calls } = await openStarted({ [MESSAGE]: () => ({ json: { response: "Yes." } }) }, 3);
    await user.type(field(), "Later");
    const ideas = within(screen.getByRole("list", { name: "Ideas to begin with" }));
    await user.dblClick(ideas.getByRole("button", { name: /Suggest three topics/ }));
    expect(await log().findByText("Yes.")).toBeVisible();
    const message = "Suggest three topics for this project, with five keywords each.";
    expect(calls.slice(1)).toEqual([
      { method: "POST", url: "/api/chat/message", body: { message, sessionId: SESSION } },
    ]);
    expect(field()).toHaveValue("Later");
    expect(field()).toHaveFocus();
  });
});
