/** @jest-environment jsdom */
import { act, fireEvent, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { OutlineAssist } from "@/components/content/outline/outline-assist";
import { OutlineCards } from "@/components/content/outline/outline-cards";
import { apiEvents } from "@/lib/client/event-stream";
import { openEditor } from "@/tests/support/content-editor";
import { PIECE_ID } from "@/tests/support/pieces";
import { renderScreen } from "@/tests/support/render";

jest.mock("@/lib/client/event-stream", () => ({ apiEvents: jest.fn() }));
jest.mock("next/navigation", () => ({ useRouter: () => ({ push: jest.fn() }) }));
afterEach(() => localStorage.clear());

const OUTLINE = "## One\nFirst.\n\n### Inside\nA point.\n\n## Two\nSecond.\nAnother line.\n";

/** As in the editor: what is typed is read at a pause, which `pause` stands for. */
function Screen({ seen }: { seen: Seen }) {
  const [outline, setOutline] = useState(seen.outline);
  const change = (next: string) => {
    seen.outline = next;
    setOutline(next);
  };
  return (
    <OutlineCards
      pieceId={PIECE_ID}
      outline={outline}
      latest={() => seen.outline}
      onChange={change}
      onAssisted={change}
      onType={(read) => {
        seen.outline = read();
        seen.pause = () => act(() => change(read()));
      }}
    />
  );
}

type Seen = { outline: string; pause: () => void };

function open(outline = OUTLINE) {
  const seen: Seen = { outline, pause: () => {} };
  return { ...renderScreen(<Screen seen={seen} />), seen };
}

const handle = (heading: string) =>
  screen.getByRole("button", { name: new RegExp(`^Section \\d+ of \\d+: ${heading}\\.`) });
const headings = () =>
  screen.getAllByRole("textbox", { name: /^Heading of section/ }).map((field) => (field as HTMLTextAreaElement).value);

it("shows each section with what it must deliver", () => {
  open();
  expect(headings()).toEqual(["One", "Inside", "Two"]);
  expect(screen.getByRole("textbox", { name: "What section 3 of 3 must deliver" })).toHaveValue(
    "Second.\nAnother line.",
  );
});

it("changes only what is typed", async () => {
  const { user, seen } = open();
  await user.type(screen.getByRole("textbox", { name: "What section 1 of 3 must deliver" }), " And more. ");
  expect(seen.outline).toBe(OUTLINE.replace("First.", "First. And more. ").replace("more. \n", "more.\n"));
  await user.type(screen.getByRole("textbox", { name: "Words of section 1 of 3" }), "300");
  await user.type(screen.getByRole("textbox", { name: "Note on section 3 of 3" }), "with a picture");
  expect(seen.outline).toBe(
    "## One\nWords: 300\nFirst. And more.\n\n### Inside\nA point.\n\n## Two\nNote: with a picture\nSecond.\nAnother line.\n",
  );
});

it("keeps a space that is typed before the next word", async () => {
  const { user, seen } = open();
  const heading = screen.getByRole("textbox", { name: "Heading of section 1 of 3" });
  await user.type(heading, " and only");
  expect(heading).toHaveValue("One and only");
  expect(seen.outline).toMatch(/^## One and only\n/);
  // It is stored with one space, and stays as it is typed.
  await user.type(heading, "  so");
  expect(heading).toHaveValue("One and only  so");
  expect(seen.outline).toMatch(/^## One and only so\n/);
});

describe("by keyboard", () => {
  it("moves with what is nested, and the focus goes along", async () => {
    const { user, seen } = open();
    handle("Two").focus();
    await user.keyboard("{ArrowUp}");
    expect(headings()).toEqual(["Two", "One", "Inside"]);
    expect(handle("Two")).toHaveFocus();
    expect(screen.getByRole("status")).toHaveTextContent("Moved to 1 of 3");
    await user.keyboard("{ArrowDown}");
    expect(seen.outline.trim()).toBe(OUTLINE.trim());
  });

  it("nests and takes out, and does nothing where it cannot", async () => {
    const { user, seen } = open();
    handle("Two").focus();
    await user.keyboard("{ArrowRight}");
    expect(seen.outline).toContain("### Two");
    await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
    expect(seen.outline).toBe(OUTLINE);
    handle("One").focus();
    await user.keyboard("{ArrowUp}{ArrowRight}");
    expect(seen.outline).toBe(OUTLINE);
  });
});

it("moves by mouse", () => {
  open();
  const dataTransfer = { effectAllowed: "" };
  fireEvent.dragStart(handle("Two"), { dataTransfer });
  const first = handle("One").closest("li") as HTMLElement;
  fireEvent.dragOver(first, { dataTransfer });
  fireEvent.drop(first, { dataTransfer });
  expect(headings()).toEqual(["Two", "One", "Inside"]);
});

describe("the menu of a section", () => {
  async function choose(section: number, entry: string, outline = OUTLINE) {
    const opened = open(outline);
    await opened.user.click(screen.getByRole("button", { name: new RegExp(`^More for section ${section} of`) }));
    await opened.user.click(await screen.findByRole("menuitem", { name: entry }));
    return opened;
  }

  it("adds a section", async () => {
    await choose(1, "Add a section below");
    expect(headings()).toEqual(["One", "Inside", "New section", "Two"]);
    expect(handle("New section")).toHaveFocus();
  });

  it("merges with the next, and divides", async () => {
    const { user, seen } = await choose(2, "Merge with the next");
    expect(seen.outline).toBe("## One\nFirst.\n\n### Inside\nA point.\nTwo\nSecond.\nAnother line.\n");
    await user.click(screen.getByRole("button", { name: "More for section 2 of 2" }));
    await user.click(await screen.findByRole("menuitem", { name: "Divide at the caret's line" }));
    expect(headings()).toEqual(["One", "Inside", "Two"]);
  });

  it("removes a section with what is nested, and takes that back", async () => {
    const { user, seen } = await choose(1, "Remove");
    expect(headings()).toEqual(["Two"]);
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(seen.outline).toBe(OUTLINE);
  });

  it("takes a removal back without what was typed since", async () => {
    const { user, seen } = await choose(1, "Remove");
    await user.type(screen.getByRole("textbox", { name: "Heading of section 1 of 1" }), " and more");
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(seen.outline).toBe(OUTLINE.replace("## Two", "## Two and more"));
  });
});

describe("with AI", () => {
  function answer(text: string) {
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "done", data: { text, note: null } };
    });
  }

  async function ask(section: number, choice: string) {
    const opened = open();
    await opened.user.click(screen.getByRole("button", { name: new RegExp(`^More for section ${section} of`) }));
    await opened.user.click(await screen.findByRole("menuitem", { name: "Rewrite or add with AI…" }));
    await opened.user.click(await screen.findByRole("radio", { name: choice }));
    await opened.user.click(screen.getByRole("button", { name: "Ask the AI" }));
    return opened;
  }

  it("rewrites a section, and nothing around it", async () => {
    answer("### Inside\nA better point.");
    const { user, seen } = await ask(2, "Rewrite this section");
    await user.click(await screen.findByRole("button", { name: "Use this text" }));
    expect(seen.outline).toBe(OUTLINE.replace("A point.", "A better point."));
    const sent = jest.mocked(apiEvents).mock.lastCall?.[2];
    expect(sent).toMatchObject({ action: "section", of: "outline", selection: "### Inside\nA point." });
  });

  it("adds a section after what is nested under this one", async () => {
    answer("## Between\nWhat it must deliver.");
    const { user } = await ask(1, "Add a section after it");
    await user.click(await screen.findByRole("button", { name: "Insert" }));
    expect(headings()).toEqual(["One", "Inside", "Between", "Two"]);
    const sent = jest.mocked(apiEvents).mock.lastCall?.[2] as { before: string };
    expect(sent).toMatchObject({ action: "continue", of: "outline" });
    expect(sent.before.trim()).toBe("## One\nFirst.\n\n### Inside\nA point.");
  });
});

describe("what is typed into cards one after the other, without a pause", () => {
  const brief = (section: number) => screen.getByRole("textbox", { name: `What section ${section} of 3 must deliver` });
  const BOTH = OUTLINE.replace("First.", "First. A").replace("A point.", "A point. B");

  it("is all there, before the pause and after it", () => {
    const { seen } = open();
    fireEvent.change(brief(1), { target: { value: "First. A" } });
    fireEvent.change(brief(2), { target: { value: "A point. B" } });
    expect(seen.outline).toBe(BOTH);
    seen.pause();
    expect(seen.outline).toBe(BOTH);
    expect(brief(1)).toHaveValue("First. A");
    fireEvent.change(brief(1), { target: { value: "First." } });
    expect(seen.outline).toBe(BOTH.replace(" A", ""));
  });

  it("goes along when a card is moved", () => {
    const { seen } = open();
    fireEvent.change(brief(1), { target: { value: "First. A" } });
    fireEvent.keyDown(handle("One"), { key: "ArrowDown" });
    expect(seen.outline).toContain("First. A");
    expect(headings()).toEqual(["Two", "One", "Inside"]);
    expect(screen.getByDisplayValue("First. A")).toBeVisible();
  });

  it("is handed over when a field is left, and when the cards are", () => {
    const { seen, unmount } = open();
    const handedOver = jest.fn();
    Object.defineProperty(seen, "outline", { set: handedOver, get: () => OUTLINE });
    fireEvent.change(brief(1), { target: { value: "First. A" } });
    handedOver.mockClear();
    fireEvent.blur(brief(1));
    expect(handedOver).toHaveBeenCalledWith(OUTLINE.replace("First.", "First. A"));
    fireEvent.change(brief(1), { target: { value: "First. AB" } });
    handedOver.mockClear();
    unmount();
    expect(handedOver).toHaveBeenCalledWith(OUTLINE.replace("First.", "First. AB"));
  });
});

it("begins an outline that is empty, and says what has no headings", async () => {
  const { user, unmount, seen } = open("");
  await user.click(screen.getByRole("button", { name: "Add a section" }));
  expect(seen.outline).toBe("## New section\n\n");
  unmount();
  open("- one\n- two");
  expect(screen.getByText(/has no headings/)).toBeVisible();
});

it("stands before the Markdown, which is one key away and stays chosen", async () => {
  const { user, writes } = openEditor({ isOutline: true, outline: OUTLINE });
  expect(await screen.findByRole("list", { name: "Sections" })).toBeVisible();
  expect(headings()).toEqual(["One", "Inside", "Two"]);
  handle("Two").focus();
  await user.keyboard("{ArrowUp}");
  await user.click(screen.getByRole("button", { name: "Save Outline" }));
  const moved = "## Two\nSecond.\nAnother line.\n\n## One\nFirst.\n\n### Inside\nA point.\n\n";
  expect(writes()[0]?.body).toMatchObject({ outline: moved });
  await user.keyboard("{Control>}/{/Control}");
  expect(screen.getByRole("textbox", { name: "Outline" })).toHaveValue(moved);
  expect(localStorage.getItem("outline-view")).toBe("source");
  await user.click(screen.getByRole("button", { name: "Cards" }));
  expect(screen.getByRole("list", { name: "Sections" })).toBeVisible();
});

it("does not take the place of an empty outline's Markdown while its first heading is typed", async () => {
  const { user } = openEditor({ isOutline: true, outline: "" });
  const field = await screen.findByRole("textbox", { name: "Outline" });
  await user.type(field, "## One");
  expect(screen.getByRole("textbox", { name: "Outline" })).toBe(field);
  expect(field).toHaveValue("## One");
});

it("shows the Markdown of an outline that has too many sections for cards, also where cards were chosen", async () => {
  localStorage.setItem("outline-view", "cards");
  const { user } = openEditor({ isOutline: true, outline: "## a\n".repeat(20_000) });
  expect(await screen.findByRole("textbox", { name: "Outline" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Cards" })).toBeDisabled();
  expect(screen.getByText("Up to 300 sections show as cards.")).toBeVisible();
  await user.keyboard("{Control>}/{/Control}");
  expect(screen.getByRole("textbox", { name: "Outline" })).toBeVisible();
  expect(screen.queryByRole("list", { name: "Sections" })).not.toBeInTheDocument();
});

describe("changing the whole outline with AI", () => {
  const change = () => screen.getByRole("button", { name: "Change with AI" });

  it("drops a section, and leaves every other character", async () => {
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "done", data: { text: "## One\nFirst.\n\n### Inside\nA point.", note: null } };
    });
    const { user, writes } = openEditor({ isOutline: true, outline: `\n${OUTLINE}\n` });
    await screen.findByRole("list", { name: "Sections" });
    await user.click(change());
    await user.type(await screen.findByRole("textbox", { name: "Which one? (optional)" }), "the second");
    await user.click(screen.getByRole("button", { name: "Ask the AI" }));
    await user.click(await screen.findByRole("button", { name: "Use this text" }));
    expect(jest.mocked(apiEvents).mock.lastCall?.[2]).toEqual({
      action: "drop",
      of: "outline",
      selection: OUTLINE.trim(),
      before: "",
      after: "",
      instruction: "the second",
    });
    expect(headings()).toEqual(["One", "Inside"]);
    await user.click(screen.getByRole("button", { name: "Save Outline" }));
    expect(writes().at(-1)?.body).toMatchObject({ outline: "\n## One\nFirst.\n\n### Inside\nA point.\n\n" });
  });

  it("waits for an outline", async () => {
    openEditor({ isOutline: true, outline: "" });
    await screen.findByRole("textbox", { name: "Outline" });
    expect(change()).toBeDisabled();
  });
});

type Elsewhere = { asked: string[]; change: (outline: string) => void };

/** Whatever is asked for is noted, and the outline is changed from elsewhere. */
function BothViews({ seen }: { seen: Elsewhere }) {
  const [outline, setOutline] = useState(OUTLINE);
  const props = {
    pieceId: PIECE_ID,
    outline,
    latest: () => outline,
    onChange: (next: string) => void seen.asked.push(next),
    onAssisted: (next: string) => void seen.asked.push(next),
    onType: jest.fn(),
  };
  useEffect(() => {
    seen.change = setOutline;
  }, [seen]);
  return (
    <>
      <OutlineAssist {...props} />
      <OutlineCards {...props} />
    </>
  );
}

describe("an outline that changes while the AI works on it", () => {
  it.each([
    ["a section", () => screen.getByRole("button", { name: "More for section 1 of 3" })],
    ["all of it", () => screen.getByRole("button", { name: "Change with AI" })],
  ])("keeps what was changed elsewhere, where it was %s", async (_what, opener) => {
    jest.mocked(apiEvents).mockImplementation(async function* () {
      yield { event: "done", data: { text: "## Uno\nBy the AI.", note: null } };
    });
    const seen: Elsewhere = { asked: [], change: () => {} };
    const { user } = renderScreen(<BothViews seen={seen} />);
    await user.click(opener());
    const entry = screen.queryByRole("menuitem", { name: "Rewrite or add with AI…" });
    if (entry) await user.click(entry);
    await user.click(await screen.findByRole("button", { name: "Ask the AI" }));
    await screen.findByRole("button", { name: "Use this text" });
    act(() => seen.change(OUTLINE.replace("First.", "First, changed elsewhere.")));
    await user.click(screen.getByRole("button", { name: "Use this text" }));
    expect(await screen.findByText("Nothing was changed")).toBeVisible();
    expect(screen.getByRole("dialog", { name: "Write with AI" })).toBeVisible();
    expect(seen.asked).toEqual([]);
  });
});
