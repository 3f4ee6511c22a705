/** @jest-environment jsdom */
import { render, screen } from "@testing-library/react";
import HomeLoading from "@/app/(app)/(home)/loading";
import { ProjectCard, ProjectPlaceholders } from "@/components/projects/project-card";
import { ProjectsSection } from "@/components/projects/projects-section";
import { mockApi, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

const GARDEN = {
  id: 3,
  title: "Garden",
  description: null,
  userId: USER_ID,
  siteId: null,
  createdAt: "2026-01-05T12:00:00.000Z",
};

it("links to the project, shows its full creation date, and can be deleted", () => {
  const onDelete = jest.fn();
  render(<ProjectCard project={GARDEN} index={0} total={1} onEdit={() => undefined} onDelete={onDelete} />);
  expect(screen.getByRole("link", { name: "Garden" })).toHaveAttribute("href", "/projects/3");
  expect(screen.getByRole("listitem")).toHaveTextContent("Created: January 5, 2026");
  expect(screen.getByText("No description")).toBeVisible();
  screen.getByRole("button", { name: "Delete project Garden" }).click();
  expect(onDelete).toHaveBeenCalledTimes(1);
});

it("says where a description goes on", () => {
  const cut = { ...GARDEN, description: "Beds, soil and ", descriptionCut: true };
  render(<ProjectCard project={cut} index={0} total={1} onEdit={() => undefined} onDelete={() => undefined} />);
  expect(screen.getByText("Beds, soil and…")).toBeVisible();
});

it("sits in a grid of one, two or three columns", () => {
  render(<ProjectPlaceholders />);
  const grid = screen.getAllByTestId("project-placeholder")[0]?.parentElement;
  expect(grid).toHaveClass("grid-cols-1", "md:grid-cols-2", "xl:grid-cols-3");
});

it("has three pulsing placeholders while the page loads", () => {
  render(<HomeLoading />);
  const placeholders = screen.getAllByTestId("project-placeholder");
  expect(placeholders).toHaveLength(3);
  for (const placeholder of placeholders) expect(placeholder.querySelector(".animate-pulse")).toBeInTheDocument();
});

it("sits under a heading named exactly 'Your Projects'", async () => {
  mockApi({ "GET /api/projects?description=300": () => ({ json: [GARDEN] }) });
  renderScreen(<ProjectsSection />);
  await screen.findByRole("link", { name: "Garden" });
  expect(screen.getByRole("heading", { name: "Your Projects" })).toBeVisible();
});
