import { expect, type Page, test } from "@playwright/test";
import { expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";
import { expectFocusOn } from "@/tests/support/keyboard";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true }).first();
const REFUSAL = { error: "Not now, please.", type: "SERVICE_UNAVAILABLE", requestId: "req-of-this-test" };

/** Holds back calls with this method until they are released or refused. */
async function holdCalls(page: Page, method: "POST" | "PATCH" | "DELETE", path: RegExp) {
  let decide: (isRefused: boolean) => void = () => undefined;
  const decided = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    if (await decided) return route.fulfill({ status: 503, json: REFUSAL });
    return route.continue();
  });
  const stop = () => page.unrouteAll({ behavior: "wait" });
  return {
    async refuse(sentence = REFUSAL.error) {
      decide(true);
      await expectMessage(page, sentence);
      await stop();
    },
    async release() {
      decide(false);
      await stop();
    },
  };
}

test("small changes show before the answer, and are undone with a sentence when refused", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "optimistic");
  await openPage(page, `/projects/${projectId}?topic=${topicId}`);
  const head = button(page, /^Seed starting indoors/);
  const words = page.getByRole("region", { name: /^Keywords of Seed starting/ });
  const field = page.getByPlaceholder("Add a keyword");
  const question = page.getByRole("alertdialog");
  const agree = () => question.getByRole("button", { name: "Delete" }).click();

  await test.step("a keyword is added once, however often Enter is pressed", async () => {
    await expect(head).toContainText("7 keywords");
    const held = await holdCalls(page, "POST", /\/keywords$/);
    await field.fill("moon planting");
    await field.press("Enter");
    await field.press("Enter");
    await expect(words.getByText("moon planting")).toHaveCount(1);
    await expect(head).toContainText("8 keywords");
    await expectFocusOn(page, field);
    await held.release();
    await expectMessage(page, "Keyword added successfully");
    await expect(button(page, "Edit keyword moon planting")).toHaveCount(1);
  });

  await test.step("a refused keyword is back in its field", async () => {
    const held = await holdCalls(page, "POST", /\/keywords$/);
    await field.fill("cold frames");
    await field.press("Enter");
    await expect(words.locator("li[aria-busy]", { hasText: "cold frames" })).toBeVisible();
    await held.refuse();
    await expect(words.locator("li[aria-busy]", { hasText: "cold frames" })).toHaveCount(0);
    await expect(field).toHaveValue("cold frames");
    await expect(head).toContainText("8 keywords");
    await field.press("Enter");
    await expect(button(page, "Edit keyword cold frames")).toBeVisible();
  });

  await test.step("a refused edit of a keyword is open again with its text", async () => {
    const held = await holdCalls(page, "PATCH", /\/api\/keywords\//);
    await button(page, "Edit keyword moon planting").click();
    await page.keyboard.type("planting by the moon");
    await page.keyboard.press("Enter");
    await expectFocusOn(page, button(page, "Edit keyword planting by the moon"));
    await held.refuse();
    const edit = page.getByLabel("Edit keyword moon planting");
    await expect(edit).toHaveValue("planting by the moon");
    await expectFocusOn(page, edit);
    await page.keyboard.press("Enter");
    await expectMessage(page, "Keyword updated successfully");
  });

  await test.step("a keyword whose deletion is refused is back, and the focus is kept", async () => {
    const held = await holdCalls(page, "DELETE", /\/api\/keywords\//);
    await button(page, "Delete keyword leggy seedlings").click();
    await agree();
    await expect(button(page, "Edit keyword leggy seedlings")).toHaveCount(0);
    await expect(question).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
    await held.refuse("Failed to delete keyword: Service Unavailable");
    await expect(button(page, "Edit keyword leggy seedlings")).toBeVisible();
    await expect(page.locator(":focus")).toBeVisible();
  });

  await test.step("a title refused after its topic was closed is open again", async () => {
    const held = await holdCalls(page, "PATCH", /\/api\/content\//);
    await button(page, "Edit title: Bottom watering, explained").click();
    await page.keyboard.type("Watering from below");
    await page.keyboard.press("Enter");
    await expect(link(page, "Watering from below")).toBeVisible();
    await head.click();
    await held.refuse();
    await head.click();
    const edit = page.getByLabel("Content title");
    await expect(edit).toHaveValue("Watering from below");
    await edit.press("Escape");
    await expect(link(page, "Bottom watering, explained")).toBeVisible();
  });

  await test.step("a topic whose deletion is refused is back", async () => {
    const held = await holdCalls(page, "DELETE", /\/api\/topics\//);
    await button(page, /^Actions for Seed starting/).click();
    await page.getByRole("menuitem", { name: "Delete Topic" }).click();
    // The button lies over the menu's entry: a click would count as the second of a double click.
    await question.getByRole("button", { name: "Delete" }).press("Enter");
    await expect(head).toHaveCount(0);
    await expect(question).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
    await held.refuse();
    await expect(head).toBeVisible();
  });

  await test.step("a piece whose deletion is refused is back in the library, with the count", async () => {
    await openPage(page, "/content");
    const project = button(page, /^Spring planting guide 2027/);
    await expect(project).toContainText("13 items");
    const held = await holdCalls(page, "DELETE", /\/api\/content\//);
    await link(page, "Bottom watering, explained").hover();
    await button(page, "Delete: Bottom watering, explained").click();
    await agree();
    await expect(link(page, "Bottom watering, explained")).toHaveCount(0);
    await expect(project).toContainText("12 items");
    await expect(question).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
    await held.refuse();
    await expect(link(page, "Bottom watering, explained")).toBeVisible();
    await expect(project).toContainText("13 items");
  });
});
