/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import { StatusBadge } from "@/components/shared/status-badge";

it.each([
  ["library", "draft", "Draft"],
  ["library", "review", "Under Review"],
  ["library", "published", "Published"],
  ["library", "unpublished", "Unpublished"],
  ["library", "wp_draft", "WordPress Draft"],
  ["library", "wp_published", "Published"],
  ["library", "wp_failed", "Failed"],
  ["publishing", "wp_published", "Published"],
  ["publishing", "wp_draft", "Draft"],
  ["publishing", "wp_failed", "Failed"],
  ["publishing", "draft", "Not Published"],
  ["publishing", "published", "Not Published"],
  ["processing", "pending", "Pending"],
  ["processing", "processing", "Processing"],
  ["processing", "completed", "Completed"],
  ["processing", "failed", "Failed"],
  ["processing", "cancelled", "Cancelled"],
] as const)("in the %s view shows %s as '%s'", (view, status, label) => {
  const { container } = render(<StatusBadge status={status} view={view} />);
  expect(container).toHaveTextContent(new RegExp(`^${label}$`));
  // Never by colour alone.
  expect(container.querySelector("svg")).toBeInTheDocument();
});

it("shows an unknown status by its name", () => {
  render(<StatusBadge status="archived" />);
  expect(screen.getByText("archived")).toBeVisible();
});
