/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import MissingContent from "@/app/(app)/content/[id]/not-found";
import { NotFoundMessage } from "@/components/shared/not-found-message";

it("says on an unknown path what may be wrong", () => {
  render(<NotFoundMessage />);
  expect(screen.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  expect(screen.getByText("Did you forget to add the page to the router?")).toBeVisible();
});

it("says that a missing piece does not exist or has been deleted", () => {
  render(<MissingContent />);
  expect(screen.getByRole("heading", { name: "Content not found" })).toBeVisible();
  expect(screen.getByText("The content you're looking for doesn't exist or has been deleted.")).toBeVisible();
});
