/** @jest-environment jsdom */
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useSyncExternalStore } from "react";
import { ContentLibrary } from "@/components/content/content-library";
import type { ContentGroup } from "@/lib/features/content/schema";
import { aSummary } from "@/tests/support/pieces";
import { answerCalls, failure, renderScreen } from "@/tests/support/render";

jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));
jest.mock("next/navigation", () => ({ useSearchParams: () => useAddress() }));

// As the router does it: whoever reads the address hears of replaceState.
const listeners = new Set<() => void>();
let params = new URLSearchParams();
function useAddress(): URLSearchParams {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => params,
  );
}

beforeEach(() => {
  go("/content");
  jest.spyOn(window.history, "replaceState").mockImplementation((_state, _unused, url) => go(String(url)));
});

function go(url: string): void {
  window.history.pushState(null, "", url);
  params = new URLSearchParams(window.location.search);
  for (const listener of listeners) listener();
}

const GROUPS: ContentGroup[] = [
  { projectId: 3, title: "Spring planting guide", count: 1, topics: [{ topicId: 7, name: "Seed starting", count: 1 }] },
  { projectId: 5, title: "", count: 2, topics: [{ topicId: 118, name: "", count: 2 }] },
];
const PROJECTS = [{ id: 3, title: "Spring planting guide", description: null, createdAt: "2026-11-03T10:00:00.000Z" }];

function open(table: Parameters<typeof answerCalls>[0] = {}) {
  const calls = answerCalls({
    "GET /api/projects": () => ({ json: PROJECTS }),
    "GET /api/content/groups": () => ({ json: GROUPS }),
    "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: [aSummary()] }),
    "GET /api/content?projectId=5&topicId=118&limit=50": () => ({
      json: [aSummary({ id: "a", projectId: 5, topicId: 118, title: "Frost cloth" })],
    }),
    "GET /api/content/groups?search=peat": () => ({ json: [] }),
    "GET /api/content/groups?status=review": () => ({ json: [] }),
    ...table,
  });
  return { ...renderScreen(<ContentLibrary />), calls };
}

it("groups by project and topic, loads a project's rows when it opens, and falls back on names", async () => {
  const { user, calls } = open();
  expect(await screen.findByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
  expect(calls.some(({ url }) => url.includes("topicId=118"))).toBe(false);
  const other = screen.getByRole("button", { name: "Project 5 2 items" });
  await user.click(other);
  expect(await screen.findByRole("heading", { name: "Topic 118 2" })).toBeVisible();
  expect(await screen.findByRole("link", { name: "Frost cloth" })).toBeVisible();
  // Several may be open.
  expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
});

it("keeps the search in the address once the typing pauses, and clears everything with Reset Filters", async () => {
  jest.useFakeTimers();
  try {
    open();
    const typing = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    const field = await screen.findByRole("searchbox", { name: "Search content" });
    await typing.type(field, "peat");
    expect(window.location.search).toBe("");
    act(() => jest.advanceTimersByTime(300));
    expect(window.location.search).toBe("?search=peat");
    expect(await screen.findByText("No content found")).toBeVisible();
    expect(screen.getByText("Try adjusting your filters or create new content")).toBeVisible();
    await typing.click(screen.getByRole("button", { name: "Reset Filters" }));
    expect(window.location.search).toBe("");
    expect(screen.getByRole("searchbox", { name: "Search content" })).toHaveValue("");
  } finally {
    jest.useRealTimers();
  }
});

describe("the search box", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const field = () => screen.findByRole("searchbox", { name: "Search content" });
  const pause = () => act(() => jest.advanceTimersByTime(300));

  async function openTyping() {
    open({
      "GET /api/content/groups?search=tomato": () => ({ json: [] }),
      "GET /api/content/groups?search=pe": () => ({ json: [] }),
      "GET /api/content/groups?search=peat&status=review": () => ({ json: [] }),
    });
    const typing = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    return { typing, box: await field() };
  }

  it.each([
    ["Content in the sidebar", "/content", ""],
    ["a link to another search", "/content?search=tomato", "tomato"],
    ["a search too long to be one", `/content?search=${"x".repeat(301)}`, ""],
  ])("is what the list is filtered by after %s", async (_what, address, shown) => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    pause();
    expect(window.location.search).toBe("?search=peat");
    act(() => go(address));
    expect(box).toHaveValue(shown);
    pause();
    expect(window.location.pathname + window.location.search).toBe(address);
    // The next search begins from there.
    await typing.clear(box);
    await typing.type(box, "peat");
    pause();
    expect(window.location.search).toBe("?search=peat");
    expect(box).toHaveFocus();
  });

  it("goes back with the address, to a search too", async () => {
    go("/content?search=tomato");
    const { box } = await openTyping();
    expect(box).toHaveValue("tomato");
    act(() => go("/content"));
    expect(box).toHaveValue("");
    act(() => go("/content?search=tomato"));
    expect(box).toHaveValue("tomato");
  });

  it("drops a text on its way when the address becomes another, and does not bring it back", async () => {
    go("/content?status=review");
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    act(() => go("/content"));
    expect(box).toHaveValue("");
    pause();
    expect(window.location.search).toBe("");
  });

  it("drops a text on its way with Reset Filters", async () => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    await typing.click(screen.getByRole("button", { name: "Reset Filters" }));
    expect(box).toHaveValue("");
    pause();
    expect(window.location.search).toBe("");
  });

  it("keeps a text on its way when another filter is set, and searches with both", async () => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    await typing.click(screen.getByRole("combobox", { name: "Status" }));
    await typing.click(screen.getByRole("option", { name: "Under Review" }));
    expect(box).toHaveValue("peat");
    pause();
    expect(window.location.search).toBe("?search=peat&status=review");
  });

  it("searches at once when the field is left, so that no search follows a link", async () => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    await typing.tab();
    expect(window.location.search).toBe("?search=peat");
    // The link's page is on its way.
    const replaced = jest.mocked(window.history.replaceState).mock.calls.length;
    pause();
    expect(jest.mocked(window.history.replaceState).mock.calls).toHaveLength(replaced);
    act(() => go("/content"));
    expect(box).toHaveValue("");
  });

  it("loses no letter while the address follows late", async () => {
    const late: (() => void)[] = [];
    jest.spyOn(window.history, "replaceState").mockImplementation((_state, _unused, url) => {
      window.history.pushState(null, "", String(url));
      late.push(() => {
        params = new URLSearchParams(new URL(String(url), window.location.href).search);
        for (const listener of listeners) listener();
      });
    });
    const { typing, box } = await openTyping();
    await typing.type(box, "pe");
    pause();
    await typing.type(box, "at ");
    pause();
    expect(late).toHaveLength(2);
    act(() => late[0]?.());
    expect(box).toHaveValue("peat ");
    act(() => late[1]?.());
    expect(box).toHaveValue("peat ");
    expect(window.location.search).toBe("?search=peat");
  });

  it("takes no more than a search can have", async () => {
    const { box } = await openTyping();
    expect(box).toHaveAttribute("maxlength", "300");
  });
});

it("opens with the filters of the address", async () => {
  go("/content?status=review&projectId=nonsense");
  const { calls } = open();
  expect(await screen.findByText("No content found")).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Status" })).toHaveTextContent("Under Review");
  expect(screen.getByRole("combobox", { name: "Project" })).toHaveTextContent("All Projects");
  expect(calls.map(({ url }) => url)).toContain("/api/content/groups?status=review");
});

it("offers to try again when it does not load", async () => {
  let fails = true;
  const { user } = open({ "GET /api/content/groups": () => (fails ? { status: 500, json: {} } : { json: GROUPS }) });
  expect(await screen.findByText("Error fetching content")).toBeVisible();
  fails = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
});

describe("the two buttons of a topic", () => {
  const JOB = "ae1276ec-0000-4000-8000-000000000000";
  const idle = { jobs: [], outlineQueue: [], contentQueue: [] };

  it.each([
    ["Generate Topic Outline", "generate-outline-queue", "Outline Generation Queued"],
    ["Write Topic Content with AI", "generate-all-content-queue", "Content Generation Queued"],
  ])("%s: a toast with the message, the job and the way to the monitor", async (label, path, title) => {
    const { user } = open({
      [`POST /api/topics/7/${path}`]: () => ({ status: 202, json: { message: "1 queued.", jobId: JOB } }),
      "GET /api/queue/status": () => ({ json: idle }),
    });
    await user.click(await screen.findByRole("button", { name: label }));
    const toast = (await screen.findByText(title)).closest("li") as HTMLElement;
    expect(toast).toHaveTextContent("1 queued. Job ae1276ec");
    jest.spyOn(window, "open").mockReturnValue(null);
    await user.click(within(toast).getByRole("button", { name: "Monitor Progress" }));
    expect(window.open).toHaveBeenCalledWith("/queue-monitor", "_blank", "noopener");
  });

  it("tells why nothing was queued", async () => {
    const sentence = "Every piece in this topic has an outline already.";
    const { user } = open({
      "POST /api/topics/7/generate-outline-queue": () => ({ status: 400, json: failure(sentence, "NOTHING_TO_DO") }),
    });
    await user.click(await screen.findByRole("button", { name: "Generate Topic Outline" }));
    expect(await screen.findByText(sentence)).toBeVisible();
  });
});
