/** @jest-environment jsdom */
import { fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { Composer } from "@/components/assistant/composer";
import { InlineEdit } from "@/components/content/inline-edit";
import { WordGoal } from "@/components/content/word-goal";
import { TraitList } from "@/components/projects/trait-list";
import { Results } from "@/components/search/results";
import { AddKeyword } from "@/components/topics/add-keyword";
import { aTopic } from "@/tests/support/pieces";
import { mockApi, renderScreen } from "@/tests/support/render";

/** The Enter with which an input method takes a word, as browsers report it. Safari has ended the composition by then. */
const ENTERS = [
  ["most browsers", { key: "Enter", keyCode: 229, isComposing: true }],
  ["a browser without key codes", { key: "Enter", isComposing: true }],
  ["Safari", { key: "Enter", keyCode: 229, isComposing: false }],
] as const;
const PLAIN = { key: "Enter", keyCode: 13 };

const act = jest.fn();
const submitted = jest.fn((event: Event) => event.preventDefault());

beforeEach(() => {
  jest.clearAllMocks();
  mockApi({ "GET /api/search": () => ({ json: { projects: [], topics: [], pieces: [] } }) });
});

function Message() {
  return <Composer field={useRef(null)} text="庭" ready pending={false} onType={jest.fn()} onSend={act} />;
}

describe.each(ENTERS)("an input method's Enter in %s", (_browser, enter) => {
  it("sends no message", () => {
    render(<Message />);
    const field = screen.getByRole("textbox", { name: "Type your message" });
    expect(fireEvent.keyDown(field, enter)).toBe(true);
    expect(act).not.toHaveBeenCalled();
    fireEvent.keyDown(field, PLAIN);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("saves nothing that is edited in place", () => {
    render(<InlineEdit value="庭" label="Title" noun="title" maxLength={300} onSave={act} onCancel={jest.fn()} />);
    const field = screen.getByRole("textbox", { name: "Title" });
    fireEvent.change(field, { target: { value: "庭仕事" } });
    expect(fireEvent.keyDown(field, enter)).toBe(true);
    expect(act).not.toHaveBeenCalled();
    fireEvent.keyDown(field, PLAIN);
    expect(act).toHaveBeenCalledWith("庭仕事");
  });

  it("adds nothing to a persona", () => {
    render(<TraitList label="Interests" addLabel="Add interest" items={[]} onChange={act} />);
    const field = screen.getByRole("textbox", { name: "Interests" });
    fireEvent.change(field, { target: { value: "庭" } });
    expect(fireEvent.keyDown(field, enter)).toBe(true);
    expect(act).not.toHaveBeenCalled();
    fireEvent.keyDown(field, PLAIN);
    expect(act).toHaveBeenCalledWith(["庭"]);
  });

  it("adds no keyword", async () => {
    const { user } = renderScreen(<AddKeyword topic={aTopic()} />);
    const field = screen.getByRole("textbox", { name: "Add a keyword to Seed starting indoors" });
    await user.click(field);
    window.addEventListener("submit", submitted, true);
    expect(fireEvent.keyDown(field, enter)).toBe(true);
    expect(submitted).not.toHaveBeenCalled();
    fireEvent.keyDown(field, PLAIN);
    expect(submitted).toHaveBeenCalledTimes(1);
    window.removeEventListener("submit", submitted, true);
  });

  it("chooses nothing in the search", async () => {
    renderScreen(<Results onChoose={act} />);
    const field = screen.getByPlaceholderText("Search or jump to");
    await screen.findAllByRole("option");
    fireEvent.keyDown(field, enter);
    expect(act).not.toHaveBeenCalled();
    fireEvent.keyDown(field, PLAIN);
    expect(act).toHaveBeenCalledTimes(1);
  });
});

it("leaves a field open whose input method takes Escape", async () => {
  const { user } = renderScreen(<WordGoal pieceId="p" words={1} />);
  await user.click(screen.getByRole("button", { name: "Set a goal" }));
  const field = screen.getByRole("textbox", { name: "Goal in words" });
  fireEvent.keyDown(field, { key: "Escape", keyCode: 229 });
  expect(field).toBeVisible();
  fireEvent.keyDown(field, { key: "Escape", keyCode: 27 });
  expect(field).not.toBeInTheDocument();
});
