import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { PASSWORD } from "@/tests/support/e2e-user";
import { expectFocusOn, press } from "@/tests/support/keyboard";
import { type OwnDeployment, startOwnDeployment } from "@/tests/support/own-deployment";

// What people do with their queues when something goes wrong. The provider is the test's own.

let own: OwnDeployment;
let origin: string;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  own = await startOwnDeployment();
  const { port } = await own.startProcess();
  origin = `http://127.0.0.1:${port}`;
  own.balancer.switchTo(port);
});
test.afterAll(() => own.close());
test.beforeEach(() => own.ai.faults.clear());

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const needs = (page: Page) =>
  page.locator("[data-slot=card]").filter({ has: page.getByText("Needs you", { exact: true }) });
const figure = (page: Page, name: string) => page.locator("dl > div", { hasText: name }).locator("dd");
/** The monitor polls every ten seconds. */
const SLOW = { timeout: 25_000 };

/** A new user's topic with so many pieces, and the monitor in a window of its own. */
async function openQueue(browser: Browser, pieces: number, viewport = { width: 1280, height: 900 }) {
  const context = await browser.newContext({ baseURL: origin, viewport });
  const call = async <T>(method: string, path: string, data?: unknown) => {
    const answer = await context.request.fetch(path, { method, headers: { origin }, ...(data ? { data } : {}) });
    expect([method, path, answer.ok()]).toEqual([method, path, true]);
    return (await answer.json()) as T;
  };
  await call("POST", "/api/register", { username: `queue.${Date.now()}`, password: PASSWORD });
  await call("PATCH", "/api/user/settings", { openaiApiKey: own.ai.apiKey });
  const project = await call<{ id: number }>("POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await call<{ id: number }>("POST", `/api/projects/${project.id}/topics`, about);
  const ids: string[] = [];
  for (let n = 1; n <= pieces; n++) {
    const title = `How deep a rain garden of size ${n}x is`;
    const url = `/api/projects/${project.id}/topics/${topic.id}/content`;
    ids.push((await call<{ id: string }>("POST", url, { title })).id);
  }
  const page = await context.newPage();
  const queue = () => call<{ jobId: string }>("POST", `/api/topics/${topic.id}/generate-outline-queue`);
  /** Has the texts of all pieces written, in three sections. */
  const queueTexts = async () => {
    const outline = "## Clay\nWhy it is slow.\n\n## Sand\nWhy it is fast.\n\n## Plants\nWhich ones.";
    for (const id of ids) await call("PATCH", `/api/content/${id}`, { outline });
    return call<{ jobId: string }>("POST", `/api/topics/${topic.id}/generate-all-content-queue`);
  };
  return { page, call, queue, queueTexts, projectId: project.id, close: () => context.close() };
}

/** Has the provider refuse the outlines of these pieces. */
function refuse(sizes: number[], fault: Parameters<typeof own.ai.faults.matching>[1]): void {
  for (const size of sizes) own.ai.faults.matching(`"title": "How deep a rain garden of size ${size}x`, fault);
}

test("a third of thirty pieces fails for two reasons, which the user reads once each and mends", async ({
  browser,
}) => {
  const { page, queue, close } = await openQueue(browser, 30);
  refuse([2, 5, 8, 11, 14, 17], "filtered");
  refuse([20, 23, 26, 29], { kind: "token-limit", tokens: 10 });
  await queue();
  await openPage(page, "/queue-monitor");
  await expect(needs(page).getByRole("listitem")).toHaveText(
    [/^6 outlines failed.*declined to write this/, /^4 outlines failed.*too large/],
    SLOW,
  );
  await expect(page.getByRole("link", { name: /Queue Monitor.*10 pieces need you/ })).toBeVisible();
  await expectAccessible(page);

  own.ai.faults.clear();
  const declined = needs(page).getByRole("listitem").first();
  await declined.getByRole("button", { name: "Try again" }).click();
  await expectMessage(page, "6 items will be tried again.");
  await expect(needs(page).getByRole("listitem")).toHaveText([/^4 outlines failed/], SLOW);
  await needs(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(needs(page)).toBeHidden();
  await expect(figure(page, "Outline Completed")).toHaveText("26", SLOW);
  await expect(button(page, "Completed Items (30, 4 of them failed)")).toBeVisible();
  await close();
});

test("a second Enter on Dismiss dismisses no second reason", async ({ browser }) => {
  const { page, queue, close } = await openQueue(browser, 2);
  refuse([1], "filtered");
  refuse([2], { kind: "token-limit", tokens: 10 });
  await queue();
  await openPage(page, "/queue-monitor");
  const lines = needs(page).getByRole("listitem");
  await expect(lines).toHaveCount(2, SLOW);
  const dismiss = lines.first().getByRole("button", { name: "Dismiss" });
  await press(page, dismiss);
  await expect(lines).toHaveCount(1);
  await expectFocusOn(page, lines.first());
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expectFocusOn(page, lines.first().getByRole("button", { name: "Try again" }));
  await page.reload();
  await expect(lines).toHaveCount(1);
  await close();
});

test("a refused key holds what waits, until the user changes it in the settings", async ({ browser }) => {
  const { page, queue, call, close } = await openQueue(browser, 3);
  await call("PATCH", "/api/user/settings", { openaiApiKey: "sk-refused-key-of-the-user" });
  await queue();
  await openPage(page, "/queue-monitor");
  await expect(needs(page).getByRole("listitem")).toHaveText([/^3 pieces wait.*refused your API key/], SLOW);
  await expect(page.getByRole("link", { name: /Queue Monitor.*3 pieces need you/ })).toBeVisible();
  const rows = page.getByRole("table", { name: "Outline Generation Queue", exact: true }).getByRole("row");
  await expect(rows.filter({ hasText: "held" })).toHaveCount(3);
  await expect(page.locator(".animate-spinner")).toHaveCount(0);

  await needs(page).getByRole("link", { name: "Open Settings" }).focus();
  await page.keyboard.press("Enter");
  const key = page.getByLabel("AI provider API key");
  await key.getByRole("button", { name: "Replace" }).press("Enter");
  await expect(key).toBeFocused();
  await page.keyboard.type(own.ai.apiKey);
  await page.keyboard.press("Enter");
  await expectMessage(page, "Your settings have been updated successfully");
  await page.goBack();
  await expect(figure(page, "Outline Completed")).toHaveText("3", SLOW);
  await expect(needs(page)).toBeHidden();
  await close();
});

test("a queue is paused by the keyboard, stays so, and goes on where it was", async ({ browser }) => {
  const { page, queue, close } = await openQueue(browser, 6);
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  own.ai.faults.mode = { kind: "held", until };
  await queue();
  await openPage(page, "/queue-monitor");
  const rows = page.getByRole("table", { name: "Outline Generation Queue", exact: true }).getByRole("row");
  await expect(rows.filter({ hasText: "Processing" })).toHaveCount(4, SLOW);
  await button(page, "Pause").focus();
  await page.keyboard.press("Enter");
  await expect(needs(page)).toContainText("Paused by you");
  await expect(button(page, "Pause")).toBeHidden();
  await expect(page.getByRole("main").locator(":focus")).toBeVisible();
  own.ai.faults.clear();
  open();
  await expect(figure(page, "Outline Completed")).toHaveText("4", SLOW);
  await expect(rows.filter({ hasText: "paused" })).toHaveCount(2);
  await expect(page.locator(".animate-spinner")).toHaveCount(0);

  await page.reload();
  await expect(needs(page)).toContainText("2 pieces wait.");
  await button(page, "Resume").click();
  await expectMessage(page, "Queue processing has been resumed successfully.");
  await expect(figure(page, "Outline Completed")).toHaveText("6", SLOW);
  await expect(needs(page)).toBeHidden();
  await close();
});

test("on a phone one piece is done next and another is cancelled; no bar stands there without work", async ({
  browser,
}) => {
  const { page, queue, close } = await openQueue(browser, 7, { width: 360, height: 640 });
  await openPage(page, "/queue-monitor");
  const bar = button(page, "Resume Processing").locator("..");
  const position = () => bar.evaluate((element) => getComputedStyle(element).position);
  expect(await position()).not.toBe("fixed");

  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  own.ai.faults.mode = { kind: "held", until };
  await queue();
  await button(page, "More actions").click();
  await page.getByRole("menuitem", { name: "Refresh" }).click();
  await expect(button(page, "Pause")).toBeInViewport();
  const rows = page.getByRole("table", { name: "Outline Generation Queue", exact: true }).getByRole("row");
  await expect(rows.filter({ hasText: "Processing" })).toHaveCount(4, SLOW);
  const act = async (row: number, action: string) => {
    await rows
      .nth(row)
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  const last = (await rows.last().getByRole("link").textContent()) ?? "";
  await act(-1, "Do next");
  await expect(rows.filter({ hasText: last })).toContainText("Processing", SLOW);
  const waiting = rows.filter({ hasText: "Pending" });
  await expect(waiting).toHaveCount(2);
  await waiting
    .first()
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Cancel" }).click();
  await expect(rows.filter({ hasText: "Cancelled" })).toHaveCount(1);
  open();
  await expect(figure(page, "Outline Completed")).toHaveText("6", SLOW);
  await expectAccessible(page);
  await close();
});

test("every tab says within a second what happens to a piece, also after the stream was cut", async ({ browser }) => {
  const { page, projectId, close } = await openQueue(browser, 6);
  await openPage(page, "/content");
  const other = await page.context().newPage();
  await openPage(other, `/projects/${projectId}`);
  await other.getByRole("button", { name: /^Digging/ }).click();
  let polls = 0;
  page.on("request", (request) => (polls += request.url().endsWith("/api/queue/status") ? 1 : 0));

  const gates = [0, 1, 2].map(() => {
    let open = () => {};
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, until };
  });
  own.ai.faults.next(gates.slice(0, 1).map(({ until }) => ({ kind: "held", until })));
  own.ai.faults.mode = { kind: "held", until: gates[1]?.until ?? Promise.resolve() };
  await page.bringToFront();
  await button(page, "Generate Topic Outline").click();
  for (const tab of [page, other]) {
    await expect(tab.getByText("Writing", { exact: true })).toHaveCount(4, SLOW);
    await expect(tab.getByText("Queued", { exact: true })).toHaveCount(2);
  }
  const before = polls;
  gates[0]?.open();
  for (const tab of [page, other]) {
    await expect(tab.getByText("Queued", { exact: true })).toHaveCount(1, { timeout: 1_500 });
  }
  expect(polls - before).toBeLessThanOrEqual(1);

  await own.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN work'");
  gates[1]?.open();
  own.ai.faults.clear();
  for (const tab of [page, other]) await expect(tab.getByText(/^(Queued|Writing)$/)).toHaveCount(0, SLOW);
  await close();
});

test("ten thousand rows are reached by scrolling, a page at a time", async ({ browser }) => {
  const { page, queue, call, close } = await openQueue(browser, 1);
  await call("POST", "/api/queue/pause");
  const { jobId } = await queue();
  await own.query(
    `WITH queued AS (
       SELECT q.*, j.project_id FROM processing_queue q JOIN processing_jobs j ON j.id = q.job_id WHERE j.id = '${jobId}'),
     piece AS (
       INSERT INTO content_pieces (user_id, project_id, topic_id, title)
       SELECT user_id, project_id, topic_id, 'Piece ' || n FROM queued, generate_series(1, 9999) n RETURNING id)
     INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, created_at)
     SELECT q.job_type, q.job_id, q.user_id, q.topic_id, piece.id, now() + row_number() OVER () * interval '1 second'
     FROM queued q, piece`,
  );
  await own.query(`UPDATE processing_jobs SET total_items = 10000, revision = revision + 1 WHERE id = '${jobId}'`);
  await openPage(page, "/queue-monitor");
  await expect(page.getByText("showing 100 of 10,000")).toBeVisible();
  const rendered = () => page.locator("tbody tr").count();
  for (let shown = 100; shown < 1_000; ) {
    await page.mouse.wheel(0, 6_000);
    await page.waitForTimeout(50);
    const text = await page.getByText(/showing .* of 10,000/).textContent();
    shown = Number(/showing ([\d,]+)/.exec(text ?? "")?.[1]?.replace(",", ""));
    expect(await rendered()).toBeLessThan(80);
  }
  await close();
});

test("four texts are watched side by side as they are written, and are written without a reader too", async ({
  browser,
}) => {
  const { page, queueTexts, close } = await openQueue(browser, 5);
  own.ai.faults.mode = { kind: "slow", wordMs: 12 };
  const { jobId } = await queueTexts();
  await openPage(page, "/queue-monitor");
  await page.getByRole("link", { name: "Watch Content generation: Digging" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Digging" })).toBeVisible();
  const texts = page.getByRole("region", { name: /^Text of How deep a rain garden/ });
  await expect(texts).toHaveCount(4, SLOW);
  const lengths = () => texts.evaluateAll((all) => all.map(({ textContent }) => textContent?.length ?? 0));
  const areLonger = async (than: number[]) => (await lengths()).every((length, at) => length > (than[at] ?? 0));
  const grows = async () => {
    const before = await lengths();
    await expect.poll(() => areLonger(before), { timeout: 2_000 }).toBe(true);
  };
  // A call that runs already looks every three seconds whether somebody watches.
  await expect(grows).toPass(SLOW);
  await grows();
  await expectAccessible(page);

  // Each stays at its end, but for one whose reader has scrolled up.
  const fromEnd = () => texts.evaluateAll((all) => all.map(({ scrollTop }) => Math.abs(scrollTop)));
  await expect.poll(() => texts.first().evaluate((text) => text.scrollHeight - text.clientHeight)).toBeGreaterThan(200);
  await texts.first().hover();
  await page.mouse.wheel(0, -150);
  await expect.poll(async () => (await fromEnd())[0]).toBeGreaterThan(100);
  await grows();
  const [first = 0, ...others] = await fromEnd();
  expect(first).toBeGreaterThan(100);
  expect(others).toEqual([0, 0, 0]);

  await own.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN work'");
  await expect(async () => grows()).toPass(SLOW);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await grows();

  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Queue Monitor" })).toBeVisible();
  own.ai.faults.clear();
  await expect(figure(page, "Content Completed")).toHaveText("5", { timeout: 60_000 });
  await openPage(page, `/queue-monitor/${jobId}`);
  await expect(page.getByText("This job has ended.")).toBeVisible();
  await openPage(page, "/queue-monitor/0b6f0c3e-0000-4000-8000-000000000000");
  await expect(page.getByRole("heading", { name: "Job not found" })).toBeVisible();
  await close();
});
