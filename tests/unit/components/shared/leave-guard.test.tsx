/** @jest-environment jsdom */
import { act, screen } from "@testing-library/react";
import { LeaveGuard } from "@/components/shared/leave-guard";
import { leave } from "@/lib/client/leaving";
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
  return { ...rendered, calls, goOn: () => calls.push("went on") };
}

it("asks before the app leaves by itself: the search, or a logout", async () => {
  const { user, calls, goOn } = open(true);
  act(() => leave(goOn));
  expect(await screen.findByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(calls).toEqual([]);

  act(() => leave(goOn));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  expect(calls).toEqual(["discarded", "went on"]);
});

it("asks before a link is followed, and follows it then", async () => {
  const { user, calls } = open(true);
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await user.click(await screen.findByRole("button", { name: "Leave" }));
  expect(calls).toEqual(["discarded"]);
  expect(push).toHaveBeenCalledWith("/settings");
});

it("lets go at once while nothing is unsaved, or when it is gone", () => {
  const { calls, goOn, unmount } = open(false);
  leave(goOn);
  unmount();
  const guarded = open(true);
  guarded.unmount();
  leave(goOn);
  expect(calls).toEqual(["went on", "went on"]);
});
