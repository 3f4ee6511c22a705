/** @jest-environment jsdom */
import { act, screen, waitFor, within } from "@testing-library/react";
import { SearchButton } from "@/components/search/search-button";
import { keys } from "@/lib/client/query-keys";
import { aSummary, PIECE_ID } from "@/tests/support/pieces";
import { failure, mockApi, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

const push = jest.fn();
jest.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

beforeEach(() => push.mockReset());

const PROJECTS = [
  { id: 3, title: "Spring planting guide", description: null, userId: USER_ID, createdAt: "2026-11-03T10:00:00.000Z" },
  { id: 5, title: "Composting", description: null, userId: USER_ID, createdAt: "2026-11-02T10:00:00.000Z" },
];

function open(table: Parameters<typeof mockApi>[0] = {}) {
  const calls = mockApi({
    "GET /api/projects?description=300&limit=6": () => ({ json: PROJECTS }),
    "GET /api/projects?description=300&search=water&limit=6": () => ({ json: [] }),
    "GET /api/content?search=water&limit=8": () => ({ json: [aSummary()] }),
    ...table,
  });
  return { ...renderScreen(<SearchButton />), calls };
}

const options = async () => (await screen.findAllByRole("option")).map(({ textContent }) => textContent);

it("opens and closes with ctrl+K or cmd+K, and lists projects and screens", async () => {
  const { user } = open();
  await user.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("dialog", { name: "Search or jump to" })).toBeVisible();
  await screen.findByRole("option", { name: "Composting" });
  expect(await options()).toEqual([
    "Spring planting guide",
    "Composting",
    ...["Home", "Content", "WordPress", "Queue Monitor", "Planning assistant", "Settings"],
  ]);
  await user.keyboard("{Meta>}k{/Meta}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("goes to what is chosen with the keyboard, and returns the focus when closed", async () => {
  const { user } = open();
  const button = screen.getByRole("button", { name: /^Search or jump to/ });
  await user.click(button);
  await user.type(await screen.findByPlaceholderText("Search or jump to"), "queue");
  expect(await options()).toEqual(["Queue Monitor"]);
  await user.keyboard("{Enter}");
  expect(push).toHaveBeenCalledWith("/queue-monitor");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(button);
  await screen.findByRole("dialog");
  await user.keyboard("{Escape}");
  expect(button).toHaveFocus();
});

it("finds pieces by title or text once typing pauses", async () => {
  const { user, calls } = open();
  await user.click(screen.getByRole("button", { name: /^Search or jump to/ }));
  await user.type(await screen.findByPlaceholderText("Search or jump to"), "water");
  const hit = await screen.findByRole("option", { name: "Bottom watering, explained" });
  await user.click(hit);
  expect(push).toHaveBeenCalledWith(`/content/${PIECE_ID}`);
  expect(calls.filter(({ url }) => url.startsWith("/api/content?"))).toHaveLength(1);
});

it("finds projects the browser has at once, and others by their whole description", async () => {
  const deep = { ...PROJECTS[1], id: 9, title: "Ponds", createdAt: "2026-11-04T10:00:00.000Z" };
  let answer: (value: { json: unknown }) => void = () => undefined;
  const { user, client, calls } = open({
    "GET /api/projects?description=300&search=plant&limit=6": () => new Promise((resolve) => (answer = resolve)),
  });
  client.setQueryData(keys.projects(), PROJECTS);
  await user.click(screen.getByRole("button", { name: /^Search or jump to/ }));
  await user.type(await screen.findByPlaceholderText("Search or jump to"), "plant");
  expect(await screen.findByRole("option", { name: "Spring planting guide" })).toBeVisible();
  await waitFor(() => expect(calls.some(({ url }) => url.includes("search=plant"))).toBe(true));
  answer({ json: [deep, PROJECTS[0]] });
  await screen.findByRole("option", { name: "Ponds" });
  expect(await options()).toEqual(["Ponds", "Spring planting guide"]);
});

it("says when nothing was found, and when the search failed", async () => {
  const { user } = open({
    "GET /api/content?search=snow&limit=8": () => ({ json: [] }),
    "GET /api/projects?description=300&search=snow&limit=6": () => ({ json: [] }),
    "GET /api/content?search=snows&limit=8": () => ({ status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }),
  });
  await user.click(screen.getByRole("button", { name: /^Search or jump to/ }));
  const field = await screen.findByPlaceholderText("Search or jump to");
  await user.type(field, "snow");
  expect(await screen.findByText("Nothing was found.")).toBeVisible();
  await user.type(field, "s");
  expect(within(screen.getByRole("dialog")).queryByRole("alert")).toBeNull();
  expect(await screen.findByText("Not now.")).toBeVisible();
  await act(async () => undefined);
});
