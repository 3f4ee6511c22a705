/** @jest-environment jsdom */
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useSyncExternalStore } from "react";
import { ContentLibrary } from "@/components/content/content-library";
import type { ContentGroup } from "@/lib/features/content/schema";
import { aReview, aSummary, aTopic } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

jest.mock("@/lib/features/projects/actions", () => ({ createProjectAction: jest.fn() }));
jest.mock("next/navigation", () => ({ useSearchParams: () => useAddress() }));

// Like the router: replaceState notifies every reader of the address.
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

function open(table: Parameters<typeof mockApi>[0] = {}) {
  const calls = mockApi({
    "GET /api/projects?description=300": () => ({ json: PROJECTS }),
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

it("groups by project and topic, loads a project's rows when it opens, and has fallback names", async () => {
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

it("puts the search in the address once typing pauses, and clears everything on Reset Filters", async () => {
  jest.useFakeTimers();
  try {
    open();
    const typing = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    const field = await screen.findByRole("searchbox", { name: "Search content" });
    await typing.type(field, "peat");
    act(() => jest.advanceTimersByTime(299));
    expect(window.location.search).toBe("");
    act(() => jest.advanceTimersByTime(1));
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
    ["a link to a search that is too long", `/content?search=${"x".repeat(301)}`, ""],
  ])("matches the list's filter after %s", async (_what, address, shown) => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    pause();
    expect(window.location.search).toBe("?search=peat");
    act(() => go(address));
    expect(box).toHaveValue(shown);
    pause();
    expect(window.location.pathname + window.location.search).toBe(address);
    // The next search starts from there.
    await typing.clear(box);
    await typing.type(box, "peat");
    pause();
    expect(window.location.search).toBe("?search=peat");
    expect(box).toHaveFocus();
  });

  it("follows the address to and from a search", async () => {
    go("/content?search=tomato");
    const { box } = await openTyping();
    expect(box).toHaveValue("tomato");
    act(() => go("/content"));
    expect(box).toHaveValue("");
    act(() => go("/content?search=tomato"));
    expect(box).toHaveValue("tomato");
  });

  it("drops pending text when the address changes, and does not restore it", async () => {
    go("/content?status=review");
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    act(() => go("/content"));
    expect(box).toHaveValue("");
    pause();
    expect(window.location.search).toBe("");
  });

  it("drops pending text on Reset Filters", async () => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    await typing.click(screen.getByRole("button", { name: "Reset Filters" }));
    expect(box).toHaveValue("");
    pause();
    expect(window.location.search).toBe("");
  });

  it("keeps pending text when another filter is set, and searches with both", async () => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    await typing.click(screen.getByRole("combobox", { name: "Status" }));
    await typing.click(screen.getByRole("option", { name: "Under Review" }));
    expect(box).toHaveValue("peat");
    pause();
    expect(window.location.search).toBe("?search=peat&status=review");
  });

  it("searches at once on blur, so that no search runs after a link", async () => {
    const { typing, box } = await openTyping();
    await typing.type(box, "peat");
    await typing.tab();
    expect(window.location.search).toBe("?search=peat");
    // The link's page is loading.
    const replaced = jest.mocked(window.history.replaceState).mock.calls.length;
    pause();
    expect(jest.mocked(window.history.replaceState).mock.calls).toHaveLength(replaced);
    act(() => go("/content"));
    expect(box).toHaveValue("");
  });

  describe("losing the focus to a pressed link", () => {
    async function press(name: string) {
      const { typing, box } = await openTyping();
      await typing.type(box, "peat");
      const pressed = (await screen.findAllByRole("link", { name })).at(0) as HTMLElement;
      pressed.addEventListener("click", (event) => event.preventDefault());
      jest.spyOn(pressed, "matches").mockImplementation((selector) => selector === ":active");
      fireEvent.blur(box, { relatedTarget: pressed });
      expect(window.location.search).toBe("");
      return pressed;
    }
    const PIECE = "Bottom watering, explained";

    it("drops the search when the link leads to another page", async () => {
      fireEvent.click(await press(PIECE));
      pause();
      expect(window.location.search).toBe("");
    });

    it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])(
      "searches when the link opens in another tab or window: %j",
      async (held) => {
        fireEvent.click(await press(PIECE), held);
        expect(window.location.search).toBe("?search=peat");
      },
    );

    it("searches once when the link is not followed", async () => {
      await press(PIECE);
      fireEvent.click(document.body);
      expect(window.location.search).toBe("?search=peat");
      act(() => go("/content"));
      fireEvent.click(document.body);
      expect(window.location.search).toBe("");
    });
  });

  it("loses no letter while the address updates late", async () => {
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

  it("limits its text to the longest search", async () => {
    const { box } = await openTyping();
    expect(box).toHaveAttribute("maxlength", "300");
  });
});

describe("the rows of a topic", () => {
  const next = "/api/content?projectId=3&topicId=7&limit=50&cursor=c";
  const first = (count: number) => ({
    "GET /api/content/groups": () => ({
      json: [{ ...GROUPS[0], count, topics: [{ topicId: 7, name: "Seed starting", count }] }],
    }),
    "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: [aSummary()], link: `<${next}>; rel="next"` }),
  });

  it("load the next page when there is more, and state their position in the whole list", async () => {
    const { calls } = open({
      ...first(2),
      [`GET ${next}`]: () => ({ json: [aSummary({ id: "b", title: "Heat mats" })] }),
    });
    expect(await screen.findByRole("link", { name: "Heat mats" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
    const lines = screen.getAllByRole("listitem");
    expect(lines.map((line) => line.getAttribute("aria-posinset"))).toEqual(["1", "2", "3", "4"]);
    expect(lines.map((line) => line.getAttribute("aria-setsize"))).toEqual(["4", "4", "4", "4"]);
    expect(screen.queryByText("Loading")).not.toBeInTheDocument();
    expect(calls.filter(({ url }) => url.startsWith("/api/content?"))).toHaveLength(2);
  });

  it.each([
    ["first", 1],
    ["next", 2],
  ])("offer to try again when the %s page fails, and fetch no other page meanwhile", async (_which, failing) => {
    let isDown = true;
    let attempts = 0;
    const page = (number: number, answer: () => object) => () => {
      if (number === failing) attempts++;
      return isDown && number === failing ? { status: 500, json: {} } : answer();
    };
    const table = first(2);
    const { user } = open({
      ...table,
      "GET /api/content?projectId=3&topicId=7&limit=50": page(
        1,
        table["GET /api/content?projectId=3&topicId=7&limit=50"] as () => object,
      ),
      [`GET ${next}`]: page(2, () => ({ json: [aSummary({ id: "b", title: "Heat mats" })] })),
    });
    const again = await screen.findByRole("button", { name: "Try again" });
    expect(screen.queryByText("Loading")).not.toBeInTheDocument();
    expect(attempts).toBe(1);
    isDown = false;
    await user.click(again);
    expect(await screen.findByRole("link", { name: "Heat mats" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });

  it("are placeholders until they load", async () => {
    open({
      ...first(2),
      "GET /api/content?projectId=3&topicId=7&limit=50": () => new Promise(() => undefined),
    });
    expect(await screen.findAllByText("Loading")).toHaveLength(2);
  });
});

describe("the projects that are open at first", () => {
  const groups = [3, 4, 5, 6].map((projectId) => ({
    projectId,
    title: `Project ${projectId}`,
    count: 1,
    topics: [{ topicId: 10 * projectId, name: `Topic of ${projectId}`, count: 1 }],
  }));
  const opened = async () =>
    (await screen.findAllByRole("button", { name: /^Project \d 1 item$/ })).map((head) =>
      head.getAttribute("aria-expanded"),
    );

  it("are only the newest, until others are opened or closed", async () => {
    const { user } = open({ "GET /api/content/groups": () => ({ json: groups }) });
    expect(await opened()).toEqual(["true", "false", "false", "false"]);
    await user.click(screen.getByRole("button", { name: "Project 4 1 item" }));
    await user.click(screen.getByRole("button", { name: "Project 3 1 item" }));
    expect(await opened()).toEqual(["false", "true", "false", "false"]);
  });

  it("are the first three results of a search", async () => {
    go("/content?search=peat");
    open({ "GET /api/content/groups?search=peat": () => ({ json: groups }) });
    expect(await opened()).toEqual(["true", "true", "true", "false"]);
  });
});

it.each([
  ["/content", "Go to Projects", "link"],
  ["/content?status=review", "Show all content", "button"],
])("offers a next step when nothing is found at %s: %s", async (address, name, role) => {
  go(address);
  const { user } = open({ "GET /api/content/groups": () => ({ json: [] }) });
  const nextStep = await screen.findByRole(role, { name });
  if (role === "button") {
    await user.click(nextStep);
    expect(window.location.search).toBe("");
  }
});

it("names a project without a title by its number in the filter too", async () => {
  const { user } = open({
    "GET /api/projects?description=300": () => ({
      json: [{ id: 5, title: "", description: null, createdAt: "2026-11-03" }],
    }),
    "GET /api/content/groups?projectId=5": () => ({ json: [] }),
  });
  await screen.findByRole("link", { name: "Bottom watering, explained" });
  await user.click(screen.getByRole("combobox", { name: "Project" }));
  await user.click(screen.getByRole("option", { name: "Project 5" }));
  expect(window.location.search).toBe("?projectId=5");
  expect(screen.getByRole("combobox", { name: "Project" })).toHaveTextContent("Project 5");
  await user.click(screen.getByRole("combobox", { name: "Project" }));
  await user.click(screen.getByRole("option", { name: "All Projects" }));
  expect(window.location.search).toBe("");
});

it("opens with the filters of the address", async () => {
  go("/content?status=review&projectId=nonsense");
  const { calls } = open();
  expect(await screen.findByText("No content found")).toBeVisible();
  expect(screen.getByRole("combobox", { name: "Status" })).toHaveTextContent("Under Review");
  expect(screen.getByRole("combobox", { name: "Project" })).toHaveTextContent("All Projects");
  expect(calls.map(({ url }) => url)).toContain("/api/content/groups?status=review");
});

describe("the filters of a link", () => {
  const FOUND = "GET /api/content/groups?topicId=7&step=outline";
  const linked = (found: ContentGroup[] = GROUPS.slice(0, 1)) => ({
    "GET /api/topics/7": () => ({ json: aTopic({ name: "Seed starting" }) }),
    [FOUND]: () => ({ json: found }),
    "GET /api/content?topicId=7&step=outline&projectId=3&limit=50": () => ({ json: [aSummary()] }),
    "GET /api/content/groups?topicId=7": () => ({ json: [] }),
  });
  // The topic's name is an element of its own.
  const sentence = (text: string) =>
    screen.findByText((_text, element) => element?.tagName === "SPAN" && element.textContent === text);
  const clear = (filter: string) => screen.findByRole("button", { name: `Clear the filter ${filter}` });

  it("are shown by name, find their pieces, and are cleared one by one, which keeps the focus near", async () => {
    go("/content?topicId=7&step=outline");
    const { user } = open(linked());
    expect(await screen.findByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
    const chips = screen.getByRole("list", { name: "Filters from a link" });
    await waitFor(() => expect(chips).toHaveTextContent("Topic: Seed starting×Step: outlines×"));
    await user.click(await clear("Step: outlines"));
    expect(window.location.search).toBe("?topicId=7");
    expect(await sentence("There are no pieces in “Seed starting”.")).toBeVisible();
    await waitFor(async () => expect(await clear("Topic: Seed starting")).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(window.location.search).toBe("");
    expect(screen.queryByRole("list", { name: "Filters from a link" })).not.toBeInTheDocument();
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("leave with another project, whose topic it is not", async () => {
    go("/content?topicId=7&step=outline");
    const { user } = open({
      ...linked(),
      "GET /api/projects?description=300": () => ({
        json: [{ id: 5, title: "", description: null, createdAt: "2026-11-03" }],
      }),
      "GET /api/content/groups?projectId=5&step=outline": () => ({ json: [] }),
    });
    await user.click(await screen.findByRole("combobox", { name: "Project" }));
    await user.click(await screen.findByRole("option", { name: "Project 5" }));
    expect(window.location.search).toBe("?step=outline&projectId=5");
  });

  it("stay when another filter is set, and go with Reset Filters", async () => {
    go("/content?topicId=7&step=outline");
    const { user } = open({
      ...linked(),
      "GET /api/content/groups?topicId=7&status=review&step=outline": () => ({ json: [] }),
    });
    await user.click(await screen.findByRole("combobox", { name: "Status" }));
    await user.click(screen.getByRole("option", { name: "Under Review" }));
    expect(window.location.search).toBe("?topicId=7&step=outline&status=review");
    const missing = "No outlines without a text in “Seed starting” match the other filters.";
    expect(await sentence(missing)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Reset Filters" }));
    expect(window.location.search).toBe("");
  });

  it.each([
    ["?topicId=7&step=outline", "There are no outlines without a text in “Seed starting”."],
    ["?step=idea", "There are no ideas without an outline."],
    ["?step=text", "There are no texts that are not live."],
    ["?step=live", "There are no live pieces."],
    ["?newerHere=true", "There are no pieces that are newer here than on your site."],
    ["?topicId=8", "This topic was not found. It may have been deleted."],
  ])("say what is missing when nothing is found at %s", async (address, missing) => {
    go(`/content${address}`);
    const gone = failure("This topic was not found. It may have been deleted.", "NOT_FOUND");
    open({
      ...linked([]),
      [`GET /api/content/groups${address}`]: () => ({ json: [] }),
      "GET /api/topics/8": () => ({ status: 404, json: gone }),
    });
    expect(await sentence(missing)).toBeVisible();
    expect(screen.getByText("Try adjusting your filters or create new content")).toBeVisible();
  });
});

it("finds what is newer here by a button, which Reset Filters puts back", async () => {
  const { user } = open({
    "GET /api/content/groups?newerHere=true": () => ({ json: GROUPS.slice(0, 1) }),
    "GET /api/content?newerHere=true&projectId=3&topicId=7&limit=50": () => ({
      json: [aSummary({ status: "wp_published", isNewerHere: true })],
    }),
  });
  const filter = () => screen.getByRole("button", { name: "Newer here" });
  expect(filter()).toHaveAttribute("aria-pressed", "false");
  await user.click(filter());
  expect(window.location.search).toBe("?newerHere=true");
  expect(await screen.findByTitle("Your text here is newer than the post on your site.")).toHaveTextContent(
    "Newer here",
  );
  await user.click(screen.getByRole("button", { name: "Reset Filters" }));
  expect([window.location.search, filter().getAttribute("aria-pressed")]).toEqual(["", "false"]);
  await user.click(filter());
  await user.click(filter());
  expect(window.location.search).toBe("");
});

it("offers to try again when it fails to load", async () => {
  let fails = true;
  const { user } = open({ "GET /api/content/groups": () => (fails ? { status: 500, json: {} } : { json: GROUPS }) });
  expect(await screen.findByText("Error fetching content")).toBeVisible();
  fails = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
});

it("shows the SEO score of a text once it is known, and asks for no piece without a text", async () => {
  const { answer, give } = pendingAnswer();
  const rows = [aSummary({ id: "a", title: "Sowing" }), aSummary({ id: "b", title: "Plan", hasBody: false })];
  const { calls } = open({
    "GET /api/content?projectId=3&topicId=7&limit=50": () => ({ json: rows }),
    "GET /api/content/reviews?ids=a": answer,
  });
  const row = (await screen.findByRole("link", { name: "Sowing" })).closest("[role=listitem]");
  await waitFor(() => expect(calls.map(({ url }) => url)).toContain("/api/content/reviews?ids=a"));
  expect(row).not.toHaveTextContent("SEO");
  await act(async () => give({ json: [aReview({ id: "a", score: 72 })] }));
  await waitFor(() => expect(row).toHaveTextContent("SEO 72"));
  expect(screen.getByRole("link", { name: "Plan" }).closest("[role=listitem]")).not.toHaveTextContent("SEO");
  expect(calls.filter(({ url }) => url.includes("/reviews?"))).toHaveLength(1);
});
