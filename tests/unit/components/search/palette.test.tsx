/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { AuthProvider } from "@/components/account/auth-provider";
import { SearchButton } from "@/components/search/search-button";
import { keys } from "@/lib/client/query-keys";
import { signOutAction } from "@/lib/features/account/sign-in/actions";
import type { SearchHits } from "@/lib/features/search/schema";
import { aPiece, aSummary, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { someUser, USER_ID } from "@/tests/support/user";

const push = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push, replace: jest.fn() }) }));
jest.mock("@/lib/features/account/sign-in/actions", () => ({ signOutAction: jest.fn() }));

beforeEach(() => jest.clearAllMocks());

const OTHER_ID = "1f6f5e0c-5a0e-4c39-9d3c-0a4a3b9d7a02";

const SCREENS = ["Home", "Content", "WordPress", "Queue Monitor", "Planning assistant", "Settings"];
const ACTIONS = ["New project", "New piece", "Theme: System", "Theme: Light", "Theme: Dark", "Sign out"];
const PROJECTS = [
  { id: 3, title: "Spring planting guide" },
  { id: 5, title: "Composting" },
];
const TOPIC = { id: 7, name: "Soil", projectId: 3, projectTitle: "Spring planting guide" };

function found(text: string, hits: Partial<SearchHits> = {}, texts: unknown[] = []) {
  return {
    [`GET /api/search?text=${text}`]: () => ({ json: { projects: [], topics: [], pieces: [], ...hits } }),
    [`GET /api/content?search=${text}&limit=16`]: () => ({ json: texts }),
  };
}

async function open(table: Parameters<typeof mockApi>[0] = {}) {
  const calls = mockApi({
    "GET /api/search": () => ({ json: { projects: PROJECTS, topics: [TOPIC], pieces: [] } }),
    ...table,
  });
  const opened = renderScreen(
    <AuthProvider user={someUser()}>
      <SearchButton />
    </AuthProvider>,
  );
  await opened.user.click(screen.getByRole("button", { name: /^Search or jump to/ }));
  return { ...opened, calls, field: await screen.findByPlaceholderText("Search or jump to") };
}

const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const showsOptions = (expected: string[]) => waitFor(() => expect(options()).toEqual(expected));

async function choose(user: UserEvent, name: string) {
  await user.click(await screen.findByRole("option", { name }));
}

it("opens and closes with ctrl+K or cmd+K, and lists the newest projects, screens and actions", async () => {
  const { user } = await open();
  await showsOptions(["Spring planting guide", "Composting", ...SCREENS, ...ACTIONS]);
  await user.keyboard("{Meta>}k{/Meta}");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("dialog", { name: "Search or jump to" })).toBeVisible();
});

it("goes to what is chosen with the keyboard, and returns the focus when closed", async () => {
  const { user, field } = await open();
  await user.type(field, "sett");
  await showsOptions(["Settings"]);
  await user.keyboard("{Enter}");
  expect(push).toHaveBeenCalledWith("/settings");
  expect(screen.queryByRole("dialog")).toBeNull();
  const button = screen.getByRole("button", { name: /^Search or jump to/ });
  await user.click(button);
  await screen.findByRole("dialog");
  await user.keyboard("{Escape}");
  expect(button).toHaveFocus();
});

it("lists what has the text in its title before what has it in its text, the best kind of title first", async () => {
  const hits = {
    projects: [
      { id: 9, title: "Resetting a lawn" },
      { id: 8, title: "Ponds" },
    ],
    topics: [{ ...TOPIC, name: "Sett" }],
    pieces: [
      { id: OTHER_ID, title: "Setts of stone" },
      { id: PIECE_ID, title: "Cosset them" },
    ],
  };
  const { user, field } = await open(
    found("sett", hits, [aSummary({ id: OTHER_ID, title: "Setts of stone" }), aSummary({ title: "Badgers" })]),
  );
  await user.type(field, "sett");
  await showsOptions([
    "SettSpring planting guide",
    "Settings",
    "Setts of stone",
    "Resetting a lawn",
    "Badgers",
    "Ponds",
  ]);
  const headings = [...document.querySelectorAll("[cmdk-group-heading]")].map(({ textContent }) => textContent);
  expect(headings).toEqual(["Topics", "Go to", "Content", "Projects", "In texts"]);
});

it("finds a project by its name before all others, and screens by their other words", async () => {
  const projects = [{ id: 8, title: "Theme" }];
  const { user, field } = await open({ ...found("theme", { projects }), ...found("passw") });
  await user.type(field, "theme");
  await showsOptions(["Theme", "Theme: System", "Theme: Light", "Theme: Dark"]);
  await user.clear(field);
  await user.type(field, "passw");
  await showsOptions(["Settings"]);
});

it("asks once typing pauses, and opens a piece that has the text inside", async () => {
  const { user, calls, field } = await open(found("water", {}, [aSummary({ title: "Mulch" })]));
  await user.type(field, "water");
  await choose(user, "Mulch");
  expect(push).toHaveBeenCalledWith(`/content/${PIECE_ID}`);
  expect(calls.filter(({ url }) => url.includes("water"))).toHaveLength(2);
});

it("shows projects that the browser has at once", async () => {
  const { user, client, field } = await open();
  const listed = PROJECTS.map((project) => ({ ...project, description: null, userId: USER_ID, createdAt: "" }));
  act(() => client.setQueryData(keys.projects(), listed));
  await user.type(field, "compo");
  await showsOptions(["Composting"]);
});

it("creates a project in its dialog, and returns the focus", async () => {
  const { user } = await open();
  await choose(user, "New project");
  const dialog = await screen.findByRole("dialog", { name: "Create New Project" });
  await waitFor(() => expect(within(dialog).getByLabelText(/^Title/)).toHaveFocus());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(screen.getByRole("button", { name: /^Search or jump to/ })).toHaveFocus());
});

it("asks for the topic of a new piece, and opens the piece", async () => {
  const { user } = await open({
    ...found("soi", { topics: [TOPIC, { ...TOPIC, id: 8, name: "Potting soil" }] }),
    "POST /api/projects/3/topics/7/content": () => ({ status: 201, json: aPiece() }),
  });
  await choose(user, "New piece");
  const field = screen.getByPlaceholderText("In which topic?");
  await showsOptions(["SoilSpring planting guide"]);
  await user.keyboard("{Backspace}");
  await showsOptions(["Spring planting guide", "Composting", ...SCREENS, ...ACTIONS]);
  await choose(user, "New piece");
  await user.type(field, "soi");
  await showsOptions(["SoilSpring planting guide", "Potting soilSpring planting guide"]);
  await user.keyboard("{Enter}");
  await user.type(within(await screen.findByRole("dialog", { name: "Add Content" })).getByLabelText(/^Title/), "Loam");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(push).toHaveBeenCalledWith(`/content/${PIECE_ID}`));
});

it("applies a theme, and signs out", async () => {
  jest.mocked(signOutAction).mockResolvedValue({ ok: true, data: null });
  const { user } = await open();
  await choose(user, "Theme: Dark");
  expect(document.documentElement).toHaveClass("dark");
  await user.click(screen.getByRole("button", { name: /^Search or jump to/ }));
  await choose(user, "Sign out");
  await waitFor(() => expect(signOutAction).toHaveBeenCalledTimes(1));
});

it("says when nothing was found, and when a search failed", async () => {
  const { user, field } = await open({
    ...found("snow"),
    ...found("snows"),
    "GET /api/content?search=snows&limit=16": () => ({
      status: 503,
      json: failure("Not now.", "SERVICE_UNAVAILABLE"),
    }),
  });
  await user.type(field, "snow");
  expect(await screen.findByText("Nothing was found.")).toBeVisible();
  await user.type(field, "s");
  expect(within(screen.getByRole("dialog")).queryByRole("alert")).toBeNull();
  expect(await screen.findByText("Not now.")).toBeVisible();
  await act(async () => undefined);
});
