/** @jest-environment jsdom */
import { screen } from "@testing-library/react";
import { RecentActivity } from "@/components/account/recent-activity";
import { AUDIT_ACTIONS } from "@/lib/audit/actions";
import type { Activity } from "@/lib/features/account/schema";
import { renderScreen } from "@/tests/support/render";

function event(n: number, parts: Partial<Activity> = {}): Activity {
  return {
    id: `6f0c6a0e-0f0b-4e5c-9a51-0c9b1d6c7a${String(n).padStart(2, "0")}`,
    action: "session.signed_in",
    subject: null,
    address: "203.0.113.9",
    createdAt: `2026-11-0${(n % 9) + 1}T10:00:00.000Z`,
    ...parts,
  };
}

it("says what happened, when, and from which address", () => {
  renderScreen(<RecentActivity events={[event(1, { action: "session.sign_in_failed" })]} />);
  const [row] = screen.getAllByRole("listitem");
  expect(row).toHaveTextContent("Sign-in failed");
  expect(row).toHaveTextContent("Nov 2, 2026, 10:00 AM · 203.0.113.9");
});

it("has a plain sentence for every action there is", () => {
  renderScreen(<RecentActivity events={AUDIT_ACTIONS.slice(0, 8).map((action, n) => event(n, { action }))} />);
  renderScreen(<RecentActivity events={AUDIT_ACTIONS.slice(8, 16).map((action, n) => event(n, { action }))} />);
  renderScreen(<RecentActivity events={AUDIT_ACTIONS.slice(16).map((action, n) => event(n, { action }))} />);
  const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  expect(rows).toHaveLength(AUDIT_ACTIONS.length);
  for (const row of rows) expect(row).not.toMatch(/[a-z]\.[a-z_]+/);
});

it("shows eight and then all, and names the address only where it tells somebody apart", async () => {
  const events = Array.from({ length: 20 }, (_, n) => event(n, { address: "shared" }));
  const { user } = renderScreen(<RecentActivity events={events} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  expect(screen.queryByText(/shared/)).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Show all 20" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(20);
});

it("shows ids as their first eight characters, and a sentence when there is nothing", () => {
  renderScreen(
    <RecentActivity
      events={[event(1, { action: "content.deleted", subject: "6f0c6a0e-0f0b-4e5c-9a51-0c9b1d6c7a11" })]}
    />,
  );
  expect(screen.getByText("Content deleted (6f0c6a0e)")).toBeVisible();
  renderScreen(<RecentActivity events={[]} />);
  expect(screen.getByText("Nothing has happened yet.")).toBeVisible();
});
