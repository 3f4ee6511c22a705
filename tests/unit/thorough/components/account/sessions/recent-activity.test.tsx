/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { RecentActivity } from "@/components/account/sessions/recent-activity";
import { AUDIT_ACTIONS, isFolded } from "@/lib/audit/actions";
import type { Activity } from "@/lib/features/account/sessions/schema";
import { renderScreen } from "@/tests/support/render";

function event(n: number, parts: Partial<Activity> = {}): Activity {
  return {
    id: `6f0c6a0e-0f0b-4e5c-9a51-0c9b1d6c7a${String(n).padStart(2, "0")}`,
    action: "session.signed_in",
    subject: null,
    address: "203.0.113.9",
    createdAt: `2026-11-0${(n % 9) + 1}T10:00:00.000Z`,
    times: 1,
    newBrowser: false,
    ...parts,
  };
}

it("says what happened, when, and from which address", () => {
  renderScreen(<RecentActivity events={[event(1, { action: "session.sign_in_failed" })]} />);
  const [row] = screen.getAllByRole("listitem");
  expect(row).toHaveTextContent("Sign-in failed");
  expect(row).toHaveTextContent("Nov 2, 2026, 10:00 AM · 203.0.113.9");
});

it("has a plain sentence for every action", () => {
  renderScreen(<RecentActivity events={AUDIT_ACTIONS.slice(0, 8).map((action, n) => event(n, { action }))} />);
  renderScreen(<RecentActivity events={AUDIT_ACTIONS.slice(8, 16).map((action, n) => event(n, { action }))} />);
  renderScreen(<RecentActivity events={AUDIT_ACTIONS.slice(16).map((action, n) => event(n, { action }))} />);
  const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  expect(rows).toHaveLength(AUDIT_ACTIONS.length);
  for (const row of rows) expect(row).not.toMatch(/[a-z]\.[a-z_]+/);
});

it("shows eight events and all of them on demand, without a shared address", async () => {
  const events = Array.from({ length: 20 }, (_, n) => event(n, { address: "shared" }));
  const { user } = renderScreen(<RecentActivity events={events} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  expect(screen.queryByText(/shared/)).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Show all 20" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(20);
});

it("shows ids as their first eight characters, and says when nothing has happened", () => {
  renderScreen(
    <RecentActivity
      events={[event(1, { action: "content.deleted", subject: "6f0c6a0e-0f0b-4e5c-9a51-0c9b1d6c7a11" })]}
    />,
  );
  expect(screen.getByText("Content deleted (6f0c6a0e)")).toBeVisible();
  renderScreen(<RecentActivity events={[]} />);
  expect(screen.getByText("Nothing has happened yet.")).toBeVisible();
});

it("counts repeated failures in one line with the last time, and shows a single one as an event", () => {
  const failed = { action: "session.sign_in_failed" };
  renderScreen(<RecentActivity events={[event(1, { ...failed, times: 12 }), event(2, { ...failed, times: 1 })]} />);
  const [many, one] = screen.getAllByRole("listitem");
  expect(many).toHaveTextContent(/^12 failed sign-ins\s?last on Nov 2, 2026, 10:00 AM · 203\.0\.113\.9$/);
  expect(one).toHaveTextContent(/^Sign-in failed\s?Nov 3, 2026, 10:00 AM · 203\.0\.113\.9$/);
});

it.each([
  ["account.password_refused", "1,200 wrong current passwords", "Wrong current password"],
  ["account.proof_refused", "1,200 refused proofs of identity", "Proof of identity refused"],
  ["password.reset_requested", "1,200 password reset links requested", "Password reset link requested"],
  ["password.reset_refused", "1,200 password reset links refused", "Password reset link refused"],
])("has a plural and a singular for %s", (action, plural, singular) => {
  renderScreen(<RecentActivity events={[event(1, { action, times: 1200 }), event(2, { action })]} />);
  const [many, one] = screen.getAllByRole("listitem");
  expect(many).toHaveTextContent(plural);
  expect(one).toHaveTextContent(singular);
});

it("has a plural for every action that is counted", () => {
  const counted = AUDIT_ACTIONS.filter(isFolded);
  renderScreen(<RecentActivity events={counted.map((action, n) => event(n, { action, times: 2 }))} />);
  const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  expect(rows).toHaveLength(counted.length);
  for (const row of rows) expect(row).toMatch(/^2 [a-z -]+last on /);
});

it("says when a sign-in came from a new browser", () => {
  renderScreen(<RecentActivity events={[event(1, { newBrowser: true }), event(2)]} />);
  const [first, second] = screen.getAllByRole("listitem");
  expect(first).toHaveTextContent("Signed in from a new browser");
  expect(second).not.toHaveTextContent("browser");
});

it("wraps anything, however long, on a narrow screen", () => {
  const long = "x".repeat(400);
  renderScreen(<RecentActivity events={[event(1, { action: long, subject: long, address: `${long}.` })]} />);
  const [row] = screen.getAllByRole("listitem");
  expect(row).toHaveClass("min-w-0");
  for (const cell of row?.children ?? []) expect(cell).toHaveClass("min-w-0", "break-words");
});
