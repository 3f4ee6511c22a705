/** @jest-environment jsdom */
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type PageAction, PageActions } from "@/components/shared/page-actions";
import { renderScreen } from "@/tests/support/render";

const save = jest.fn();
const sync = jest.fn();
const BACK: PageAction = { label: "Back", href: "/" };
const SYNC: PageAction = { label: "Sync", onSelect: sync };
const SAVE: PageAction = { label: "Save", onSelect: save, isMain: true };

async function openMenu(actions: PageAction[]) {
  const { user } = renderScreen(<PageActions actions={actions} />);
  await user.click(screen.getByRole("button", { name: "More actions" }));
  const menu = await screen.findByRole("menu", { name: "More actions" });
  return { user, entries: () => within(menu).getAllByRole("menuitem") };
}

beforeEach(() => jest.clearAllMocks());

it("puts every action but the main one in the menu, in order", async () => {
  const { entries } = await openMenu([BACK, SAVE, SYNC]);
  expect(entries().map(({ textContent }) => textContent)).toEqual(["Back", "Sync"]);
  expect(entries()[0]).toHaveAttribute("href", "/");
});

it("treats the last action as the main one when none is marked", async () => {
  const { entries } = await openMenu([BACK, SYNC]);
  expect(entries().map(({ textContent }) => textContent)).toEqual(["Back"]);
});

it("has no menu for a single action", () => {
  renderScreen(<PageActions actions={[SAVE]} />);
  expect(screen.getByRole("button", { name: "Save" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "More actions" })).not.toBeInTheDocument();
});

it("keeps a minor action in a menu on wide screens too", async () => {
  const { user } = renderScreen(
    <PageActions actions={[SYNC, { label: "Compare", onSelect: save, isMinor: true }, SAVE]} />,
  );
  expect(screen.queryByRole("button", { name: "Compare" })).not.toBeInTheDocument();
  const [wide] = screen.getAllByRole("button", { name: "More actions" });
  await user.click(wide as HTMLElement);
  const entries = within(await screen.findByRole("menu")).getAllByRole("menuitem");
  expect(entries.map(({ textContent }) => textContent)).toEqual(["Compare"]);
  await user.click(entries[0] as HTMLElement);
  expect(save).toHaveBeenCalledTimes(1);
});

it("runs an action from the menu as from its button", async () => {
  const { user, entries } = await openMenu([SYNC, SAVE]);
  await user.click(entries()[0] as HTMLElement);
  expect(sync).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("menu")).not.toBeInTheDocument();
});

it.each<[string, Partial<PageAction>]>([
  ["disabled", { disabled: "Nothing there yet" }],
  ["refused", { disabledReason: "Nothing there yet" }],
])("keeps a %s action focusable, shows the reason and does not run it", async (_how, part) => {
  const { user, entries } = await openMenu([{ ...SYNC, ...part }, SAVE]);
  const [entry] = entries();
  expect(entry).toHaveAttribute("aria-disabled", "true");
  expect(entry).toHaveTextContent("Nothing there yet");
  await user.keyboard("{ArrowDown}");
  expect(entry).toHaveFocus();
  await user.keyboard("{Enter}");
  await user.click(entry as HTMLElement);
  expect(sync).not.toHaveBeenCalled();
});

it("marks the menu's button busy while an action is pending, and does not run it twice", async () => {
  const { user, entries } = await openMenu([{ ...SYNC, pending: true }, SAVE]);
  expect(screen.getByRole("button", { name: "More actions", hidden: true })).toHaveAttribute("aria-busy", "true");
  await user.click(entries()[0] as HTMLElement);
  expect(sync).not.toHaveBeenCalled();
});

it("keeps the button and its focus when its label changes", async () => {
  const counted = (count: number): PageAction => ({ id: "selected", label: `Publish (${count})`, onSelect: save });
  const { rerender } = render(<PageActions actions={[counted(1)]} />);
  await userEvent.tab();
  rerender(<PageActions actions={[counted(2)]} />);
  expect(screen.getByRole("button", { name: "Publish (2)" })).toHaveFocus();
});

describe("when the actions change under the focus", () => {
  const frames = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
  const page = (actions: PageAction[]) => (
    <>
      <PageActions actions={actions} />
      <input aria-label="Elsewhere" />
    </>
  );

  function withSyncFocused() {
    // jsdom has no layout.
    jest.spyOn(HTMLElement.prototype, "offsetParent", "get").mockReturnValue(document.body);
    const { rerender } = render(page([SYNC, SAVE]));
    act(() => screen.getByRole("button", { name: "Sync" }).focus());
    return (actions: PageAction[]) => rerender(page(actions));
  }

  afterEach(() => jest.restoreAllMocks());

  it("moves it to the first action when its own is gone", async () => {
    withSyncFocused()([SAVE]);
    await act(frames);
    expect(screen.getByRole("button", { name: "Save" })).toHaveFocus();
  });

  it("leaves it alone when the user has moved on meanwhile, also when it is lost there", async () => {
    withSyncFocused()([SYNC, BACK, SAVE]);
    const elsewhere = screen.getByRole("textbox", { name: "Elsewhere" });
    act(() => {
      elsewhere.focus();
      elsewhere.blur();
    });
    await act(frames);
    expect(document.body).toHaveFocus();
  });
});
