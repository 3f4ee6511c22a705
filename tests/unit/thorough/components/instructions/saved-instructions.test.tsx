/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { useRef, useState } from "react";
import { SavedInstructions } from "@/components/instructions/saved-instructions";
import { FormDialog } from "@/components/shared/form-dialog";
import type { InstructionOut } from "@/lib/features/instructions/schema";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

const URL = "/api/instructions";
const saved = (id: number, text: string): InstructionOut => ({ id, text, createdAt: "2026-11-26T10:00:00.000Z" });
const YOU = saved(2, "Address the reader as “you”.\nNo exclamation marks.");
const METRIC = saved(1, "Metric units.");

/** A field as on the screens: of several lines and controlled, or of one line and not. */
function Screen({ typed = "", isOneLine = false, max = 100 }: { typed?: string; isOneLine?: boolean; max?: number }) {
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState(typed);
  return (
    <>
      {isOneLine ? (
        <input ref={input} aria-label="Field" defaultValue={typed} />
      ) : (
        <textarea ref={area} aria-label="Field" value={value} onChange={({ target }) => setValue(target.value)} />
      )}
      <output>{value}</output>
      <SavedInstructions field={isOneLine ? input : area} max={max} />
    </>
  );
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const field = () => screen.getByLabelText("Field");
const popover = () => screen.queryByRole("dialog", { name: "Saved instructions" });

async function open(props: Parameters<typeof Screen>[0] = {}) {
  const { user } = renderScreen(<Screen {...props} />);
  await user.click(button("Saved instructions"));
  await screen.findByRole("dialog", { name: "Saved instructions" });
  return user;
}

async function openList(props: Parameters<typeof Screen>[0] = {}, list = [YOU, METRIC]) {
  const calls = mockApi({ [`GET ${URL}`]: () => ({ json: list }) });
  const user = await open(props);
  await screen.findByRole("list");
  return { user, calls };
}

describe("a saved instruction that is chosen", () => {
  it("goes into an empty field, closes the list and gives the focus back to the field", async () => {
    const { user } = await openList();
    await user.click(button("Metric units."));
    expect(field()).toHaveValue("Metric units.");
    expect(screen.getByRole("status")).toHaveTextContent("Metric units.");
    expect(popover()).toBeNull();
    await waitFor(() => expect(field()).toHaveFocus());
    expect((field() as HTMLTextAreaElement).selectionStart).toBe("Metric units.".length);
  });

  it.each([
    { typed: "Short.", isOneLine: false, expected: `Short.\n${YOU.text}` },
    { typed: "Short.\n", isOneLine: false, expected: `Short.\n${YOU.text}` },
    { typed: "  \n", isOneLine: false, expected: YOU.text },
    { typed: "Short.", isOneLine: true, expected: "Short. Address the reader as “you”. No exclamation marks." },
    { typed: "Short. ", isOneLine: true, expected: "Short. Address the reader as “you”. No exclamation marks." },
  ])("is added behind what was typed: %j", async ({ expected, ...props }) => {
    const { user } = await openList(props);
    await user.click(button(/^Address the reader/));
    expect(field()).toHaveValue(expected);
  });

  it("may fill the field to its last character, and is not put in beyond it", async () => {
    const { user } = await openList({ typed: "x".repeat(86), max: 100 });
    await user.click(button(/^Address the reader/));
    expect(screen.getByRole("alert")).toHaveTextContent(
      "This does not fit: the field takes 100 characters and would have 137. Shorten what you typed, or choose a shorter instruction.",
    );
    expect(field()).toHaveValue("x".repeat(86));
    await user.click(button("Metric units."));
    expect(field()).toHaveValue(`${"x".repeat(86)}\nMetric units.`);
  });

  it("is found by keyboard", async () => {
    const { user } = await openList();
    button(/^Address the reader/).focus();
    await user.keyboard("{ArrowDown}");
    expect(button("Metric units.")).toHaveFocus();
    await user.keyboard("{ArrowDown}{Home}");
    expect(button(/^Address the reader/)).toHaveFocus();
    await user.keyboard("{End}{Enter}");
    expect(field()).toHaveValue("Metric units.");
  });

  it("closes without it on Escape, which leaves the dialog around it open", async () => {
    mockApi({ [`GET ${URL}`]: () => ({ json: [YOU] }) });
    const onOpenChange = jest.fn();
    const { user } = renderScreen(
      <FormDialog open onOpenChange={onOpenChange} title="Style" description="Of texts.">
        <Screen />
      </FormDialog>,
    );
    await user.click(button("Saved instructions"));
    await screen.findByRole("list");
    await user.keyboard("{Escape}");
    expect(popover()).toBeNull();
    expect(onOpenChange).not.toHaveBeenCalled();
    await waitFor(() => expect(button("Saved instructions")).toHaveFocus());
  });

  it("counts as typed for a dialog that asks before it loses what was typed", async () => {
    mockApi({ [`GET ${URL}`]: () => ({ json: [METRIC] }) });
    const { user } = renderScreen(
      <FormDialog open onOpenChange={jest.fn()} title="Style" description="Of texts.">
        <Screen isOneLine />
      </FormDialog>,
    );
    await user.click(button("Saved instructions"));
    await user.click(await screen.findByRole("button", { name: "Metric units." }));
    await waitFor(() => expect(field()).toHaveFocus());
    await user.keyboard("{Escape}");
    expect(await screen.findByText("Discard what you typed?")).toBeVisible();
  });
});

describe("what was typed", () => {
  it("is saved, without spaces around it, and is then in the list", async () => {
    const list = [METRIC];
    const calls = mockApi({
      [`GET ${URL}`]: () => ({ json: [...list] }),
      [`POST ${URL}`]: (body) => {
        list.unshift(saved(3, (body as { text: string }).text));
        return { status: 201, json: list[0] };
      },
    });
    const user = await open({ typed: "  Short sentences.\n" });
    await screen.findByRole("list");
    await user.click(button("Save what I typed"));
    expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { text: "Short sentences." },
    ]);
    expect(await screen.findByRole("button", { name: "Short sentences." })).toBeVisible();
    expect(await screen.findByText("Instruction saved")).toBeVisible();
    expect(button("Save what I typed")).toHaveFocus();
    expect(button("Save what I typed")).toHaveAccessibleDescription("Saved.");
    await user.click(button("Save what I typed"));
    expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  const fifty = Array.from({ length: 50 }, (_, n) => saved(n + 1, `Rule ${n}`));
  it.each([
    { typed: " \n", list: [METRIC], reason: "To save an instruction, type it in the field first." },
    { typed: "metric  UNITS.", list: [METRIC], reason: "You have saved this instruction already." },
    {
      typed: "🌱".repeat(1001),
      list: [METRIC],
      reason: "What you typed has 1,001 characters. A saved instruction can have at most 1,000.",
    },
    {
      typed: "Rule 50",
      list: fifty,
      reason: "You have 50 saved instructions, the maximum. Delete one you no longer need first.",
    },
  ])("is not saved, with the reason: $reason", async ({ typed, list, reason }) => {
    const { user, calls } = await openList({ typed }, list);
    expect(button("Save what I typed")).toHaveAccessibleDescription(reason);
    expect(screen.getByText(reason)).toBeVisible();
    expect(button("Save what I typed")).toHaveAttribute("aria-disabled", "true");
    await user.click(button("Save what I typed"));
    expect(calls.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("can have a thousand characters that are two units each", async () => {
    await openList({ typed: "🌱".repeat(1000) });
    expect(button("Save what I typed")).not.toHaveAttribute("aria-disabled");
  });

  it("stays in the field when it could not be saved, and can be saved again", async () => {
    const refused = failure("There is no room left in your account.", "STORAGE_FULL");
    mockApi({ [`GET ${URL}`]: () => ({ json: [] }), [`POST ${URL}`]: () => ({ status: 409, json: refused }) });
    const user = await open({ typed: "Short sentences." });
    await screen.findByText(/^No saved instructions yet/);
    await user.click(button("Save what I typed"));
    expect(await screen.findByText("There is no room left in your account.")).toBeVisible();
    expect(field()).toHaveValue("Short sentences.");
    expect(button("Save what I typed")).not.toHaveAttribute("aria-disabled");
  });
});

describe("the list", () => {
  it("says that it loads, and what to do when it is empty", async () => {
    const { answer, give } = pendingAnswer();
    mockApi({ [`GET ${URL}`]: answer });
    await open({ typed: "Short sentences." });
    expect(screen.getByText("Loading your saved instructions")).toBeVisible();
    expect(button("Save what I typed")).toHaveAttribute("aria-disabled", "true");
    give({ json: [] });
    expect(
      await screen.findByText("No saved instructions yet. Type one in the field, then save it here."),
    ).toBeVisible();
    expect(button("Save what I typed")).not.toHaveAttribute("aria-disabled");
  });

  it("keeps the field out of reach while it is open, so that what is saved is what was read", async () => {
    await openList({ typed: "Short." });
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  });

  it("takes the focus when it arrives", async () => {
    const { answer, give } = pendingAnswer();
    mockApi({ [`GET ${URL}`]: answer });
    await open();
    expect(button("Save what I typed")).toHaveFocus();
    give({ json: [YOU, METRIC] });
    await waitFor(() => expect(button(/^Address the reader/)).toHaveFocus());
  });

  it("offers to try again when it did not load", async () => {
    let isDown = true;
    mockApi({
      [`GET ${URL}`]: () => (isDown ? { status: 403, json: failure("Not now.", "FORBIDDEN") } : { json: [YOU] }),
    });
    const user = await open();
    const inside = within(popover() as HTMLElement);
    expect(await inside.findByText("Your saved instructions did not load")).toBeVisible();
    isDown = false;
    await user.click(inside.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: /^Address the reader/ })).toBeVisible();
  });

  it("deletes after a question, and moves the focus to the next one", async () => {
    const list = [YOU, METRIC];
    const calls = mockApi({
      [`GET ${URL}`]: () => ({ json: [...list] }),
      [`DELETE ${URL}/2`]: () => {
        list.shift();
        return { status: 204 };
      },
    });
    const user = await open();
    await user.click(await screen.findByRole("button", { name: /^Delete instruction: Address the reader/ }));
    const question = () => screen.queryByRole("group", { name: "Delete this instruction?" });
    expect(question()).toBeVisible();
    expect(button("Cancel")).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(question()).toBeNull();
    expect(popover()).toBeVisible();
    expect(button(/^Delete instruction: Address the reader/)).toHaveFocus();
    await user.keyboard("{Enter}");
    await user.click(button("Delete"));
    expect(button("Metric units.")).toHaveFocus();
    expect(await screen.findByText("Instruction deleted")).toBeVisible();
    expect(calls.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(screen.queryByRole("button", { name: /^Address the reader/ })).not.toBeInTheDocument();
  });

  it("drops one before the server has answered, and shows it again if it could not be deleted", async () => {
    const { answer, give } = pendingAnswer();
    mockApi({ [`GET ${URL}`]: () => ({ json: [METRIC] }), [`DELETE ${URL}/1`]: answer });
    const user = await open();
    await user.click(await screen.findByRole("button", { name: "Delete instruction: Metric units." }));
    await user.click(button("Delete"));
    expect(await screen.findByText(/^No saved instructions yet/)).toBeVisible();
    give({ status: 500, json: failure("Something went wrong.", "INTERNAL") });
    expect(await screen.findByText("Something went wrong.")).toBeVisible();
    expect(button("Metric units.")).toBeVisible();
  });

  it("changes one in place, keeps what the server refuses, and loses nothing to a click on another", async () => {
    const list = [YOU, METRIC];
    const known = "You have saved this instruction already.";
    const calls = mockApi({
      [`GET ${URL}`]: () => ({ json: [...list] }),
      [`PATCH ${URL}/1`]: (body) => {
        const { text } = body as { text: string };
        if (text === "Again") return { status: 409, json: failure(known, "DUPLICATE", { text: [known] }) };
        list[1] = saved(1, text);
        return { json: list[1] };
      },
    });
    const user = await open();
    await user.click(await screen.findByRole("button", { name: "Edit instruction: Metric units." }));
    const area = screen.getByLabelText("Edit instruction");
    expect(area).toHaveFocus();
    expect(button(/^Address the reader/).closest("li")).toHaveAttribute("inert");
    await user.clear(area);
    await user.click(button("Save"));
    expect(area).toHaveAccessibleDescription("Write something, or cancel.");
    await user.type(area, "Again");
    await user.click(button("Save"));
    await waitFor(() => expect(area).toHaveAccessibleDescription(known));
    expect(area).toHaveValue("Again");
    await user.type(area, " and again");
    await user.click(button("Save"));
    expect(await screen.findByRole("button", { name: "Again and again" })).toBeVisible();
    expect(button("Edit instruction: Again and again")).toHaveFocus();
    expect(calls.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([
      { text: "Again" },
      { text: "Again and again" },
    ]);
  });
});
