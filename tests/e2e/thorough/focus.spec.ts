import { expect, type Page, test } from "@playwright/test";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSamples, registerUser, userWithShowcase } from "@/tests/support/e2e-user";
import { expectFocusOn, expectFocusSeen, press, pressAndConfirm } from "@/tests/support/keyboard";

// Where the focus goes when its element disappears: a menu that opens a dialog, a button that another one replaces.

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const cancel = (page: Page) => page.getByRole("alertdialog").getByRole("button", { name: "Cancel", exact: true });

test("keeps the focus when the focused element disappears", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "focus");

  await test.step("closing a dialog opened from a menu returns the focus to the menu's button", async () => {
    await openPage(page, `/projects/${projectId}?topic=${topicId}`);
    const menu = button(page, /^Actions for Seed starting/);
    for (const [entry, inside] of [
      ["Edit Topic", page.getByRole("dialog").getByLabel("Name")],
      ["Delete Topic", cancel(page)],
    ] as const) {
      await press(page, menu);
      await page.keyboard.press(entry === "Edit Topic" ? "Home" : "End");
      await expectFocusOn(page, page.getByRole("menuitem", { name: entry }));
      await page.keyboard.press("Enter");
      await expectFocusOn(page, inside);
      await page.keyboard.press("Escape");
      await expectFocusOn(page, menu);
    }
  });

  await test.step("deleting a piece leaves the focus on a visible control", async () => {
    const remove = button(page, /^Delete Bottom watering/);
    await press(page, remove);
    await expectFocusOn(page, cancel(page));
    await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expect(remove).toHaveCount(0);
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step("the buttons of a stored secret pass the focus to the ones that replace them", async () => {
    await openPage(page, "/settings");
    const key = page.getByRole("group", { name: "AI provider API key" });
    await press(page, key.getByRole("button", { name: "Remove" }));
    await expectFocusOn(page, key.getByRole("button", { name: "Undo" }));
    await page.keyboard.press("Enter");
    await expectFocusOn(page, key.getByRole("button", { name: "Remove" }));
    await press(page, key.getByRole("button", { name: "Replace" }));
    await expectFocusOn(page, page.getByLabel("AI provider API key"));
    await press(page, button(page, "Keep the stored one"), "Enter", { back: true });
    await expectFocusOn(page, key.getByRole("button", { name: "Remove" }));
  });

  await test.step("cancelling a job, which removes its button, leaves the focus on a visible control", async () => {
    await openPage(page, "/queue-monitor");
    await press(page, button(page, /^Cancel /));
    await expectFocusOn(page, cancel(page));
    await press(page, button(page, "Cancel job"));
    await expectMessage(page, "Cancelling…");
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step("deleting the last project leaves the focus on a visible control", async () => {
    const projects = await callApi<{ id: number }[]>(context, "GET", "/api/projects");
    for (const { id } of projects.slice(1)) await callApi(context, "DELETE", `/api/projects/${id}`);
    await openPage(page, "/");
    await press(page, button(page, /^Delete project/));
    await expectFocusOn(page, cancel(page));
    await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expectMessage(page, "Project deleted successfully");
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step("closing the sidebar's panel returns the focus to the button", async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    const trigger = button(page, "Toggle sidebar");
    await press(page, trigger, "Enter", { back: true });
    await expect(page.getByRole("dialog", { name: "Content Planner" })).toBeVisible();
    await expectFocusSeen(page);
    await page.keyboard.press("Escape");
    await expectFocusOn(page, trigger);
  });
});

test("moves the focus to the next row when a row's own button removes it from the list", async ({ page, context }) => {
  await registerUser(context, `lines.${Date.now()}`);
  await connectSamples(context);
  const make = (path: string, data: unknown) => callApi<{ id: number }>(context, "POST", path, data);
  const project = await make("/api/projects", { title: "Rain gardens" });
  const topic = await make(`/api/projects/${project.id}/topics`, { name: "Digging", description: "How deep." });
  for (const title of ["How deep", "How wide", "How steep"])
    await make(`/api/projects/${project.id}/topics/${topic.id}/content`, { title, body: `${title}: a text.` });
  const inMain = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

  await test.step("publishing a piece under a filter for drafts", async () => {
    await openPage(page, "/content?status=draft");
    await pressAndConfirm(page, inMain("Publish to WordPress: How wide"));
    await expectMessage(page, "Content published to WordPress successfully");
    await expect(page.getByRole("main").getByRole("link", { name: "How wide" })).toHaveCount(0);
    await expectFocusSeen(page);
    await expect(page.locator("[role=listitem] :focus")).toHaveAccessibleName(/How deep$/);
  });

  await test.step("deleting every piece, one by one", async () => {
    for (const title of ["How deep", "How steep"]) {
      await press(page, inMain(`Delete: ${title}`), "Enter", { back: title === "How steep" });
      await expectFocusOn(page, cancel(page));
      await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
      await expect(page.getByRole("main").getByRole("link", { name: title })).toHaveCount(0);
      await expect(page.getByRole("alertdialog")).toBeHidden();
      await expectFocusSeen(page);
    }
    await expectMessage(page, "No content found");
  });

  await test.step("publishing moves the focus to the Update button", async () => {
    await make(`/api/projects/${project.id}/topics/${topic.id}/content`, { title: "How far", body: "Six feet." });
    await openPage(page, `/wp-publishing/${project.id}`);
    await press(page, button(page, "Publish with Category"));
    await press(page, button(page, "Publish").and(page.getByText("Publish", { exact: true })));
    await expectMessage(page, "Content published to WordPress successfully");
    const row = page.getByRole("row", { name: /How far/ });
    await expectFocusOn(page, row.getByRole("button", { name: "Update" }));
  });
});

test("keeps a visible focus when a retried job moves to the active jobs", async ({ page, context }) => {
  await userWithShowcase(context, "again");
  await openPage(page, "/queue-monitor");
  await press(page, button(page, /^Completed Jobs/));
  const again = button(page, "Retry failed items");
  await expect(again).not.toHaveCount(0);
  const before = await again.count();
  await press(page, again.first());
  await expect(again).toHaveCount(before - 1);
  await expectFocusSeen(page);
  await expect(page.getByRole("main").locator("li :focus, button:focus")).toBeVisible();
});

test("draws a tab's focus frame for the keyboard alone", async ({ page, context }) => {
  const { pieces } = await userWithShowcase(context, "frame");
  await openPage(page, `/content/${pieces.full}`);
  const preview = page.getByRole("tab", { name: "Preview" });
  await preview.click();
  await expect(preview).toBeFocused();
  await expect(preview).toHaveCSS("outline-style", "none");
  await page.keyboard.press("ArrowRight");
  await expect(preview).not.toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(preview).toBeFocused();
  await expect(preview).not.toHaveCSS("outline-style", "none");
});
