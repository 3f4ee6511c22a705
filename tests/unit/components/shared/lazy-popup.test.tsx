/** @jest-environment jsdom */
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { lazyPopup } from "@/components/shared/lazy-popup";
import { MenuPanel } from "@/components/shared/menu-panel";
import { DropdownMenuItem } from "@/components/ui/dropdown-menu";
import { setLoadErrorReporter } from "@/lib/utils/lazy-module";
import { renderScreen } from "@/tests/support/render";

const reportError = jest.fn();
beforeEach(() => {
  reportError.mockReset();
  setLoadErrorReporter(reportError);
});

const Panel: typeof MenuPanel = (props) => (
  <MenuPanel {...props}>
    <DropdownMenuItem disabled>Rename</DropdownMenuItem>
    <DropdownMenuItem>Edit</DropdownMenuItem>
    <DropdownMenuItem>Delete</DropdownMenuItem>
  </MenuPanel>
);

/** A menu whose code arrives when `arrive` is called. */
function renderMenu() {
  const attempts: { arrive: () => void; fail: () => void }[] = [];
  const load = jest.fn(
    () =>
      new Promise<typeof MenuPanel>((resolve, reject) => {
        attempts.push({ arrive: () => resolve(Panel), fail: () => reject(new Error("ChunkLoadError")) });
      }),
  );
  const Menu = lazyPopup("menu", load);
  const { user } = renderScreen(<Menu trigger={<button type="button">Actions</button>} />);
  return { user, attempts };
}

const trigger = () => screen.getByRole("button", { name: "Actions" });
const item = (name: string) => screen.getByRole("menuitem", { name });

it("opens once its code has loaded if it was pressed before", async () => {
  const { user, attempts } = renderMenu();
  expect(trigger()).toHaveAttribute("aria-haspopup", "menu");
  expect(trigger()).toHaveAttribute("aria-expanded", "false");
  await user.click(trigger());
  expect(trigger()).toHaveAttribute("aria-expanded", "true");
  expect(screen.queryByRole("menu")).not.toBeInTheDocument();
  for (const { arrive } of attempts) arrive();
  expect(await screen.findByRole("menu")).toBeVisible();
  expect(item("Edit")).not.toHaveFocus();
  await user.keyboard("{Escape}");
  expect(trigger()).toHaveFocus();
  expect(trigger()).toHaveAttribute("aria-expanded", "false");
});

it.each(["{Enter}", " ", "{ArrowDown}"])("focuses its first enabled item when opened by key: %s", async (key) => {
  const { user, attempts } = renderMenu();
  await user.tab();
  await user.keyboard(key);
  for (const { arrive } of attempts) arrive();
  await waitFor(() => expect(item("Edit")).toHaveFocus());
  await user.keyboard("{ArrowDown}");
  expect(item("Delete")).toHaveFocus();
  await user.keyboard("{Escape}");
  expect(trigger()).toHaveFocus();
});

it("stays closed when pressed again before its code has loaded", async () => {
  const { user, attempts } = renderMenu();
  await user.click(trigger());
  await user.click(trigger());
  expect(trigger()).toHaveAttribute("aria-expanded", "false");
  for (const { arrive } of attempts) arrive();
  await user.click(document.body);
  expect(screen.queryByRole("menu")).not.toBeInTheDocument();
});

it("opens on the down arrow only, without scrolling the page or closing again", async () => {
  const { user, attempts } = renderMenu();
  expect(fireEvent.keyDown(trigger(), { key: "ArrowUp" })).toBe(true);
  expect(trigger()).toHaveAttribute("aria-expanded", "false");
  expect(fireEvent.keyDown(trigger(), { key: "ArrowDown" })).toBe(false);
  trigger().focus();
  await user.keyboard("{ArrowDown}");
  expect(trigger()).toHaveAttribute("aria-expanded", "true");
  for (const { arrive } of attempts) arrive();
  expect(await screen.findByRole("menu")).toBeVisible();
});

it("reports a failed load of its code, and tries again on the next press", async () => {
  const { user, attempts } = renderMenu();
  await user.click(trigger());
  for (const { fail } of attempts.splice(0)) fail();
  await waitFor(() => expect(reportError).toHaveBeenCalledTimes(1));
  expect(trigger()).toHaveAttribute("aria-expanded", "false");
  await user.click(trigger());
  for (const { arrive } of attempts) arrive();
  expect(await screen.findByRole("menu")).toBeVisible();
});
