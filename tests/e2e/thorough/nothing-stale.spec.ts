import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { callApi, expectMessage, hydrated, openPage } from "@/tests/support/e2e-page";
import { connectSamples, e2eQuery, registerUser } from "@/tests/support/e2e-user";

// No screen may stay stale after long work, whether its page is left, reopened, reloaded or open in a second tab: within
// twelve seconds of the end every screen is up to date.

/** How long a screen may lag behind. */
const BEHIND_MS = 12_000;
/** More pieces than are written in parallel, so that the queue is still running when its page is opened again. */
const QUEUED = 6;

type Workspace = { userId: string; projectId: number; topicId: number; pieces: string[] };

/** Registers a user with a project, a topic and this many titles. */
async function newWorkspace(context: BrowserContext, titles: number, latencyMs: number): Promise<Workspace> {
  const userId = await registerUser(context, `stale.${Date.now()}.${Math.random().toString(36).slice(2, 8)}`);
  await connectSamples(context, latencyMs);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Orchard" });
  const texts = { name: "Old apple trees", description: "Pruning, grafting and what to do with the fruit." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, texts);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const pieces: string[] = [];
  for (let index = 1; index <= titles; index++) {
    pieces.push((await callApi<{ id: string }>(context, "POST", at, { title: `Apple question ${index}` })).id);
  }
  return { userId, projectId: project.id, topicId: topic.id, pieces };
}

/** Waits until the statement counts this many. */
async function untilStored(statement: string, values: unknown[], count: number): Promise<void> {
  await expect
    .poll(async () => Number((await e2eQuery<{ n: string }>(statement, values))[0]?.n), { timeout: 60_000 })
    .toBe(count);
}

const OUTLINED = "SELECT count(*) AS n FROM content_pieces WHERE user_id = $1 AND has_outline";
const WRITTEN = "SELECT count(*) AS n FROM content_pieces WHERE user_id = $1 AND has_body";
const LIVE = "SELECT count(*) AS n FROM content_pieces WHERE user_id = $1 AND status = 'wp_published'";

const soon = (locator: Locator) => expect(locator).toBeVisible({ timeout: BEHIND_MS });
const soonCount = (locator: Locator, count: number) => expect(locator).toHaveCount(count, { timeout: BEHIND_MS });
const badge = (page: Page, name: string) => page.getByRole("main").getByText(name, { exact: true });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

async function inNewTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage();
  await openPage(tab, path);
  return tab;
}

async function follow(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
}

test("shows a finished queue of outlines, then of texts, on every screen", async ({ page, context }) => {
  test.setTimeout(150_000);
  const { userId, projectId, topicId, pieces } = await newWorkspace(context, QUEUED, 800);
  await openPage(page, "/content");
  const project = await inNewTab(context, `/projects/${projectId}?topic=${topicId}`);
  const editor = await inNewTab(context, `/content/${pieces[0]}`);
  await expect(editor.getByRole("tab", { name: "Edit" })).toHaveAttribute("aria-selected", "true");
  const monitor = await inNewTab(context, "/queue-monitor");
  await expect(monitor.getByText("No processing jobs found")).toBeVisible();

  await test.step("leave for the settings while it runs", async () => {
    await press(page, "Generate Topic Outline");
    await expectMessage(page, "Outline Generation Queued");
    await follow(page, "Settings");
    await expect(page.getByRole("heading", { name: "Profile Settings" })).toBeVisible();
    // The other tab is notified at once, not at its next poll.
    await expect(monitor.getByRole("region", { name: "Active Jobs" })).toBeVisible({ timeout: 5_000 });
  });

  await test.step("every screen shows the outlines when it is done", async () => {
    await untilStored(OUTLINED, [userId], QUEUED);
    await soonCount(badge(project, "Outline"), QUEUED);
    await soon(editor.getByRole("tab", { name: "Outline", selected: true }));
    await soon(monitor.getByRole("button", { name: /^Completed Jobs/ }));
    await follow(page, "Content");
    await soonCount(badge(page, "Outline"), QUEUED);
    await expect(page.getByRole("button", { name: /^Generate outline:/ })).toHaveCount(0);
  });

  await test.step("write the texts, and reload half way", async () => {
    await press(page, "Write Topic Content with AI");
    await expectMessage(page, "Content Generation Queued");
    await page.reload();
    await hydrated(page);
    await untilStored(WRITTEN, [userId], QUEUED);
    await soonCount(badge(page, "Content Created"), QUEUED);
    await soonCount(badge(project, "Content Created"), QUEUED);
    await soon(badge(editor, "Content Created"));
    await page.goBack();
    await page.goForward();
    await soonCount(badge(page, "Content Created"), QUEUED);
  });

  await test.step("publish all: the library, the project and the open editor follow", async () => {
    const publishing = await inNewTab(context, `/wp-publishing/${projectId}`);
    await press(publishing, "Publish All Content");
    // The sample provider leaves claims to be proved in each text.
    await publishing.getByRole("button", { name: "Publish anyway" }).click();
    await untilStored(LIVE, [userId], QUEUED);
    await soonCount(badge(publishing, "Published"), QUEUED);
    await soonCount(badge(page, "Published"), QUEUED);
    await soonCount(badge(project, "Published"), QUEUED);
    await soon(editor.getByRole("button", { name: "Unpublish from WordPress" }));
  });
});

test("shows a piece written in its editor on every screen", async ({ page, context }) => {
  test.setTimeout(120_000);
  const { userId, projectId, topicId, pieces } = await newWorkspace(context, 2, 2_500);
  const [first, second] = pieces;
  const library = await inNewTab(context, "/content");
  const project = await inNewTab(context, `/projects/${projectId}?topic=${topicId}`);

  await test.step("leave by a link while the AI writes, and open the piece again", async () => {
    await openPage(page, `/content/${first}`);
    await press(page, "Generate Outline");
    await expect(page.getByText("The AI is at work")).toBeVisible();
    await follow(page, "Content");
    await expect(page.getByRole("heading", { name: "Content Library" })).toBeVisible();
    await page.getByRole("link", { name: "Apple question 1", exact: true }).click();
    await untilStored(OUTLINED, [userId], 1);
    await soon(page.getByRole("textbox", { name: /^Heading of section 1 of / }));
    await soonCount(badge(library, "Outline"), 1);
    await soonCount(badge(project, "Outline"), 1);
  });

  await test.step("reload half way", async () => {
    await openPage(page, `/content/${second}`);
    await press(page, "Generate Outline");
    await expect(page.getByText("The AI is at work")).toBeVisible();
    await page.reload();
    await hydrated(page);
    await untilStored(OUTLINED, [userId], 2);
    await soon(page.getByRole("tab", { name: "Outline", selected: true }));
    await soonCount(badge(library, "Outline"), 2);
    await soonCount(badge(project, "Outline"), 2);
  });

  await test.step("close the tab half way", async () => {
    const tab = await inNewTab(context, `/content/${first}`);
    await tab.getByRole("tab", { name: "Outline" }).click();
    await press(tab, "Write Content with AI");
    await expect(tab.getByText(/^Section 1 of/)).toBeVisible();
    await tab.close();
    await untilStored(WRITTEN, [userId], 1);
    await soonCount(badge(library, "Content Created"), 1);
    await soonCount(badge(project, "Content Created"), 1);
  });
});

test("shows new ideas, keywords and the assistant's project on every screen", async ({ page, context }) => {
  test.setTimeout(120_000);
  const { userId, projectId, topicId } = await newWorkspace(context, 0, 2_500);
  const keywords = "SELECT count(*) AS n FROM keywords WHERE topic_id = $1";
  const pieces = "SELECT count(*) AS n FROM content_pieces WHERE user_id = $1";
  const home = await inNewTab(context, "/");
  const library = await inNewTab(context, "/content");
  const path = `/projects/${projectId}?topic=${topicId}`;
  const project = await inNewTab(context, path);
  await openPage(page, path);
  const words = (tab: Page) => tab.getByRole("button", { name: /^Edit keyword/ });

  await test.step("add keywords, and reload half way", async () => {
    await press(page, "Auto-Add Keywords");
    await page.waitForTimeout(300);
    await page.reload();
    await hydrated(page);
    await untilStored(keywords, [topicId], 10);
    await soonCount(words(page), 10);
    await soonCount(words(project), 10);
  });

  await test.step("create ideas, and reload half way", async () => {
    await press(page, "Create Content Ideas");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").click();
    await page.getByRole("option", { name: /Old apple trees/ }).click();
    await dialog.getByLabel("Ideas per keyword").fill("1");
    await dialog.getByRole("button", { name: "Create Content Ideas" }).click();
    await page.waitForTimeout(300);
    await page.reload();
    await hydrated(page);
    await untilStored(pieces, [userId], 10);
    await soonCount(badge(page, "Title Only"), 10);
    await soonCount(badge(project, "Title Only"), 10);
    await soonCount(badge(library, "Title Only"), 10);
  });

  await test.step("leave the assistant while it creates a project", async () => {
    await openPage(page, "/assistant");
    await page.getByPlaceholder("Type your message...").fill("Create a project “Cider” about pressing apples.");
    await press(page, "Send message");
    await page.getByRole("link", { name: "Content", exact: true }).first().click();
    await untilStored("SELECT count(*) AS n FROM projects WHERE user_id = $1", [userId], 2);
    await soon(home.getByRole("link", { name: "Cider" }));
    await follow(page, "WordPress");
    await soon(page.getByRole("row", { name: /Cider/ }));
  });
});
