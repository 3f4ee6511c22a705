import { expect, type Page, test } from "@playwright/test";
import { callApi, expectTold, openPage } from "@/tests/support/e2e-page";
import { personWithShowcase } from "@/tests/support/e2e-person";
import { expectFocusOn, expectFocusSeen, press } from "@/tests/support/keyboard";

// Where what had the focus goes away: a menu that opens a dialog, a button that makes way for another.

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const cancel = (page: Page) => page.getByRole("alertdialog").getByRole("button", { name: "Cancel", exact: true });

test("the focus is not lost with what had it", async ({ page, context }) => {
  const { projectId, topicId } = await personWithShowcase(context, "focus");
  await page.emulateMedia({ reducedMotion: "reduce" });

  await test.step("a dialog opened from a menu gives it back to the menu's button", async () => {
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

  await test.step("a piece that was deleted leaves it to the next thing", async () => {
    const remove = button(page, /^Delete Bottom watering/);
    await press(page, remove);
    await expectFocusOn(page, cancel(page));
    await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expect(remove).toHaveCount(0);
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step("the buttons of a stored secret take turns", async () => {
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

  await test.step("a job that is being cancelled has no button for it any more", async () => {
    await openPage(page, "/queue-monitor");
    await press(page, button(page, /^Cancel /));
    await expectFocusOn(page, cancel(page));
    await press(page, button(page, "Cancel job"));
    await expectTold(page, "Cancelling…");
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step("the last project that is deleted leaves the way to a new one", async () => {
    const projects = await callApi<{ id: number }[]>(context, "GET", "/api/projects");
    for (const { id } of projects.slice(1)) await callApi(context, "DELETE", `/api/projects/${id}`);
    await openPage(page, "/");
    await press(page, button(page, /^Delete project/));
    await expectFocusOn(page, cancel(page));
    await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expectTold(page, "Project deleted successfully");
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step("the panel of the sidebar gives it back to its button", async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    const trigger = button(page, "Toggle sidebar");
    await press(page, trigger, "Enter", { back: true });
    await expect(page.getByRole("dialog", { name: "Content Planner" })).toBeVisible();
    await expectFocusSeen(page);
    await page.keyboard.press("Escape");
    await expectFocusOn(page, trigger);
  });
});
