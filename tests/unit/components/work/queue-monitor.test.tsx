/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import { QueueMonitor } from "@/components/work/queue-monitor";
import type { JobOut, Need, QueueItemOut, QueueStatus } from "@/lib/features/work/schema";
import type { ProcessingStatus } from "@/lib/features/work/states";
import { mockApi, renderScreen } from "@/tests/support/render";
import { USER_ID } from "@/tests/support/user";

const AT = "2026-11-21T10:00:00.000Z";

function aJob(parts: Partial<JobOut> = {}): JobOut {
  return {
    id: "ae1276ec-0000-4000-8000-000000000001",
    userId: USER_ID,
    projectId: 3,
    topicId: 7,
    topicName: "Seeds",
    jobType: "outline_generation",
    status: "processing",
    totalItems: 4,
    completedItems: 2,
    failedItems: 1,
    cancelledItems: 0,
    cancelRequestedAt: null,
    startedAt: AT,
    completedAt: null,
    createdAt: AT,
    updatedAt: AT,
    ...parts,
  };
}

function anItem(parts: Partial<QueueItemOut> = {}): QueueItemOut {
  return {
    id: "bb1276ec-0000-4000-8000-000000000002",
    jobId: "ae1276ec-0000-4000-8000-000000000001",
    userId: USER_ID,
    topicId: 7,
    contentPieceId: "1f6f5e0c-5a0e-4c39-9d3c-0a4a3b9d7a01",
    title: "Growing garlic",
    topicName: "Seeds",
    waits: null,
    section: null,
    tokens: 0,
    runId: null,
    status: "pending",
    retryCount: 1,
    maxRetries: 3,
    error: null,
    note: null,
    startedAt: null,
    completedAt: null,
    createdAt: AT,
    updatedAt: AT,
    ...parts,
  };
}

/** What the totals say of these rows. */
function totalOf(rows: { status: ProcessingStatus }[]) {
  const of = (...statuses: ProcessingStatus[]) => rows.filter(({ status }) => statuses.includes(status)).length;
  return { live: of("pending", "processing"), finished: of("completed", "failed"), cancelled: of("cancelled") };
}

const completedOf = (rows: QueueItemOut[] = []) => rows.filter(({ status }) => status === "completed").length;

async function open(parts: Partial<QueueStatus> = {}, table: Parameters<typeof mockApi>[0] = {}) {
  const status: QueueStatus = {
    jobs: [],
    outlineQueue: [],
    contentQueue: [],
    now: AT,
    needs: [],
    pausedAt: null,
    pace: { outlineQueue: null, contentQueue: null },
    runAddress: null,
    total: {
      jobs: totalOf(parts.jobs ?? []),
      outlineQueue: totalOf(parts.outlineQueue ?? []),
      contentQueue: totalOf(parts.contentQueue ?? []),
    },
    counts: {
      outlinePending: 0,
      outlineCompleted: completedOf(parts.outlineQueue),
      contentPending: 0,
      contentCompleted: completedOf(parts.contentQueue),
    },
    engineAwaySince: null,
    ...parts,
  };
  const calls = mockApi({
    "GET /api/queue/status": () => ({ json: JSON.parse(JSON.stringify(status)) }),
    "GET /api/publishing-jobs": () => ({ json: [] }),
    ...table,
  });
  const { user } = renderScreen(<QueueMonitor />);
  await screen.findByText("Processing Jobs");
  return { user, calls };
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });

it("says that each list is empty", async () => {
  await open();
  expect(screen.getByRole("heading", { name: "Queue Monitor" })).toBeVisible();
  expect(screen.getByText("No processing jobs found")).toBeVisible();
  expect(screen.getByText("Outline Generation Queue")).toBeVisible();
  expect(screen.getByText("No items in outline queue")).toBeVisible();
  expect(screen.getByText("Content Generation Queue")).toBeVisible();
  expect(screen.getByText("No items in content queue")).toBeVisible();
});

it("links to Home, and reloads on Refresh", async () => {
  const { user, calls } = await open();
  expect(screen.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  await user.click(button("Refresh"));
  expect(calls.filter(({ url }) => url === "/api/queue/status")).toHaveLength(2);
});

it("resumes processing", async () => {
  const { user, calls } = await open(
    {},
    { "POST /api/queue/resume": () => ({ json: { message: "Resumed.", resumed: 1 } }) },
  );
  await user.click(button("Resume Processing"));
  expect(await screen.findByText("Processing Resumed")).toBeVisible();
  expect(screen.getByText("Queue processing has been resumed successfully.")).toBeVisible();
  expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
});

it("says that resuming failed", async () => {
  const { user } = await open({}, { "POST /api/queue/resume": () => ({ status: 500, json: {} }) });
  await user.click(button("Resume Processing"));
  expect(await screen.findByText("Failed to resume processing")).toBeVisible();
});

it("shows an active job with progress, counts and times", async () => {
  await open({ jobs: [aJob()] });
  const jobs = within(screen.getByRole("region", { name: "Active Jobs" }));
  expect(jobs.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "75");
  const row = jobs.getByRole("listitem");
  expect(row).toHaveTextContent("ae1276ec");
  expect(row).toHaveTextContent("Completed: 2Failed: 1Total: 475%");
  expect(row).toHaveTextContent("Started Nov 21, 2026, 10:00 AM");
  expect(row).toHaveTextContent("Completed –");
});

it("says how a job has ended, and how many of its items failed", async () => {
  const ended = { completedAt: AT, status: "completed", totalItems: 12 } as const;
  const { user } = await open({
    jobs: [
      aJob({ ...ended, completedItems: 4, failedItems: 8 }),
      aJob({ ...ended, completedItems: 12, failedItems: 0, id: "ae1276ec-0000-4000-8000-000000000009" }),
      aJob({
        ...{ ...ended, status: "failed", completedItems: 0, failedItems: 12 },
        id: "ae1276ec-0000-4000-8000-000000000010",
      }),
    ],
    outlineQueue: [
      anItem({ status: "failed", completedAt: AT }),
      anItem({ status: "completed", completedAt: AT, id: "x" }),
    ],
    total: {
      jobs: { live: 0, finished: 3, cancelled: 0 },
      outlineQueue: { live: 0, finished: 2, cancelled: 0 },
      contentQueue: totalOf([]),
    },
  });
  expect(button("Completed Items (2, 1 of them failed)")).toBeVisible();
  await user.click(button("Completed Jobs (3, 2 of them with failures)"));
  const [partly, completed, failed] = screen.getAllByRole("listitem");
  expect(partly).toHaveTextContent(/^Outline generation Completed, 8 of 12 failed/);
  expect(partly).toHaveTextContent("Completed Nov 21, 2026, 10:00 AM");
  expect(failed).toHaveTextContent(/^Outline generation Failed/);
  expect(failed).toHaveTextContent("Failed Nov 21, 2026, 10:00 AM");
  expect(completed).toHaveTextContent(/^Outline generation Completed/);
  expect(completed).toHaveTextContent("Completed Nov 21, 2026, 10:00 AM");
});

it("offers to cancel a running job, and to retry the failed items of an ended one", async () => {
  const ended = { status: "cancelled", completedAt: AT } as const;
  await open({
    jobs: [
      aJob(),
      aJob({ cancelRequestedAt: AT, id: "cancelling" }),
      aJob({ ...ended, id: "failures" }),
      aJob({ ...ended, failedItems: 0, id: "none" }),
    ],
  });
  const offers = screen.getAllByRole("listitem").map((row) => row.lastElementChild?.textContent);
  expect(offers).toEqual(["Cancel", "Cancelling…", "Retry failed items", ""]);
  expect(button("Cancel Outline generation: Seeds")).toBeVisible();
});

it("collapses completed jobs", async () => {
  const { user } = await open({
    jobs: [aJob({ status: "completed", completedAt: AT, jobType: "content_generation" })],
  });
  expect(screen.queryByText("Content generation")).not.toBeInTheDocument();
  await user.click(button(/^Completed Jobs/));
  expect(screen.getByText("Content generation")).toBeVisible();
  expect(screen.getByText("Seeds")).toBeVisible();
});

it("lists a queue's items with eight characters of the content id, status, retries and time", async () => {
  await open({ outlineQueue: [anItem()] });
  const [, row] = within(screen.getByRole("table", { name: "Outline Generation Queue" })).getAllByRole("row");
  const [id, status, retries, created] = within(row as HTMLElement).getAllByRole("cell");
  expect(id).toHaveTextContent(/^Growing garlic1f6f5e0c · Seeds$/);
  expect(status).toHaveTextContent(/^Pending.*queued$/);
  expect(retries).toHaveTextContent("1/3");
  expect(created).toHaveTextContent("Nov 21, 2026, 10:00 AM");
});

it("says in a row what it waits for, with its own error alone, its tokens, and no spinner", async () => {
  const held = { waits: { for: "user", until: null }, error: "The key was refused." } as const;
  const later = { waits: { for: "retry", until: AT }, error: "It timed out." } as const;
  await open({
    jobs: [aJob()],
    outlineQueue: [
      anItem({ ...held, status: "processing", tokens: 1_234_567 }),
      anItem({ ...later, id: "later", title: "Storing garlic" }),
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
  await open({ jobs: [aJob()], outlineQueue: [anItem({ status: "processing" })] });
  expect(document.querySelectorAll(".animate-spinner")).toHaveLength(2);
});

it("collapses completed items", async () => {
  const { user } = await open({ contentQueue: [anItem({ status: "completed" })] });
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
  await user.click(button(/^Completed Items/));
  expect(screen.getByRole("table", { name: "Content Generation Queue, completed items" })).toBeVisible();
});

it("says since when the job engine has been down, and that nothing is lost", async () => {
  await open({ engineAwaySince: "2026-11-21T10:00:00.000Z" });
  expect(screen.getByRole("alert")).toHaveTextContent(/does not answer.*Nothing is lost.*Nov 21, 2026, 10:00 AM/);
});

it("shows no alert while the job engine answers", async () => {
  await open();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

it("shows the four counts", async () => {
  await open({ counts: { outlinePending: 1, outlineCompleted: 2, contentPending: 3, contentCompleted: 4 } });
  expect(screen.getByText("Queue Statistics")).toBeVisible();
  const figures = screen.getAllByRole("term").map((term) => `${term.textContent} ${term.nextSibling?.textContent}`);
  expect(figures).toEqual(["Outline Pending 1", "Outline Completed 2", "Content Pending 3", "Content Completed 4"]);
});

it("shows its cards in the order of the specification", async () => {
  await open();
  const titles = ["Processing Jobs", "Outline Generation Queue", "Content Generation Queue", "Queue Statistics"];
  const cards = titles.map((title) => screen.getByText(title));
  for (const [at, card] of cards.slice(1).entries()) {
    expect(cards[at]?.compareDocumentPosition(card)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  }
});

const need = (parts: Partial<Need>): Need => ({
  kind: "failed",
  items: 2,
  jobType: "outline_generation",
  reason: "Why.",
  project: null,
  ...parts,
});

describe("what needs the user", () => {
  it("tells each reason with its own buttons", async () => {
    await open({
      pausedAt: AT,
      needs: [
        need({ kind: "paused", items: 0, jobType: null, reason: null }),
        need({ kind: "held", items: 12, jobType: null, reason: "The key was refused." }),
        need({}),
        need({ jobType: "content_generation", items: 1, reason: "Another." }),
        need({ jobType: null, reason: "Both." }),
        need({ jobType: "publishing", reason: "The site.", project: { id: 3, title: "Garden" } }),
      ],
    });
    const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
    expect(rows).toEqual([
      "Paused by youNothing waits.Resume",
      "12 pieces waitThe key was refused.Open Settings",
      "2 outlines failedWhy.Try againDismiss",
      "1 post failedAnother.Try againDismiss",
      "2 pieces failedBoth.Try againDismiss",
      "2 pieces of Garden could not be publishedThe site.Open publishingDismiss",
    ]);
    expect(screen.getByRole("link", { name: "Open publishing" })).toHaveAttribute("href", "/wp-publishing/3");
    expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
  });

  it("is not tried again as a whole where only one reason allows that", async () => {
    await open({ needs: [need({}), need({ jobType: "publishing", project: { id: 3, title: "Garden" } })] });
    expect(screen.queryByRole("button", { name: "Retry all failed" })).toBeNull();
  });

  it("is tried again and dismissed by its reason, and tried again as a whole", async () => {
    const { user, calls } = await open(
      {
        needs: [
          need({}),
          need({ jobType: null, reason: "Both." }),
          need({ reason: "" }),
          need({ jobType: "publishing", project: { id: 3, title: "Garden" } }),
        ],
      },
      {
        "POST /api/queue/retry-failed": () => ({ json: { message: "2 items will be tried again.", retried: 2 } }),
        "POST /api/queue/dismiss-failed": () => ({ json: { dismissed: 2 } }),
      },
    );
    await user.click(screen.getAllByRole("button", { name: "Try again" })[0] as HTMLElement);
    expect(await screen.findByText("2 items will be tried again.")).toBeVisible();
    for (const at of [1, 2, 3]) await user.click(screen.getAllByRole("button", { name: "Dismiss" })[at] as HTMLElement);
    await user.click(button("Retry all failed"));
    const posts = calls.filter(({ method }) => method === "POST").map(({ url, body }) => [url.split("/").at(-1), body]);
    expect(posts).toEqual([
      ["retry-failed", { reason: "Why.", jobType: "outline_generation" }],
      ["dismiss-failed", { reason: "Both." }],
      ["dismiss-failed", { reason: "", jobType: "outline_generation" }],
      ["dismiss-failed", { reason: "Why.", jobType: "publishing", projectId: 3 }],
      ["retry-failed", {}],
    ]);
  });
});

describe("the keyboard's place", () => {
  it("is the next reason when one is dealt with, and stays on the page after the last", async () => {
    const needs: Need[] = [need({}), need({ reason: "Another." })];
    const { user } = await open(
      { needs },
      {
        "POST /api/queue/dismiss-failed": () => {
          needs.shift();
          return { json: { dismissed: 2 } };
        },
      },
    );
    screen.getAllByRole("button", { name: "Dismiss" })[0]?.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(1));
    await waitFor(() => expect(button("Dismiss")).toHaveFocus());
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByText("Needs you")).toBeNull());
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("is the next reason when all are tried again and some cannot be", async () => {
    const needs: Need[] = [need({}), need({ reason: "Another." })];
    const { user } = await open(
      { needs },
      {
        "POST /api/queue/retry-failed": () => {
          needs.shift();
          return { json: { message: "2 items will be tried again.", retried: 2 } };
        },
      },
    );
    button("Retry all failed").focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(button("Try again")).toHaveFocus());
  });

  it("is the next row when one is cancelled", async () => {
    const outlineQueue = [anItem(), anItem({ id: "next", title: "Storing garlic" })];
    const counted = totalOf(outlineQueue);
    const { user } = await open(
      { outlineQueue, total: { jobs: totalOf([]), outlineQueue: counted, contentQueue: totalOf([]) } },
      {
        "POST /api/queue/items/bb1276ec-0000-4000-8000-000000000002/cancel": () => {
          outlineQueue[0] = anItem({ status: "cancelled", completedAt: AT });
          Object.assign(counted, totalOf(outlineQueue));
          return { json: anItem() };
        },
      },
    );
    await user.click(button("Actions for Growing garlic"));
    await user.click(await screen.findByRole("menuitem", { name: "Cancel" }));
    await screen.findByText("Cancelled");
    await waitFor(() => expect(screen.getByRole("link", { name: "Storing garlic" })).toHaveFocus());
  });
});

describe("a row's menu", () => {
  it.each<[string, Partial<QueueItemOut>, string[]]>([
    ["one that waits for its turn", {}, ["Do next", "Cancel", "Open run"]],
    ["one that is held", { waits: { for: "user", until: null } }, ["Cancel", "Open run"]],
    ["one at work", { status: "processing" }, ["Cancel", "Open run"]],
  ])("offers what can be done with %s", async (_what, parts, offers) => {
    const { user, calls } = await open(
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
    const { user } = await open({
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
    const { user } = await open({ outlineQueue: [anItem(failed), anItem({ ...failed, id: "gone", title: null })] });
    await user.click(button(/^Completed Items/));
    const menus = screen.getAllByRole("button", { name: /^Actions for/ });
    expect(menus).toHaveLength(1);
    await user.click(menus[0] as HTMLElement);
    expect(await screen.findByRole("menuitem", { name: "Try again" })).toBeVisible();
  });
});

it("offers Pause while a job lives", async () => {
  const { user, calls } = await open(
    { jobs: [aJob()] },
    { "POST /api/queue/pause": () => ({ json: { pausedAt: AT } }) },
  );
  await user.click(button("Pause"));
  expect(calls.filter(({ method }) => method === "POST").map(({ url }) => url)).toEqual(["/api/queue/pause"]);
});

it("does not offer Pause while the queues are paused", async () => {
  await open({ jobs: [aJob()], pausedAt: AT });
  expect(button("Resume Processing")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
});

it("does not offer Pause while no job lives", async () => {
  await open();
  expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
});

it("lists what is at work before what waits", async () => {
  await open({
    outlineQueue: [anItem({ title: "Second" }), anItem({ id: "b", title: "First", status: "processing" })],
  });
  const rows = within(screen.getByRole("table")).getAllByRole("link");
  expect(rows.map((link) => link.textContent)).toEqual(["First", "Second"]);
});

it("says what Resume has done", async () => {
  const { user } = await open(
    {},
    { "POST /api/queue/resume": () => ({ json: { message: "Nothing was pending.", resumed: 0 } }) },
  );
  await user.click(button("Resume Processing"));
  expect(await screen.findByText("Updates by itself. Nothing was pending.")).toBeVisible();
});

describe("more rows than the status has", () => {
  const PAGE = "GET /api/queue/items?kind=outline_generation&status=live";
  const total = { jobs: totalOf([]), outlineQueue: { ...totalOf([]), live: 3 }, contentQueue: totalOf([]) };
  const row = (id: string, minute: number) =>
    anItem({ id, title: `Piece ${id}`, createdAt: `2026-11-21T10:0${minute}:00.000Z` });
  const titles = () => screen.getAllByRole("link", { name: /^Piece/ }).map((link) => link.textContent);

  it("load by themselves while their end is near, until all are there", async () => {
    const { calls } = await open(
      { outlineQueue: [row("a", 1)], total },
      {
        [PAGE]: () => ({ json: [row("a", 1), row("b", 2)], link: '</api/queue/items?more>; rel="next"' }),
        "GET /api/queue/items?more": () => ({ json: [row("c", 3)] }),
      },
    );
    await waitFor(() => expect(titles()).toEqual(["Piece a", "Piece b", "Piece c"]));
    expect(calls.filter(({ url }) => url.startsWith("/api/queue/items"))).toHaveLength(2);
  });

  it("say that they did not load, and wait for another try", async () => {
    let isBroken = true;
    const { user, calls } = await open(
      { outlineQueue: [row("a", 1)], total },
      { [PAGE]: () => (isBroken ? { status: 400, json: {} } : { json: [row("a", 1), row("b", 2), row("c", 3)] }) },
    );
    expect(await screen.findByText("More rows did not load")).toBeVisible();
    isBroken = false;
    expect(calls.filter(({ url }) => url.startsWith("/api/queue/items"))).toHaveLength(1);
    await user.click(button(/again/i));
    await waitFor(() => expect(titles()).toHaveLength(3));
  });
});

describe("cancelled jobs and items", () => {
  const LONG_AGO = "2026-01-05T10:00:00.000Z";
  const cancelled = { status: "cancelled", createdAt: LONG_AGO, completedAt: LONG_AGO } as const;
  const oneCancelled = { live: 0, finished: 0, cancelled: 1 };
  const total = { jobs: oneCancelled, outlineQueue: oneCancelled, contentQueue: oneCancelled };

  it("stay under Active with their badge, however old", async () => {
    await open({
      jobs: [aJob(cancelled)],
      outlineQueue: [anItem(cancelled)],
      contentQueue: [anItem(cancelled)],
      total,
    });
    const jobs = screen.getByRole("region", { name: "Active Jobs" });
    expect(within(jobs).getByRole("listitem")).toHaveTextContent("Cancelled");
    for (const name of ["Outline Generation Queue", "Content Generation Queue"]) {
      expect(screen.getByRole("table", { name })).toHaveTextContent("Cancelled");
    }
    expect(screen.queryByText(/^No (items|processing)/)).not.toBeInTheDocument();
    expect(screen.queryByText(/showing/)).not.toBeInTheDocument();
  });

  it("come after live ones, collapse beyond five, and are counted in full", async () => {
    const many = Array.from({ length: 100 }, (_, n) => anItem({ ...cancelled, id: `x${n}`, title: `Piece ${n}` }));
    const { user } = await open({
      outlineQueue: [...many, anItem()],
      total: { ...total, outlineQueue: { live: 1, finished: 40, cancelled: 250 } },
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

  it("collapse beyond five among the jobs too", async () => {
    const many = Array.from({ length: 8 }, (_, n) => aJob({ ...cancelled, id: `x${n}` }));
    const { user } = await open({ jobs: many, total: { ...total, jobs: { live: 0, finished: 0, cancelled: 8 } } });
    const jobs = within(screen.getByRole("region", { name: "Active Jobs" }));
    expect(jobs.getAllByRole("listitem")).toHaveLength(5);
    await user.click(jobs.getByRole("button", { name: "More cancelled jobs (3)" }));
    expect(jobs.getAllByRole("listitem")).toHaveLength(8);
  });
});
