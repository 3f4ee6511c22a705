/** @jest-environment jsdom */
import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { OpenSessions } from "@/components/account/sessions/open-sessions";
import { createQueryClient } from "@/lib/client/query-client";
import { keys } from "@/lib/client/query-keys";
import type { SessionOut } from "@/lib/features/account/sessions/schema";
import { closeToast, failure, mockApi, renderScreen } from "@/tests/support/render";

const END = "DELETE /api/user/sessions";

function session(n: number, parts: Partial<SessionOut> = {}): SessionOut {
  return {
    id: `6f0c6a0e-0f0b-4e5c-9a51-0c9b1d6c7${String(n).padStart(3, "0")}`,
    createdAt: "2026-11-02T10:00:00.000Z",
    expires: "2026-12-20T10:00:00.000Z",
    lastUsed: "2026-11-20T10:00:00.000Z",
    device: "Chrome on Linux",
    address: null,
    current: n === 0,
    ...parts,
  };
}

function open(sessions: SessionOut[]) {
  const client = createQueryClient();
  client.setQueryData(keys.sessions(), sessions);
  return renderScreen(
    <HydrationBoundary state={dehydrate(client)}>
      <OpenSessions />
    </HydrationBoundary>,
  );
}

const rows = () => screen.getAllByRole("listitem").filter((row) => row.closest("ol[data-sonner-toaster]") === null);
const button = () => screen.getByRole("button", { name: "Sign out everywhere else" });

async function confirm(user: ReturnType<typeof open>["user"]) {
  await user.click(button());
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("You stay signed in here.");
  await user.click(within(question).getByRole("button", { name: "Sign out everywhere else" }));
}

it("shows device, address and times, and marks this session", async () => {
  open([session(0), session(1, { device: "Safari on iPhone", address: "203.0.113.9" })]);
  const [own, other] = rows();
  expect(own).toHaveTextContent("Chrome on LinuxThis deviceSigned in Nov 2, 2026, 10:00 AM In use now");
  expect(other).toHaveTextContent("Safari on iPhone203.0.113.9Signed in Nov 2, 2026, 10:00 AM Last used Nov 20, 2026");
  expect(other).not.toHaveTextContent("This device");
});

it("shows eight sessions, and all of them on demand", async () => {
  const { user } = open(Array.from({ length: 20 }, (_, n) => session(n)));
  expect(rows()).toHaveLength(8);
  await user.click(screen.getByRole("button", { name: "Show all 20" }));
  expect(rows()).toHaveLength(20);
  await user.click(screen.getByRole("button", { name: "Show fewer" }));
  expect(rows()).toHaveLength(8);
});

it("says that there may be more than the hundred listed", async () => {
  const sessions = Array.from({ length: 100 }, (_, n) => session(n));
  const { user } = open(sessions);
  await user.click(screen.getByRole("button", { name: "Show all 100" }));
  expect(rows()).toHaveLength(100);
  expect(screen.getByText("These are the newest 100; there may be more.")).toBeVisible();
});

it("disables its button when there is no other session, and says why", async () => {
  const calls = mockApi({});
  const { user } = open([session(0)]);
  expect(button()).toHaveAttribute("aria-disabled", "true");
  await user.hover(button());
  expect(await screen.findByRole("tooltip")).toHaveTextContent("You are signed in nowhere else.");
  await user.click(button());
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  expect(calls).toEqual([]);
});

it("ends the other sessions once confirmed, says so, and lists only this one", async () => {
  const calls = mockApi({ [END]: () => ({ status: 204 }) });
  const { user } = open([session(0), session(1), session(2)]);
  await user.click(button());
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(calls).toEqual([]);
  await confirm(user);
  expect(await screen.findByText("Every other session has ended.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  expect(rows()).toHaveLength(1);
  expect(rows()[0]).toHaveTextContent("This device");
  expect(button()).toHaveAttribute("aria-disabled", "true");
});

it("keeps the list and says what is known when ending them fails", async () => {
  mockApi({ [END]: () => ({ status: 503, json: failure("Not available just now.", "SERVICE_UNAVAILABLE") }) });
  const { user } = open([session(0), session(1)]);
  await confirm(user);
  expect(await screen.findByText("Not available just now.")).toBeVisible();
  expect(rows()).toHaveLength(2);

  await closeToast("Not available just now.");
  mockApi({ [END]: () => ({ status: 502, json: "<html>" }) });
  await confirm(user);
  expect(await screen.findByText(/The other sessions may still be open/)).toBeVisible();
  expect(rows()).toHaveLength(2);
});
