/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPicker } from "@/components/publishing/project-picker";
import type { UserOut } from "@/lib/features/account/schema";
import { mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const READY = { wordpressUrl: "https://blog.example.com", wordpressUsername: "editor", hasWordpressPassword: true };
const PROJECTS = [
  { id: 3, title: "Garden", description: "Beds and soil", createdAt: "2026-11-03T10:00:00.000Z" },
  { id: 4, title: "Tools", description: null, createdAt: "2026-11-03T10:00:00.000Z" },
];

function open(parts: Partial<UserOut> = READY, projects: unknown = PROJECTS) {
  mockApi({ "GET /api/projects": () => (projects === null ? { status: 500, json: {} } : { json: projects }) });
  return renderScreen(
    <AuthProvider user={someUser(parts)}>
      <ProjectPicker />
    </AuthProvider>,
  ).user;
}

it.each([
  ["address", { ...READY, wordpressUrl: null }],
  ["username", { ...READY, wordpressUsername: null }],
  ["password", { ...READY, hasWordpressPassword: false }],
])("asks for credentials while the %s is missing", (_which, parts) => {
  open(parts);
  expect(screen.getByText("WordPress Credentials Required")).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Settings" })).toHaveAttribute("href", "/settings");
  expect(screen.queryByPlaceholderText("Search projects...")).not.toBeInTheDocument();
});

it("lists the projects with links to their publishing", async () => {
  open();
  const [head, garden, tools] = await screen.findAllByRole("row");
  const heads = within(head as HTMLElement).getAllByRole("columnheader");
  expect(heads.map(({ textContent }) => textContent)).toEqual(["Project", "Description", "Actions"]);
  expect(garden).toHaveTextContent("GardenBeds and soil");
  expect(tools).toHaveTextContent("No description");
  expect(within(garden as HTMLElement).getByRole("link", { name: "Manage Publishing" })).toHaveAttribute(
    "href",
    "/wp-publishing/3",
  );
});

it("searches titles and descriptions, and says when nothing matches", async () => {
  const user = open();
  const search = await screen.findByPlaceholderText("Search projects...");
  await user.type(search, "SOIL");
  expect(screen.getAllByRole("row")).toHaveLength(2);
  await user.type(search, "x");
  expect(screen.getByText("No projects found")).toBeVisible();
  expect(screen.getByText(/^No project has these words/)).toBeVisible();
});

it("says to create a project when there is none, and links to the projects", async () => {
  open(READY, []);
  expect(await screen.findByText("No projects found")).toBeVisible();
  expect(screen.getByText(/^Create a project first/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Projects" })).toHaveAttribute("href", "/");
});

it("says when the projects fail to load", async () => {
  open(READY, null);
  expect(await screen.findByText("Failed to fetch projects")).toBeVisible();
});
