/** @jest-environment jsdom */
import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { AskDialog } from "@/components/content/assist/ask-dialog";
import { AssistDialog } from "@/components/content/assist/assist-dialog";
import type { EditorPart } from "@/components/shared/markdown-editor/part";
import { ApiError } from "@/lib/client/api";
import { apiEvents, type ServerEvent } from "@/lib/client/event-stream";
import type { RewriteInput } from "@/lib/features/generation/schema";
import { PIECE_ID } from "@/tests/support/pieces";
import { renderScreen } from "@/tests/support/render";

jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));

const PART: EditorPart = {
  kind: "selection",
  from: 5,
  to: 30,
  text: "Fill the tray and wait for a very long while.",
  before: "One. ",
  after: " Two.",
  untilCaret: "One. Fill the tray and wait for a very long while.",
  fromCaret: " Two.",
};

/** For a section of an outline. */
function open(part: Partial<EditorPart> = {}) {
  const onTake = jest.fn();
  const dialog = { open: true, onOpenChange: () => undefined, part: { ...PART, kind: "section" as const, ...part } };
  const { user } = renderScreen(<AssistDialog {...dialog} pieceId={PIECE_ID} onTake={onTake} />);
  return { user, onTake };
}

/** For a part of the body. */
function openAsk(changes: Partial<EditorPart> = {}, first?: "continue") {
  const onAsk = jest.fn();
  const { user } = renderScreen(<Asking part={{ ...PART, ...changes }} first={first} onAsk={onAsk} />);
  return { user, onAsk };
}

/** A dialog that starts over after each question. */
function Asking({ onAsk, ...question }: { part: EditorPart; first: "continue" | undefined; onAsk: jest.Mock }) {
  const [asked, setAsked] = useState(0);
  function ask(input: RewriteInput) {
    onAsk(input);
    setAsked(asked + 1);
  }
  return (
    <AskDialog key={asked} open onOpenChange={() => undefined} {...question} instruction={undefined} onAsk={ask} />
  );
}

/** The AI answers with these words, or the last event throws. */
function answer(...events: (ServerEvent | Error)[]) {
  jest.mocked(apiEvents).mockImplementation(async function* () {
    for (const event of events) {
      if (event instanceof Error) throw event;
      yield event;
    }
  });
}
const done = (text: string, note: string | null = null): ServerEvent => ({ event: "done", data: { text, note } });
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const sent = () => jest.mocked(apiEvents).mock.lastCall?.[2];
const ask = () => button("Ask the AI");

beforeEach(() => jest.mocked(apiEvents).mockReset());

it("sends the part with what stands around it, and gives back what is taken", async () => {
  answer(done("Fill the tray and wait a while."));
  const { user, onTake } = open();
  await user.click(ask());
  expect(await screen.findByText(/of \d+ changes? taken/)).toBeVisible();
  expect(sent()).toEqual({
    action: "section",
    selection: PART.text,
    before: "One. ",
    after: " Two.",
    instruction: "",
    of: "outline",
  });
  await user.click(button("Use this text"));
  expect(onTake).toHaveBeenCalledWith("Fill the tray and wait a while.", "replace");
});

it("leaves out the changes that the user refuses, by keyboard too", async () => {
  answer(done("Fill every tray and wait for a very short while."));
  const { user, onTake } = open();
  await user.click(ask());
  const first = await screen.findByRole("checkbox", { name: "Change 1: “the” becomes “every”" });
  expect(first).toBeChecked();
  first.focus();
  await user.keyboard(" ");
  expect(first).not.toBeChecked();
  expect(screen.getByText(/1 of 2 changes taken/)).toBeVisible();
  await user.click(button("Use this text"));
  expect(onTake).toHaveBeenCalledWith("Fill the tray and wait for a very short while.", "replace");
  await user.click(screen.getByRole("checkbox", { name: /^Change 2/ }));
  expect(button("Use this text")).toBeDisabled();
});

it("asks for words where it needs them, and sends nothing before", async () => {
  const { user, onAsk } = openAsk();
  await user.click(screen.getByRole("radio", { name: "Translate" }));
  await user.click(ask());
  expect(screen.getByText("Language: say it in a few words.")).toBeVisible();
  expect(onAsk).not.toHaveBeenCalled();
  await user.type(screen.getByRole("textbox", { name: "Language" }), "German{Enter}");
  expect(onAsk).toHaveBeenCalledWith({
    action: "translate",
    selection: PART.text,
    before: "One. ",
    after: " Two.",
    instruction: "German",
    of: "body",
  });
});

it("shows a text that has nothing in common with the part as it is", async () => {
  answer(done("Fülle die Schale."));
  const { user } = open();
  await user.click(ask());
  expect(await screen.findByText("Fülle die Schale.")).toBeVisible();
  expect(screen.queryByRole("checkbox", { name: /^Change/ })).not.toBeInTheDocument();
});

it("remembers the language and the tone that were asked for last, and not over words of the user's", async () => {
  const { user } = openAsk();
  await user.click(screen.getByRole("radio", { name: "Translate" }));
  await user.type(screen.getByRole("textbox", { name: "Language" }), "German{Enter}");
  const words = () => screen.getByRole<HTMLInputElement>("textbox").value;
  await user.click(screen.getByRole("radio", { name: "Translate" }));
  expect(words()).toBe("German");
  await user.click(screen.getByRole("radio", { name: "Change the tone" }));
  expect(words()).toBe("");
  await user.type(screen.getByRole("textbox", { name: "Tone" }), "dry");
  await user.click(screen.getByRole("radio", { name: "Translate" }));
  expect(words()).toBe("dry");
});

it("says when a part is too long, and what to do", async () => {
  const { user, onAsk } = openAsk({ text: "word ".repeat(5_000).trim() });
  await user.click(ask());
  expect(screen.getByText(/^This part has 5,000 words, too many for one request\. Select at most/)).toBeVisible();
  expect(onAsk).not.toHaveBeenCalled();
});

it("counts the words of a part in scripts without spaces too", async () => {
  const { user } = openAsk({ text: "土".repeat(20_001) });
  await user.click(ask());
  expect(screen.getByText(/^This part has 10,001 words/)).toBeVisible();
});

it("says the same of a whole outline, whose sections can be changed one by one", async () => {
  const { user } = open({ kind: "whole", text: "word ".repeat(5_000).trim() });
  await user.click(ask());
  expect(screen.getByText(/^This outline has 5,000 words, .* Change its sections one by one\.$/)).toBeVisible();
  expect(apiEvents).not.toHaveBeenCalled();
});

it("inserts a section after the one that it was asked for", async () => {
  answer(done("And then wait."));
  const { user, onTake } = open();
  await user.click(screen.getByRole("radio", { name: "Add a section after it" }));
  await user.click(ask());
  await user.click(await screen.findByRole("button", { name: "Insert" }));
  expect(onTake).toHaveBeenCalledWith("And then wait.", "insert");
  await user.click(button("Ask for something else"));
  expect(ask()).toBeVisible();
});

it("writes on at the caret, with the end of what stands before it", async () => {
  const { user, onAsk } = openAsk({ kind: "section", untilCaret: `x${"🌱".repeat(4_000)}` }, "continue");
  expect(screen.getByRole("radio", { name: "Write on" })).toBeChecked();
  await user.click(ask());
  expect(onAsk).toHaveBeenCalledWith({
    action: "continue",
    selection: "",
    before: "🌱".repeat(3_000),
    after: " Two.",
    instruction: "",
    of: "body",
  });
});

it("offers to write a section again when nothing is selected", async () => {
  openAsk({ kind: "section" });
  expect(screen.getByRole("radio", { name: "Write this section again" })).toBeChecked();
});

describe("stopping", () => {
  function hang(...events: ServerEvent[]) {
    jest.mocked(apiEvents).mockImplementation(async function* (_url, signal) {
      yield* events;
      await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    });
  }

  it("keeps what has arrived", async () => {
    hang({ event: "section", data: {} }, { event: "delta", data: { text: "Fill the tray and wait for a very short" } });
    const { user, onTake } = open();
    await user.click(ask());
    expect(await screen.findByText("Fill the tray and wait for a very short")).toBeVisible();
    await user.click(button("Stop"));
    await user.click(await screen.findByRole("button", { name: "Use this text" }));
    expect(onTake).toHaveBeenCalledWith("Fill the tray and wait for a very short", "replace");
  });

  it("says that the model thinks until its text comes", async () => {
    hang({ event: "section", data: {} }, { event: "thinking", data: {} });
    const { user } = open();
    await user.click(ask());
    expect(await screen.findByText("Thinking…")).toBeVisible();
  });

  it("leads back to the question when nothing has arrived", async () => {
    hang({ event: "section", data: {} });
    const { user } = open();
    await user.click(ask());
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    expect(await screen.findByRole("button", { name: "Ask the AI" })).toBeVisible();
  });
});

it("starts over when the AI makes a second attempt", async () => {
  answer(
    { event: "delta", data: { text: "Not usable" } },
    { event: "section", data: { restart: true } },
    { event: "delta", data: { text: "Fill the tray." } },
    done("Fill the tray and wait for a very long while!"),
  );
  const { user, onTake } = open();
  await user.click(ask());
  await user.click(await screen.findByRole("button", { name: "Use this text" }));
  expect(onTake).toHaveBeenCalledWith("Fill the tray and wait for a very long while!", "replace");
});

it("keeps what has arrived when the AI breaks off, and says so", async () => {
  answer(
    { event: "delta", data: { text: "Fill the tray and wait for a very short" } },
    new ApiError(200, "The provider had an error.", true, "AI_PROVIDER_ERROR"),
  );
  const { user, onTake } = open();
  await user.click(ask());
  expect(await screen.findByText(/^The AI broke off here/)).toBeVisible();
  await user.click(button("Use this text"));
  expect(onTake).toHaveBeenCalledWith("Fill the tray and wait for a very short", "replace");
});

it("says why it failed, and keeps the question", async () => {
  answer(new ApiError(429, "The provider asks you to wait.", true, "AI_RATE_LIMITED"));
  const { user } = open();
  await user.type(screen.getByRole("textbox"), "Keep the numbers");
  await user.click(ask());
  expect(await screen.findByText("The provider asks you to wait.")).toBeVisible();
  await waitFor(() => expect(ask()).toBeVisible());
});
