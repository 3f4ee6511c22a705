/** @jest-environment jsdom */
import { screen, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPicker } from "@/components/publishing/project-picker";
import type { UserOut } from "@/lib/features/account/schema";
import { answerCalls, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

jest.mock("@/lib/features/account/actions", () => ({}));

const READY = { wordpressUrl: "https://blog.example.com", wordpressUsername: "editor", hasWordpressPassword: true };
const PROJECTS = [
  { id: 3, title: "Garden", description: "Beds and soil", createdAt: "2026-11-03T10:00:00.000Z" },
  { id: 4, title: "Tools", description: null, createdAt: "2026-11-03T10:00:00.000Z" },
];

function open(parts: Partial<UserOut> = READY, projects: unknown = PROJECTS) {
  answerCalls({ "GET /api/projects": () => (projects === null ? { status: 500, json: {} } : { json: projects }) });
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

it("lists the projects with their way to publishing", async () => {
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

it("finds by title and description, and says when there is no hit", async () => {
  const user = open();
  const search = await screen.findByPlaceholderText("Search projects...");
  await user.type(search, "SOIL");
  expect(screen.getAllByRole("row")).toHaveLength(2);
  await user.type(search, "x");
  expect(screen.getByText("No projects found")).toBeVisible();
  expect(screen.getByText(/^No project has these words/)).toBeVisible();
});

it("says otherwise where there is no project at all, and leads to the projects", async () => {
  open(READY, []);
  expect(await screen.findByText("No projects found")).toBeVisible();
  expect(screen.getByText(/^Create a project first/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Projects" })).toHaveAttribute("href", "/");
});

it("tells when the projects do not load", async () => {
  open(READY, null);
  expect(await screen.findByText("Failed to fetch projects")).toBeVisible();
});
