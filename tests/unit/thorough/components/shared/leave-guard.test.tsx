/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { leave } from "@/lib/client/leave-guard";
import { renderScreen } from "@/tests/support/render";

const push = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

function open(active: boolean) {
  const calls: string[] = [];
  const rendered = renderScreen(
    <>
      <LeaveGuard active={active} onLeave={() => calls.push("discarded")} />
      <a href="/settings">Settings</a>
    </>,
  );
  return { ...rendered, calls, proceed: () => calls.push("proceeded") };
}

it("asks before the app leaves the page, as search and logout do", async () => {
  const { user, calls, proceed } = open(true);
  act(() => leave(proceed));
  expect(await screen.findByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(calls).toEqual([]);

  act(() => leave(proceed));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  expect(calls).toEqual(["discarded", "proceeded"]);
});

it("asks before following a link, then follows it", async () => {
  const { user, calls } = open(true);
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  expect(calls).toEqual(["discarded"]);
  expect(push).toHaveBeenCalledWith("/settings");
});

it("leaves at once while nothing is unsaved or once the guard is unmounted", () => {
  const { calls, proceed, unmount } = open(false);
  leave(proceed);
  unmount();
  const guarded = open(true);
  guarded.unmount();
  leave(proceed);
  expect(calls).toEqual(["proceeded", "proceeded"]);
});
