/** @jest-environment jsdom */
import { screen, waitFor, within } from "@testing-library/react";
import type { Need } from "@/lib/features/work/schema";
import { AT, aJob, anItem, button, openMonitor } from "@/tests/support/queue-monitor";

const need = (parts: Partial<Need>): Need => ({
  kind: "failed",
  items: 2,
  jobType: "outline_generation",
  reason: "Why.",
  project: null,
  ...parts,
});

const PAUSED = need({ kind: "paused", items: 2, jobType: null, reason: null });

it("says that each list is empty", async () => {
  await openMonitor();
  expect(screen.getByRole("heading", { name: "Queue Monitor" })).toBeVisible();
  expect(screen.getByText("No processing jobs found")).toBeVisible();
  expect(screen.getByText("Outline Generation Queue")).toBeVisible();
  expect(screen.getByText("No items in outline queue")).toBeVisible();
  expect(screen.getByText("Content Generation Queue")).toBeVisible();
  expect(screen.getByText("No items in content queue")).toBeVisible();
});

it("links to Home, and reloads on Refresh", async () => {
  const { user, calls } = await openMonitor();
  expect(screen.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  await user.click(button("Refresh"));
  expect(calls.filter(({ url }) => url === "/api/queue/status")).toHaveLength(2);
});

it.each(["Resume Processing", "Resume"])(
  "resumes processing, and says what that did until the next pause: %s",
  async (name) => {
    const parts: Parameters<typeof openMonitor>[0] = { jobs: [aJob()], pausedAt: AT, needs: [PAUSED] };
    const { user, calls } = await openMonitor(parts, {
      "POST /api/queue/resume": () => {
        Object.assign(parts, { pausedAt: null, needs: [] });
        return { json: { message: "2 items sent again.", resumed: 2 } };
      },
      "POST /api/queue/pause": () => {
        Object.assign(parts, { pausedAt: AT });
        return { json: { pausedAt: AT } };
      },
    });
    await user.click(button(name));
    expect(await screen.findByText("Processing Resumed")).toBeVisible();
    expect(screen.getByText("Queue processing has been resumed successfully.")).toBeVisible();
    expect(screen.getByText("Updates by itself. 2 items sent again.")).toBeVisible();
    await user.click(await screen.findByRole("button", { name: "Pause" }));
    expect(await screen.findByText("Updates by itself.")).toBeVisible();
    expect(calls.filter(({ method }) => method === "POST").map(({ url }) => url)).toEqual([
      ...["/api/queue/resume", "/api/queue/pause"],
    ]);
  },
);

it("says nothing of a Resume that nothing waited for", async () => {
  const { user } = await openMonitor(
    {},
    { "POST /api/queue/resume": () => ({ json: { message: "Nothing was pending.", resumed: 0 } }) },
  );
  await user.click(button("Resume Processing"));
  expect(await screen.findByText("Processing Resumed")).toBeVisible();
  expect(screen.getByText("Updates by itself.")).toBeVisible();
});

it("says that resuming failed", async () => {
  const { user } = await openMonitor({}, { "POST /api/queue/resume": () => ({ status: 500, json: {} }) });
  await user.click(button("Resume Processing"));
  expect(await screen.findByText("Failed to resume processing")).toBeVisible();
});

it("shows an active job with progress, counts and times", async () => {
  await openMonitor({ jobs: [aJob()] });
  const jobs = within(screen.getByRole("region", { name: "Active Jobs" }));
  expect(jobs.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "75");
  const row = jobs.getByRole("listitem");
  expect(row).toHaveTextContent("ae1276ec");
  expect(row).toHaveTextContent("Completed: 2Failed: 1Total: 475%");
  expect(row).toHaveTextContent("Started Nov 21, 2026, 10:00 AM");
  expect(row).toHaveTextContent("Completed –");
});

it("collapses completed jobs, and says how each has ended and how many of its items failed", async () => {
  const ended = { completedAt: AT, status: "completed", totalItems: 12 } as const;
  const { user } = await openMonitor({
    jobs: [
      aJob({ ...ended, completedItems: 4, failedItems: 8 }),
      aJob({ ...ended, completedItems: 12, failedItems: 0, id: "all", jobType: "content_generation" }),
      aJob({
        ...{ ...ended, status: "failed", completedItems: 0, failedItems: 12 },
        id: "none",
      }),
    ],
    outlineQueue: [
      anItem({ status: "failed", completedAt: AT }),
      anItem({ status: "completed", completedAt: AT, id: "x" }),
    ],
  });
  expect(button("Completed Items (2, 1 of them failed)")).toBeVisible();
  expect(screen.queryByRole("listitem")).toBeNull();
  await user.click(button("Completed Jobs (3, 2 of them with failures)"));
  const [partly, completed, failed] = screen.getAllByRole("listitem");
  expect(partly).toHaveTextContent(/^Outline generation Completed, 8 of 12 failed/);
  expect(partly).toHaveTextContent("Completed Nov 21, 2026, 10:00 AM");
  expect(failed).toHaveTextContent(/^Outline generation Failed/);
  expect(failed).toHaveTextContent("Failed Nov 21, 2026, 10:00 AM");
  expect(completed).toHaveTextContent(/^Content generation Completed ?Seeds/);
  expect(completed).toHaveTextContent("Completed Nov 21, 2026, 10:00 AM");
});

it("offers to cancel a running job, and to retry the failed items of an ended one", async () => {
  const ended = { status: "cancelled", completedAt: AT } as const;
  await openMonitor({
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

it("says since when the job engine has been down, and that nothing is lost", async () => {
  await openMonitor({ engineAwaySince: "2026-11-21T10:00:00.000Z" });
  expect(screen.getByRole("alert")).toHaveTextContent(/does not answer.*Nothing is lost.*Nov 21, 2026, 10:00 AM/);
});

it("shows no alert while the job engine answers", async () => {
  await openMonitor();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

it("shows the four counts", async () => {
  await openMonitor({ counts: { outlinePending: 1, outlineCompleted: 2, contentPending: 3, contentCompleted: 4 } });
  expect(screen.getByText("Queue Statistics")).toBeVisible();
  const figures = screen.getAllByRole("term").map((term) => `${term.textContent} ${term.nextSibling?.textContent}`);
  expect(figures).toEqual(["Outline Pending 1", "Outline Completed 2", "Content Pending 3", "Content Completed 4"]);
});

it("shows its cards in the order of the specification", async () => {
  await openMonitor();
  const titles = ["Processing Jobs", "Outline Generation Queue", "Content Generation Queue", "Queue Statistics"];
  const cards = titles.map((title) => screen.getByText(title));
  for (const [at, card] of cards.slice(1).entries()) {
    expect(cards[at]?.compareDocumentPosition(card)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  }
});

describe("what needs the user", () => {
  it("tells each reason with its own buttons", async () => {
    await openMonitor({
      pausedAt: AT,
      needs: [
        { ...PAUSED, items: 0 },
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
  });

  it("is not tried again as a whole where only one reason allows that", async () => {
    await openMonitor({ needs: [need({}), need({ jobType: "publishing", project: { id: 3, title: "Garden" } })] });
    expect(screen.queryByRole("button", { name: "Retry all failed" })).toBeNull();
  });

  it("is tried again and dismissed by its reason, and tried again as a whole", async () => {
    const { user, calls } = await openMonitor(
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
  it("is the next reason, none of its buttons, when one is dealt with, and stays on the page after the last", async () => {
    const needs: Need[] = [need({}), need({ reason: "Gone too." }), need({ reason: "Another.", items: 7 })];
    const { user, calls } = await openMonitor(
      { needs },
      {
        "POST /api/queue/dismiss-failed": () => {
          needs.splice(0, 2);
          return { json: { dismissed: 2 } };
        },
      },
    );
    screen.getAllByRole("button", { name: "Dismiss" })[0]?.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("listitem", { name: "7 outlines failed" })).toHaveFocus());
    await user.keyboard("{Enter}");
    expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
    await user.click(button("Dismiss"));
    await waitFor(() => expect(screen.queryByText("Needs you")).toBeNull());
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("is the heading when all are tried again and some cannot be", async () => {
    const needs: Need[] = [need({}), need({ reason: "Another." })];
    const { user } = await openMonitor(
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
    await waitFor(() => expect(screen.getByRole("heading", { name: "Needs you" })).toHaveFocus());
  });
});

it("does not offer Pause while the queues are paused", async () => {
  await openMonitor({ jobs: [aJob()], pausedAt: AT });
  expect(button("Resume Processing")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
});

it("does not offer Pause while no job lives", async () => {
  await openMonitor();
  expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
});

describe("cancelled jobs and items", () => {
  const LONG_AGO = "2026-01-05T10:00:00.000Z";
  const cancelled = { status: "cancelled", createdAt: LONG_AGO, completedAt: LONG_AGO } as const;

  it("stay under Active with their badge, however old", async () => {
    await openMonitor({
      jobs: [aJob(cancelled)],
      outlineQueue: [anItem(cancelled)],
      contentQueue: [anItem(cancelled)],
    });
    const jobs = screen.getByRole("region", { name: "Active Jobs" });
    expect(within(jobs).getByRole("listitem")).toHaveTextContent("Cancelled");
    for (const name of ["Outline Generation Queue", "Content Generation Queue"]) {
      expect(screen.getByRole("table", { name })).toHaveTextContent("Cancelled");
    }
    expect(screen.queryByText(/^No (items|processing)/)).not.toBeInTheDocument();
    expect(screen.queryByText(/showing/)).not.toBeInTheDocument();
  });

  it("collapse beyond five among the jobs", async () => {
    const many = Array.from({ length: 8 }, (_, n) => aJob({ ...cancelled, id: `x${n}` }));
    const { user } = await openMonitor({ jobs: many, total: { jobs: { live: 0, finished: 0, cancelled: 9 } } });
    const jobs = within(screen.getByRole("region", { name: "Active Jobs" }));
    expect(jobs.getAllByRole("listitem")).toHaveLength(5);
    await user.click(jobs.getByRole("button", { name: "More cancelled jobs (showing 3 of 4)" }));
    expect(jobs.getAllByRole("listitem")).toHaveLength(8);
  });
});
