/** @jest-environment jsdom */
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { TopicsSection } from "@/components/topics/topics-section";
import { TooltipProvider } from "@/components/ui/tooltip";
import { aTopic } from "@/tests/support/pieces";
import { failure, mockApi, pendingAnswer, renderScreen } from "@/tests/support/render";

jest.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
beforeEach(() => window.history.replaceState(null, "", "/projects/3?topic=7"));
afterEach(() => window.history.replaceState(null, "", "/"));

const SUGGEST = "POST /api/topics/7/suggest-keywords";
const ADD = "POST /api/topics/7/add-suggested-keywords";
const suggested = (...keywords: string[]) => ({ json: { saved: false, savedKeywords: [], keywords } });

type Table = Parameters<typeof mockApi>[0];

/** Two topics, the first of them open. */
async function open(table: Table = {}) {
  const calls = mockApi({
    "GET /api/projects/3/topics?description=300": () => ({
      json: [aTopic(), aTopic({ id: 8, name: "Compost", category: null })],
    }),
    "GET /api/topics/7/keywords": () => ({ json: [] }),
    "GET /api/topics/8/keywords": () => ({ json: [] }),
    "GET /api/projects/3/topics/7/content?limit=50": () => ({ json: [] }),
    "GET /api/projects/3/topics/8/content?limit=50": () => ({ json: [] }),
    [SUGGEST]: () => suggested("heat mats", "soil blocks", "peat-free mix"),
    [ADD]: (body) => ({ json: { count: (body as { keywords: string[] }).keywords.length } }),
    ...table,
  });
  const { user, client, unmount } = renderScreen(<TopicsSection projectId={3} />);
  const press = async (name: string | RegExp) => user.click(await screen.findByRole("button", { name }));
  await screen.findByRole("region", { name: "Keywords of Seed starting indoors" });
  return {
    press,
    leave: async () => {
      await press(/^Compost/);
      await waitFor(() => expect(shown()).not.toBeInTheDocument());
    },
    comeBack: () => press(/^Seed starting/),
    /** Goes to another screen and opens the project again. */
    reopen: () => {
      unmount();
      render(
        <QueryClientProvider client={client}>
          <TooltipProvider>
            <TopicsSection projectId={3} />
          </TooltipProvider>
        </QueryClientProvider>,
      );
    },
    requests: () => calls.filter(({ url }) => url.includes("suggest-keywords")).map(({ url }) => url),
  };
}

const shown = () => screen.queryByRole("region", { name: "Suggested keywords" });
const list = async () =>
  (await within(await screen.findByRole("region", { name: "Suggested keywords" })).findAllByRole("listitem")).map(
    ({ textContent }) => textContent?.replace(/^Add/, ""),
  );

describe("suggestions stay", () => {
  it("while another topic is opened, without asking the provider again", async () => {
    const { press, leave, comeBack, requests } = await open();
    await press("Show Suggestions");
    expect(await list()).toHaveLength(3);
    await leave();
    await comeBack();
    expect(await list()).toEqual(["heat mats", "soil blocks", "peat-free mix"]);
    await press("Hide Suggestions");
    await leave();
    await comeBack();
    expect(shown()).not.toBeInTheDocument();
    await press("Show Suggestions");
    expect(await list()).toHaveLength(3);
    expect(requests()).toHaveLength(1);
  });

  it("while another screen is open", async () => {
    const { press, reopen, requests } = await open();
    await press("Show Suggestions");
    expect(await list()).toHaveLength(3);
    reopen();
    expect(await list()).toHaveLength(3);
    expect(requests()).toHaveLength(1);
  });

  it("when they arrive while the topic is closed", async () => {
    const { answer, give } = pendingAnswer();
    const { press, leave, comeBack, requests } = await open({ [SUGGEST]: answer });
    await press("Show Suggestions");
    await leave();
    await comeBack();
    // It is still under way: no second request.
    expect(screen.getByRole("button", { name: "Show Suggestions" })).toHaveAttribute("aria-busy", "true");
    await press("Show Suggestions");
    await leave();
    await act(async () => give(suggested("heat mats")));
    await comeBack();
    expect(await list()).toEqual(["heat mats"]);
    expect(requests()).toHaveLength(1);
  });

  it("and can be requested again after failing while the topic was closed", async () => {
    const { answer, give } = pendingAnswer();
    const { press, leave, comeBack, requests } = await open({ [SUGGEST]: answer });
    await press("Show Suggestions");
    await leave();
    await act(async () => give({ status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }));
    expect(await screen.findByText("Not now.")).toBeVisible();
    await comeBack();
    expect(screen.getByRole("button", { name: "Show Suggestions" })).not.toHaveAttribute("aria-busy", "true");
    await press("Show Suggestions");
    expect(requests()).toHaveLength(2);
  });

  it("and are not added twice while Auto-Add Keywords is under way", async () => {
    const { answer } = pendingAnswer();
    const { press, leave, comeBack, requests } = await open({ [`${SUGGEST}?autoSave=true`]: answer });
    await press("Auto-Add Keywords");
    await leave();
    await comeBack();
    await press("Auto-Add Keywords");
    expect(requests()).toHaveLength(1);
  });
});

describe("adding a suggestion", () => {
  it("removes it from the list, even when the response arrives while the topic is closed", async () => {
    const { answer, give } = pendingAnswer();
    const { press, leave, comeBack } = await open({ [ADD]: answer });
    await press("Show Suggestions");
    await press("Add soil blocks");
    await leave();
    await act(async () => give({ json: { count: 1 } }));
    await comeBack();
    expect(await list()).toEqual(["heat mats", "peat-free mix"]);
  });

  it("puts it back in its place when refused while the topic is closed", async () => {
    const { answer, give } = pendingAnswer();
    const { press, leave, comeBack } = await open({ [ADD]: answer });
    await press("Show Suggestions");
    await press("Add soil blocks");
    await leave();
    await act(async () => give({ status: 503, json: failure("Not now.", "SERVICE_UNAVAILABLE") }));
    await comeBack();
    expect(await list()).toEqual(["heat mats", "soil blocks", "peat-free mix"]);
  });

  it("closes the list after Add All, even when the response arrives while the topic is closed", async () => {
    const { answer, give } = pendingAnswer();
    const { press, leave, comeBack } = await open({ [ADD]: answer });
    await press("Show Suggestions");
    await press("Add All");
    await leave();
    await act(async () => give({ json: { count: 3 } }));
    await comeBack();
    expect(screen.getByRole("button", { name: "Show Suggestions" })).toHaveAttribute("aria-expanded", "false");
    expect(shown()).not.toBeInTheDocument();
  });
});

it("Suggest More asks again, and appends what is new", async () => {
  let times = 0;
  const { press, requests } = await open({
    [SUGGEST]: () => {
      times += 1;
      return times === 1 ? suggested("heat mats", "soil blocks") : suggested("soil blocks", "grow lights");
    },
  });
  await press("Show Suggestions");
  await press("Add heat mats");
  await press("Suggest More");
  await waitFor(async () => expect(await list()).toEqual(["soil blocks", "grow lights"]));
  expect(requests()).toHaveLength(2);
});
