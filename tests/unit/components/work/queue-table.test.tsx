/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import type { QueueItemOut } from "@/lib/features/work/schema";
import { AT, aJob, anItem, button, openMonitor } from "@/tests/support/queue-monitor";

it("lists a queue's items with eight characters of the content id, status, retries and time", async () => {
  await openMonitor({ outlineQueue: [anItem()] });
  const [, row] = within(screen.getByRole("table", { name: "Outline Generation Queue" })).getAllByRole("row");
  const [id, status, retries, created] = within(row as HTMLElement).getAllByRole("cell");
  expect(id).toHaveTextContent(/^Growing garlic1f6f5e0c · Seeds$/);
  expect(status).toHaveTextContent(/^Pending.*queued$/);
  expect(retries).toHaveTextContent("1/3");
  expect(created).toHaveTextContent("Nov 21, 2026, 10:00 AM");
});

it("says in a row what it waits for, with its own error alone, its tokens, and no spinner; what is at work comes first", async () => {
  const held = { waits: { for: "user", until: null }, error: "The key was refused." } as const;
  const later = { waits: { for: "retry", until: AT }, error: "It timed out." } as const;
  await openMonitor({
    jobs: [aJob()],
    outlineQueue: [
      anItem({ ...later, id: "later", title: "Storing garlic" }),
      anItem({ ...held, status: "processing", tokens: 1_234_567 }),
    ],
  });
  const [, first, second] = within(screen.getByRole("table")).getAllByRole("row");
  expect(first).toHaveTextContent(/1,234,567 tokens.*Processingheld/);
  expect(first).not.toHaveTextContent("The key was refused.");
  expect(second).toHaveTextContent(/It timed out\..*Pendingwaiting.*tries again at Nov 21, 2026, 10:00 AM/);
  expect(second).not.toHaveTextContent("tokens");
  expect(document.querySelector(".animate-spinner")).toBeNull();
});

it("shows a spinner in what is at work", async () => {
  await openMonitor({ jobs: [aJob()], outlineQueue: [anItem({ status: "processing" })] });
  expect(document.querySelectorAll(".animate-spinner")).toHaveLength(2);
});

it("collapses completed items", async () => {
  const { user } = await openMonitor({ contentQueue: [anItem({ status: "completed" })] });
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
  await user.click(button(/^Completed Items/));
  expect(screen.getByRole("table", { name: "Content Generation Queue, completed items" })).toBeVisible();
});

describe("a row's menu", () => {
  it.each<[string, Partial<QueueItemOut>, string[]]>([
    ["one that waits for its turn", {}, ["Do next", "Cancel", "Open run"]],
    ["one that is held", { waits: { for: "user", until: null } }, ["Cancel", "Open run"]],
    ["one at work", { status: "processing" }, ["Cancel", "Open run"]],
  ])("offers what can be done with %s", async (_what, parts, offers) => {
    const { user, calls } = await openMonitor(
      { outlineQueue: [anItem({ runId: "01RUN", ...parts })], runAddress: "https://engine.test/runs/{runId}" },
      { "POST /api/queue/items/bb1276ec-0000-4000-8000-000000000002/cancel": () => ({ json: anItem() }) },
    );
    await user.click(button("Actions for Growing garlic"));
    expect((await screen.findAllByRole("menuitem")).map((entry) => entry.textContent)).toEqual(offers);
    expect(screen.getByRole("menuitem", { name: "Open run" })).toHaveAttribute(
      "href",
      "https://engine.test/runs/01RUN",
    );
    await user.click(screen.getByRole("menuitem", { name: "Cancel" }));
    expect(calls.at(-1)).toMatchObject({ url: "/api/queue/status" });
  });

  it("links to the last run of an item that has one", async () => {
    const { user } = await openMonitor({
      outlineQueue: [anItem({ runId: "01/RUN?" }), anItem({ id: "none", title: "Storing garlic" })],
      runAddress: "https://engine.test/runs/{runId}",
    });
    await user.click(button("Actions for Storing garlic"));
    expect(await screen.findByRole("menuitem", { name: "Cancel" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "Open run" })).toBeNull();
    await user.keyboard("{Escape}");
    await user.click(button("Actions for Growing garlic"));
    const link = await screen.findByRole("menuitem", { name: "Open run" });
    expect(link).toHaveAttribute("href", "https://engine.test/runs/01%2FRUN%3F");
  });

  it("offers another try of a failed one, whose piece is there", async () => {
    const failed = { status: "failed", completedAt: AT } as const;
    const { user } = await openMonitor({
      outlineQueue: [anItem(failed), anItem({ ...failed, id: "gone", title: null })],
    });
    await user.click(button(/^Completed Items/));
    const menus = screen.getAllByRole("button", { name: /^Actions for/ });
    expect(menus).toHaveLength(1);
    await user.click(menus[0] as HTMLElement);
    expect(await screen.findByRole("menuitem", { name: "Try again" })).toBeVisible();
  });
});

describe("more rows than the status has", () => {
  const PAGE = "GET /api/queue/items?kind=outline_generation&status=live";
  const total = { outlineQueue: { live: 3, finished: 0, cancelled: 0 } };
  const row = (id: string, minute: number) =>
    anItem({ id, title: `Piece ${id}`, createdAt: `2026-11-21T10:0${minute}:00.000Z` });
  const titles = () => screen.getAllByRole("link", { name: /^Piece/ }).map((link) => link.textContent);

  it("load by themselves while their end is near, until all are there", async () => {
    const { calls } = await openMonitor(
      { outlineQueue: [row("a", 1)], total },
      {
        // What the status has.
        [PAGE]: () => ({ json: [row("a", 1)], link: '</api/queue/items?more>; rel="next"' }),
        "GET /api/queue/items?more": () => ({ json: [row("b", 2), row("c", 3)] }),
      },
    );
    await waitFor(() => expect(titles()).toEqual(["Piece a", "Piece b", "Piece c"]));
    expect(calls.filter(({ url }) => url.startsWith("/api/queue/items"))).toHaveLength(2);
  });

  it("say that they did not load, and wait for another try", async () => {
    let answer = () => {};
    const held = new Promise<{ json: object }>((resolve) => {
      answer = () => resolve({ json: [row("c", 3)] });
    });
    const pages = [{ status: 400, json: {} }, held];
    const { user, calls } = await openMonitor(
      { outlineQueue: [row("a", 1)], total },
      {
        [PAGE]: () => ({ json: [row("a", 1), row("b", 2)], link: '</api/queue/items?more>; rel="next"' }),
        "GET /api/queue/items?more": () => pages.shift() ?? { json: [] },
      },
    );
    expect(await screen.findByText("More rows did not load")).toBeVisible();
    const asked = () => calls.flatMap(({ url }) => (url.startsWith("/api/queue/items") ? url.slice(-6) : []));
    expect(asked()).toEqual(["s=live", "s?more"]);
    await user.click(button(/again/i));
    await waitFor(() => expect(asked()).toEqual(["s=live", "s?more", "s?more"]));
    expect(button(/again/i)).toHaveAttribute("aria-busy", "true");
    answer();
    await waitFor(() => expect(titles()).toHaveLength(3));
    expect(asked()).toHaveLength(3);
    expect(screen.queryByText("More rows did not load")).toBeNull();
  });

  it("end where the list does, whatever the total says: the cancelled ones follow", async () => {
    const gone = anItem({ id: "gone", title: "Piece gone", status: "cancelled", completedAt: AT });
    await openMonitor(
      { outlineQueue: [row("a", 1), gone], total: { outlineQueue: { live: 3, finished: 0, cancelled: 1 } } },
      { [PAGE]: () => ({ json: [row("a", 1), row("b", 2)] }) },
    );
    await waitFor(() => expect(titles()).toEqual(["Piece a", "Piece b", "Piece gone"]));
  });
});

it("puts cancelled items after live ones, collapses them beyond five, and counts them in full", async () => {
  const many = Array.from({ length: 100 }, (_, n) =>
    anItem({ status: "cancelled", completedAt: AT, id: `x${n}`, title: `Piece ${n}` }),
  );
  const { user } = await openMonitor({
    outlineQueue: [...many, anItem()],
    total: { outlineQueue: { live: 1, finished: 40, cancelled: 250 } },
  });
  const table = screen.getByRole("table", { name: "Outline Generation Queue" });
  const statuses = within(table).getAllByText(/^(Pending|Cancelled)$/);
  expect(statuses.map((status) => status.textContent)).toEqual(["Pending", ...Array(5).fill("Cancelled")]);
  await user.click(button("More cancelled items (245)"));
  const more = screen.getByRole("table", { name: "Outline Generation Queue, more cancelled items" });
  expect(within(more).getAllByRole("link")[0]).toHaveTextContent("Piece 5");
  // Only rows near the window are there.
  expect(within(more).getAllByText("Cancelled").length).toBeGreaterThan(20);
});

it("hands the keyboard's place to the next row when one is cancelled", async () => {
  const outlineQueue = [anItem(), anItem({ id: "next", title: "Storing garlic" })];
  const { user } = await openMonitor(
    { outlineQueue },
    {
      "POST /api/queue/items/bb1276ec-0000-4000-8000-000000000002/cancel": () => {
        outlineQueue[0] = anItem({ status: "cancelled", completedAt: AT });
        return { json: anItem() };
      },
    },
  );
  await user.click(button("Actions for Growing garlic"));
  await user.click(await screen.findByRole("menuitem", { name: "Cancel" }));
  await screen.findByText("Cancelled");
  await waitFor(() => expect(screen.getByRole("link", { name: "Storing garlic" })).toHaveFocus());
});
