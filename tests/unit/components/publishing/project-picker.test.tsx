/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { AuthProvider } from "@/components/account/auth-provider";
import { ProjectPicker } from "@/components/publishing/project-picker";
import type { UserOut } from "@/lib/features/account/schema";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser } from "@/tests/support/user";

const READY = { wordpressUrl: "https://blog.example.com", wordpressUsername: "editor", hasWordpressPassword: true };
const PROJECTS = [
  { id: 3, title: "Garden", description: "Beds and soil", createdAt: "2026-11-03T10:00:00.000Z" },
  { id: 4, title: "Tools", description: null, createdAt: "2026-11-02T10:00:00.000Z" },
];

const COUNTS = [{ projectId: 3, live: 1200, ready: 12, failed: 1 }];

function open(
  parts: Partial<UserOut> = READY,
  projects: unknown = PROJECTS,
  searches: Parameters<typeof mockApi>[0] = {},
) {
  mockApi({
    "GET /api/projects?description=300": () => (projects === null ? { status: 500, json: {} } : { json: projects }),
    "GET /api/publishing-counts": () => ({ json: COUNTS }),
    ...searches,
  });
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
  expect(tools).toHaveTextContent("No description");
  expect(within(garden as HTMLElement).getByRole("link", { name: "Manage Publishing" })).toHaveAttribute(
    "href",
    "/wp-publishing/3",
  );
});

it("names the site, and says how much of each project is live, ready and failed", async () => {
  open();
  const heading = screen.getByRole("heading", { level: 1 });
  expect(heading).toHaveTextContent("WordPress Publishing to blog.example.com");
  const garden = await screen.findByRole("row", { name: /Garden/ });
  expect(await within(garden).findByText("1,200 published")).toBeVisible();
  expect(garden).toHaveTextContent("Garden1,200 published12 to publish1 failedBeds and soil");
  expect(screen.getByRole("row", { name: /Tools/ })).toHaveTextContent("ToolsNothing to publish yetNo description");
});

const searchFor = (text: string) => `GET /api/projects?description=300&search=${text}`;
const field = () => screen.findByPlaceholderText("Search projects...");
const titles = () =>
  screen
    .queryAllByRole("row")
    .map((row) => row.querySelector("td")?.firstChild?.textContent)
    .slice(1);

it("searches titles and descriptions, and says when nothing matches", async () => {
  const user = open(READY, PROJECTS, { [searchFor("SOILx")]: () => ({ json: [] }) });
  await user.type(await field(), "SOIL");
  expect(titles()).toEqual(["Garden"]);
  await user.type(await field(), "x");
  expect(titles()).toEqual([]);
  expect(screen.queryByText("No projects found")).not.toBeInTheDocument();
  expect(screen.getByText("Searching the descriptions")).toBeInTheDocument();
  expect(await screen.findByText("No projects found")).toBeVisible();
  expect(screen.getByText(/^No project has these words/)).toBeVisible();
});

it("adds projects whose description has the words beyond its start, and says where it goes on", async () => {
  const long = { ...PROJECTS[1], description: "About spades and", descriptionCut: true };
  const user = open(READY, [PROJECTS[0], long], {
    [searchFor("e")]: () => ({ json: [PROJECTS[0], long] }),
    [searchFor("hoes")]: () => ({ json: [long] }),
  });
  await user.type(await field(), "hoes");
  expect(await screen.findByText("About spades and…")).toBeVisible();
  expect(titles()).toEqual(["Tools"]);
  await user.clear(await field());
  await user.type(await field(), "e");
  // In the order of the list, each once.
  await waitFor(() => expect(titles()).toEqual(["Garden", "Tools"]));
});

it("ignores an answer to an older search", async () => {
  let answerOld: (value: { json: unknown }) => void = () => undefined;
  const old = new Promise<{ json: unknown }>((resolve) => {
    answerOld = resolve;
  });
  const asked: string[] = [];
  const user = open(READY, PROJECTS, {
    [searchFor("mulch")]: () => {
      asked.push("mulch");
      return old;
    },
    [searchFor("compost")]: () => ({ json: [] }),
  });
  await user.type(await field(), "mulch");
  await waitFor(() => expect(asked).toEqual(["mulch"]));
  await user.clear(await field());
  await user.type(await field(), "compost");
  expect(await screen.findByText("No projects found")).toBeVisible();
  await act(async () => answerOld({ json: PROJECTS }));
  expect(titles()).toEqual([]);
  expect(screen.getByText("No projects found")).toBeVisible();
});

it("says when the search failed, beside what it found by itself, and tries again", async () => {
  let isDown = true;
  const user = open(READY, PROJECTS, {
    [searchFor("soil")]: () =>
      isDown ? { status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") } : { json: PROJECTS },
  });
  await user.type(await field(), "soil");
  expect(await screen.findByText("The search did not finish")).toBeVisible();
  expect(titles()).toEqual(["Garden"]);
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(titles()).toEqual(["Garden", "Tools"]));
  expect(screen.queryByText("The search did not finish")).not.toBeInTheDocument();
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
