import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { callApi, expectMessage, hydrated, openPage } from "@/tests/support/e2e-page";
import { connectSamples, e2eQuery, registerUser } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const sidebar = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

/** Two projects with sixty texts each, besides thirty empty ones. */
async function fillProjects(context: BrowserContext): Promise<{ orchard: number; vines: number; topic: number }> {
  const userId = await registerUser(context, `back.${Date.now()}`);
  await connectSamples(context);
  const [orchard, vines] = [await newProject(context, "Orchard"), await newProject(context, "Vines")];
  let topic = 0;
  for (const project of [orchard, vines]) {
    const texts = { name: "Pruning", description: "What to cut, and when." };
    topic = (await callApi<{ id: number }>(context, "POST", `/api/projects/${project}/topics`, texts)).id;
    await e2eQuery(
      `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, created_at)
       SELECT $1, $2, $3, 'Question ' || n, 'An answer.', now() - n * interval '1 second' FROM generate_series(1, 60) n`,
      [userId, project, topic],
    );
  }
  await e2eQuery(`INSERT INTO projects (user_id, title) SELECT $1, 'Plan ' || n FROM generate_series(1, 30) n`, [
    userId,
  ]);
  return { orchard, vines, topic };
}

async function newProject(context: BrowserContext, title: string): Promise<number> {
  return (await callApi<{ id: number }>(context, "POST", "/api/projects", { title })).id;
}

/** Scrolls to a row's link, opens it, and returns what checks that the row is where it was. */
async function openRow(page: Page, title: string): Promise<() => Promise<void>> {
  const link = page.getByRole("link", { name: title, exact: true });
  // The wheel scrolls what is under the pointer.
  await page.mouse.move(700, 500);
  await expect(async () => {
    if (!(await link.isVisible())) await page.mouse.wheel(0, 700);
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  await link.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  const topOf = async () => (await link.boundingBox())?.y ?? Number.NaN;
  // A row that loads above would move it.
  await expect.poll(async () => Math.abs((await topOf()) - (await topOf()))).toBeLessThan(1);
  const before = await topOf();
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(link).toHaveCount(0);
  return () => expect.poll(async () => Math.abs((await topOf()) - before), { timeout: 15_000 }).toBeLessThan(3);
}

const scrolled = (page: Page) => page.evaluate(() => window.scrollY);

test("finds each screen as it was left, by the back button, a reload and links that lead back", async ({
  page,
  context,
}) => {
  test.setTimeout(180_000);
  const { orchard, vines } = await fillProjects(context);

  await test.step("the library, and afresh from the sidebar", async () => {
    await openPage(page, "/content");
    // The newest is open at first; its sixty rows stand before the other.
    const newest = button(page, /^Vines/);
    await newest.click();
    await button(page, /^Orchard/).click();
    const isThere = await openRow(page, "Question 17");
    await page.goBack();
    await isThere();
    await page.reload();
    await hydrated(page);
    await isThere();
    await page.getByRole("link", { name: "Question 17", exact: true }).first().click();
    await expect(page.getByRole("tab", { name: "Preview" })).toBeVisible();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Content" }).click();
    await isThere();
    await sidebar(page, "Content").click();
    await expect.poll(() => scrolled(page)).toBe(0);
    await expect(newest).toHaveAttribute("aria-expanded", "true");
  });

  await test.step("the dashboard, and afresh from the sidebar", async () => {
    await sidebar(page, "Home").click();
    const isThere = await openRow(page, "Plan 4");
    await page.getByRole("link", { name: "Back to Projects" }).click();
    await isThere();
    await sidebar(page, "Home").click();
    await expect.poll(() => scrolled(page)).toBe(0);
  });

  await test.step("a project", async () => {
    await openPage(page, `/projects/${vines}`);
    await button(page, /^Pruning/).click();
    const isThere = await openRow(page, "Question 25");
    await page.goBack();
    await isThere();
    await page.reload();
    await hydrated(page);
    await isThere();
    // As users scroll: a script would scroll against the place that is still being found.
    await page.mouse.wheel(0, -100_000);
    await page.getByRole("link", { name: "WordPress Publishing" }).click();
    await page.getByRole("link", { name: "Back to Project", exact: true }).click();
    await expect(button(page, /^Pruning/)).toHaveAttribute("aria-expanded", "true");
  });

  await test.step("publishing, whose selection does not outlive a reload", async () => {
    await openPage(page, `/wp-publishing/${orchard}`);
    await page.getByRole("tab", { name: "All Content" }).click();
    await page.getByRole("checkbox", { name: "Select “Question 1”" }).check();
    await page.getByRole("checkbox", { name: "Select “Question 2”" }).check();
    await expect(button(page, "Publish Selected (2)")).toBeVisible();
    const isThere = await openRow(page, "Question 30");
    await e2eQuery("DELETE FROM content_pieces WHERE project_id = $1 AND title = 'Question 2'", [orchard]);
    await page.goBack();
    await isThere();
    await button(page, "Refresh").click();
    await expect(button(page, "Publish Selected (1)")).toBeVisible();
    await page.reload();
    await hydrated(page);
    await expect(page.getByRole("tab", { name: "All Content" })).toHaveAttribute("aria-selected", "true");
    await expect(button(page, "Publish Selected (0)")).toBeVisible();
  });
});

test("forgets how screens were left at sign-out", async ({ page, context }) => {
  await fillProjects(context);
  await openPage(page, "/content");
  await button(page, /^Vines/).click();
  const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("tab:")));
  await expect.poll(kept).not.toEqual([]);
  await sidebar(page, "Home").click();
  await button(page, "Logout").click();
  await expect(page).toHaveURL(/\/auth/);
  expect(await kept()).toEqual([]);
});

test("keeps the queue monitor's folds, renames a project and takes a pasted list apart", async ({ page, context }) => {
  const { orchard, topic } = await fillProjects(context);

  await test.step("the queue monitor's folds", async () => {
    await e2eQuery(
      `INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, completed_items, completed_at)
       SELECT user_id, project_id, id, 'outline_generation', 'completed', 1, 1, now() FROM topics WHERE id = $1`,
      [topic],
    );
    await openPage(page, "/queue-monitor");
    const fold = button(page, /^Completed Jobs/);
    await fold.click();
    await page.reload();
    await hydrated(page);
    await expect(fold).toHaveAttribute("aria-expanded", "true");
    await sidebar(page, "Settings").click();
    await expect(page.getByRole("heading", { level: 1, name: /Settings/ })).toBeVisible();
    await page.goBack();
    await expect(fold).toHaveAttribute("aria-expanded", "true");
    await sidebar(page, "Queue Monitor").click();
    await expect(fold).toHaveAttribute("aria-expanded", "false");
  });

  await test.step("a project's new title is in the breadcrumb, the tab and the card", async () => {
    await openPage(page, `/projects/${orchard}`);
    await expect(page).toHaveTitle("Orchard – Content Planner");
    await button(page, "Edit project").click();
    await page.getByLabel("Title", { exact: true }).fill("Old orchard");
    await page.getByLabel("Title", { exact: true }).press("Enter");
    await expectMessage(page, "Project updated successfully");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Old orchard");
    await expect(page).toHaveTitle("Old orchard – Content Planner");
    await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("Old orchard");
    await expect(button(page, "Edit project")).toBeFocused();
    await sidebar(page, "Home").click();
    await expect(page).toHaveTitle("Home – Content Planner");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Old orchard");
    await expect(page).toHaveTitle("Old orchard – Content Planner");
  });

  await test.step("a pasted list is one keyword a line", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await button(page, /^Pruning/).click();
    const field = page.getByPlaceholder("Add a keyword");
    await page.evaluate(() =>
      navigator.clipboard.writeText("winter pruning\r\nsummer pruning\r\n1,000 cuts, and more\r\n"),
    );
    await field.focus();
    await page.keyboard.press("ControlOrMeta+V");
    await expect(field).toHaveValue("winter pruning\nsummer pruning\n1,000 cuts, and more\n");
    await button(page, "Add 4 keywords").click();
    await button(page, "Add each line as one").click();
    await expectMessage(page, "Added 3 keywords");
    await expect(button(page, "Edit keyword 1,000 cuts, and more")).toBeVisible();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("");
  });
});
