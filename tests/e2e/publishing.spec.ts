import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { typeAtEnd } from "@/tests/support/e2e-editor";
import { callApi, clickAndConfirm, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSamples, e2eQuery, registerUser } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const box = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });

/** Creates a project of two topics, with two and one publishable pieces and a title-only one each. */
async function newProject(context: BrowserContext): Promise<number> {
  await registerUser(context, `publishing.${Date.now()}`);
  const make = <T>(path: string, data: unknown) => callApi<T & { id: number }>(context, "POST", path, data);
  await make("/api/projects", { title: "Other things" });
  const { id } = await make("/api/projects", { title: "Rain gardens", description: "Where the WATER goes" });
  for (const [name, pieces] of [
    ["Digging", ["How deep", "How wide"]],
    ["Planting", ["Rushes and irises"]],
  ] as const) {
    const topic = await make(`/api/projects/${id}/topics`, { name, description: `All about ${name}.` });
    for (const title of pieces)
      await make(`/api/projects/${id}/topics/${topic.id}/content`, { title, body: `${title}: a text.` });
    await make(`/api/projects/${id}/topics/${topic.id}/content`, { title: `A title about ${name}` });
  }
  return id;
}

test("finds a project, keeps its checkboxes in step, and publishes with a category or by selection", async ({
  page,
  context,
}) => {
  const projectId = await newProject(context);

  await test.step("nothing is offered without credentials", async () => {
    await openPage(page, `/wp-publishing/${projectId}`);
    await expectMessage(page, "WordPress Credentials Required");
    await expect(page.getByRole("heading", { name: "Rain gardens", level: 1 })).toBeVisible();
    await expect(button(page, /^Publish/)).toHaveCount(0);
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await connectSamples(context);
  });

  await test.step("the project is found by its description, whatever the case", async () => {
    await openPage(page, "/wordpress-publishing");
    const search = page.getByPlaceholder("Search projects...");
    await expect(page.getByRole("link", { name: "Manage Publishing" })).toHaveCount(2);
    await search.fill("water GOES");
    await expect(page.getByRole("link", { name: "Manage Publishing" })).toHaveCount(1);
    await search.fill("snow");
    await expectMessage(page, "No projects found");
    await expect(page.getByRole("link", { name: "Go to Projects" })).toHaveAttribute("href", "/");
    await search.fill("RAIN");
    await page.getByRole("link", { name: "Manage Publishing" }).click();
    await expect(page.getByRole("heading", { name: "Rain gardens", level: 1 })).toBeVisible();
    await expect(page.getByRole("link", { name: "Back to Project" })).toHaveAttribute("href", `/projects/${projectId}`);
  });

  await test.step("only pieces with a text are listed", async () => {
    for (const title of ["How deep", "How wide", "Rushes and irises"]) {
      await expect(page.getByRole("link", { name: title })).toHaveAttribute("href", /^\/content\//);
    }
    await expect(page.getByText(/^A title about/)).toHaveCount(0);
    await expect(page.getByText("Not Published")).toHaveCount(3);
    await expect(button(page, "Publish Selected (0)")).toBeDisabled();
  });

  await test.step("the checkboxes of topics, of all and of each piece stay in step", async () => {
    await box(page, "Digging").click();
    await expect(box(page, "“How deep”")).toBeChecked();
    await expect(box(page, "“How wide”")).toBeChecked();
    await expect(box(page, "“Rushes and irises”")).not.toBeChecked();
    await page.getByRole("tab", { name: "All Content" }).click();
    await expect(page.getByRole("columnheader")).toHaveText(["", "Title", "Topic", "Status", "Actions"]);
    const all = box(page, "all content");
    await expect(all).toHaveAttribute("aria-checked", "mixed");
    await all.click();
    await expect(button(page, "Publish Selected (3)")).toBeEnabled();
    await box(page, "“How wide”").click();
    await expect(all).toHaveAttribute("aria-checked", "mixed");
    await page.getByRole("tab", { name: "By Topic" }).click();
    await expect(box(page, "Digging")).toHaveAttribute("aria-checked", "mixed");
    await expect(box(page, "Planting")).toBeChecked();
    await box(page, "“How deep”").click();
    await expect(box(page, "Digging")).not.toBeChecked();
    await box(page, "“Rushes and irises”").click();
    await expect(button(page, "Publish Selected (0)")).toBeDisabled();
  });

  await test.step("one piece gets the topic's category unless another is chosen", async () => {
    const rushes = page.getByRole("row", { name: /Rushes and irises/ });
    await rushes.getByRole("button", { name: "Publish with Category" }).click();
    const category = page.getByLabel("Category");
    await expect(category).toHaveText("Planting");
    await category.click();
    await page.getByRole("option", { name: "Uncategorized" }).click();
    await expect(category).toHaveText("Uncategorized");
    await button(page, "Publish")
      .and(page.getByText("Publish", { exact: true }))
      .click();
    await expectMessage(page, "Content published to WordPress successfully");
    await expect(rushes.getByText("Published", { exact: true })).toBeVisible();
    await expect(rushes.getByRole("button", { name: "Update" })).toBeVisible();
    const post = rushes.getByRole("link", { name: /^Open the post/ });
    await expect(post).toHaveAttribute("target", "_blank");
    const site = await page.request.get((await post.getAttribute("href")) ?? "");
    expect(await site.text()).toContain("Rushes and irises: a text.");
  });

  await test.step("the selection is published after confirmation, then cleared", async () => {
    await box(page, "Digging").click();
    await button(page, "Publish Selected (2)").click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText("Publish selected content?");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(button(page, "Publish Selected (2)")).toBeFocused();
    await button(page, "Publish Selected (2)").click();
    await question.getByRole("button", { name: "Publish Selected" }).click();
    await expectMessage(page, "Publishing Complete");
    await expectMessage(page, "Successfully published 2 out of 2 selected content pieces");
    await expect(button(page, "Publish Selected (0)")).toBeDisabled();
    await expect(box(page, "Digging")).not.toBeChecked();
    await expect(button(page, "Update")).toHaveCount(3);
    const pieces = await callApi<{ title: string; wpCategoryName: string | null }[]>(
      context,
      "GET",
      `/api/projects/${projectId}/content`,
    );
    const categories = Object.fromEntries(pieces.map(({ title, wpCategoryName }) => [title, wpCategoryName]));
    expect(categories).toMatchObject({
      "How deep": "Digging",
      "How wide": "Digging",
      "Rushes and irises": "Uncategorized",
    });
  });

  await test.step("a post is updated, and Refresh shows changes made elsewhere", async () => {
    await clickAndConfirm(page, button(page, "Update").first());
    await expectMessage(page, "Content published to WordPress successfully");
    const [piece] = await callApi<{ id: string; status: string }[]>(
      context,
      "GET",
      `/api/projects/${projectId}/content?limit=100`,
    ).then((pieces) => pieces.filter(({ status }) => status === "wp_published"));
    await callApi(context, "POST", `/api/content/${piece?.id}/unpublish`);
    await button(page, "Refresh").click();
    await expect(button(page, "Update")).toHaveCount(2);
    await expect(page.getByRole("main").getByText("Draft", { exact: true })).toBeVisible();
  });
});

test("shows a running job after a reload and in a second tab, and cancels it", async ({ page, context }) => {
  const projectId = await newProject(context);
  await connectSamples(context);
  // It waits for its next try, as after an answer of the site that it cannot be reached.
  await e2eQuery(
    `WITH job AS (
       INSERT INTO processing_jobs (user_id, project_id, job_type, input, status, not_before, total_items)
       SELECT user_id, id, 'publishing', '{"verb": "publish_all"}', 'processing', now() + interval '1 hour', 3
       FROM projects WHERE id = $1 RETURNING id, user_id)
     INSERT INTO processing_queue (job_type, job_id, user_id, position, content_piece_id, result)
     SELECT 'publishing', job.id, job.user_id, row_number() OVER (), p.id, jsonb_build_object('title', p.title)
     FROM job, content_pieces p WHERE p.project_id = $1 AND p.has_body`,
    [projectId],
  );
  await openPage(page, `/wp-publishing/${projectId}`);
  const isRunning = async (tab: Page) => {
    await expect(tab.getByText("0 of 3 published")).toBeVisible();
    await expect(box(tab, "“How deep”")).toBeDisabled();
    await expect(button(tab, "Publish All Content")).toHaveAttribute("aria-busy", "true");
  };
  await isRunning(page);
  await page.reload();
  await isRunning(page);
  const second = await context.newPage();
  await openPage(second, `/wp-publishing/${projectId}`);
  await isRunning(second);
  await button(second, "Cancel").click();
  await second.getByRole("alertdialog").getByRole("button", { name: "Cancel job" }).click();
  for (const tab of [second, page]) {
    await tab.bringToFront();
    await expectMessage(tab, "Publishing Cancelled");
    await expect(tab.getByText(/^Last job: Cancelled · 0 of 3 pieces published, 3 cancelled/)).toBeVisible();
    await expect(box(tab, "“How deep”")).toBeEnabled();
  }
});

test("updates what is newer here, and unpublishes many", async ({ page, context }) => {
  const projectId = await newProject(context);
  const badge = page.getByTitle("Your text here is newer than the post on your site.");
  await connectSamples(context);
  await openPage(page, `/wp-publishing/${projectId}`);
  await button(page, "Publish All Content").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish All" }).click();
  await expectMessage(page, "Successfully published 3 out of 3 content pieces");
  await expect(button(page, "Update")).toHaveCount(3);

  await test.step("an edit makes its post older, which the editor says and updates", async () => {
    await page.getByRole("link", { name: "How deep", exact: true }).click();
    await expect(badge).toHaveCount(0);
    await typeAtEnd(page, " And deeper.");
    await expect(badge).toBeVisible();
    await openPage(page, "/content?newerHere=true");
    await expect(badge).toHaveCount(1);
    await page.getByRole("link", { name: "How deep", exact: true }).click();
    await clickAndConfirm(page, button(page, "Update on site"));
    await expectMessage(page, "Content published to WordPress successfully");
    await expect(badge).toHaveCount(0);
    await expect(button(page, "Update on site")).toHaveCount(0);
  });

  const more = button(page, "More actions").first();
  await test.step("what is newer here is updated for the whole project, and nothing else", async () => {
    await openPage(page, `/wp-publishing/${projectId}`);
    await more.click();
    const nothing = page.getByRole("menuitem", { name: "Update changed posts" });
    await expect(nothing).toHaveAttribute("aria-disabled", "true");
    await expect(nothing).toContainText("Nothing is newer here than on your site");
    const [wide] = await e2eQuery<{ id: string }>(
      "SELECT id FROM content_pieces WHERE project_id = $1 AND title = 'How wide'",
      [projectId],
    );
    await callApi(context, "PATCH", `/api/content/${wide?.id}`, { body: "As wide as the roof." });
    await openPage(page, `/wp-publishing/${projectId}`);
    await expect(page.getByRole("row", { name: /How wide/ }).locator(badge)).toBeVisible();
    await more.click();
    await page.getByRole("menuitem", { name: "Update 1 changed post" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Update" }).click();
    await expectMessage(page, "Successfully updated 1 out of 1 changed posts");
    await expect(page.getByText(/^Last job: Completed · 1 of 1 pieces updated/)).toBeVisible();
    await expect(badge).toHaveCount(0);
    await button(page, "Results").click();
    const results = page.getByRole("dialog", { name: "Results of the job" });
    await expect(results.getByText("How wide")).toBeVisible();
    // The dialog has taken over.
    await expect(button(page, "Results")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(button(page, "Results")).toBeFocused();
  });

  await box(page, "Digging").click();
  await more.click();
  await page.getByRole("menuitem", { name: "Unpublish Selected (2)" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unpublish Selected" }).click();
  await expectMessage(page, "Successfully unpublished 2 out of 2 selected content pieces");
  await expect(page.getByRole("main").getByText("Draft", { exact: true })).toHaveCount(2);
  await expect(box(page, "Digging")).not.toBeChecked();
});

test("shows the topic in each row on a phone, however long the names are", async ({ page, context }) => {
  const projectId = await newProject(context);
  await connectSamples(context);
  const name = "Where the water of a whole street goes when the ground is frozen and nobody has thought of it";
  const make = <T>(path: string, data: unknown) => callApi<T & { id: number }>(context, "POST", path, data);
  const topic = await make(`/api/projects/${projectId}/topics`, { name, description: "Frost." });
  const title =
    "Rain on frozen ground: a long account of ditches, sills and cellars in Donaudampfschifffahrtsgesellschaft";
  await make(`/api/projects/${projectId}/topics/${topic.id}/content`, { title, body: "A text." });
  await page.setViewportSize({ width: 320, height: 720 });
  await openPage(page, `/wp-publishing/${projectId}`);
  await page.getByRole("tab", { name: "All Content" }).click();
  const row = page.locator("tr", { hasText: "Rain on frozen ground" });
  const [titleBox, topicBox, statusBox] = await Promise.all([
    row.getByRole("link", { name: title }).boundingBox(),
    row.getByText(name).boundingBox(),
    row.getByText("Not Published").boundingBox(),
  ]);
  expect(topicBox?.y).toBeGreaterThan(titleBox?.y ?? Number.NaN);
  expect(statusBox?.y).toBeGreaterThan(topicBox?.y ?? Number.NaN);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
});
