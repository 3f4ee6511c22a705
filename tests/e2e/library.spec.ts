import { expect, type Page, test } from "@playwright/test";
import { expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const row = (page: Page, title: string | RegExp) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: title }) });

async function choose(page: Page, list: string, entry: string) {
  await page.getByLabel(list, { exact: true }).click();
  await page.getByRole("option", { name: entry, exact: true }).click();
}

test("groups pieces by project, filters them and offers actions on each row", async ({ page, context }) => {
  await userWithShowcase(context, "library");
  await openPage(page, "/content");
  const search = page.getByLabel("Search content");
  const spring = button(page, /^Spring planting guide 2027/);
  const compost = button(page, /^Composting for small gardens/);

  await test.step("several projects can be open, each with its number of pieces", async () => {
    await expect(page.getByRole("heading", { name: "Content Library" })).toBeVisible();
    await expect(spring).toContainText("13 items");
    await expect(compost).toContainText("1 item");
    await expect(spring).toHaveAttribute("aria-expanded", "true");
    await compost.click();
    await expect(compost).toHaveAttribute("aria-expanded", "true");
    await expect(spring).toHaveAttribute("aria-expanded", "true");
    await spring.click();
    await expect(spring).toHaveAttribute("aria-expanded", "false");
    await expect(compost).toHaveAttribute("aria-expanded", "true");
    await expect(row(page, "A worm bin under the sink")).toBeVisible();
  });

  await test.step("filters work alone and together, and survive a reload", async () => {
    await search.fill("bottom WATERING");
    await expect(page).toHaveURL(/search=bottom/);
    await expect(row(page, "Bottom watering, explained")).toBeVisible();
    await expect(compost).toHaveCount(0);
    await choose(page, "Status", "Under Review");
    await expectMessage(page, "No content found");
    await expectMessage(page, "Try adjusting your filters or create new content");
    await search.fill("");
    await expect(row(page, "Frost cloth weights compared")).toBeVisible();
    await choose(page, "Project", "Composting for small gardens");
    await expectMessage(page, "No content found");
    await page.reload();
    await expectMessage(page, "No content found");
    await expect(page.getByLabel("Status", { exact: true })).toHaveText("Under Review");
  });

  await test.step("Reset Filters clears all three", async () => {
    await openPage(page, "/content?search=frost");
    await choose(page, "Project", "Spring planting guide 2027");
    await choose(page, "Status", "Under Review");
    await expect(row(page, "Frost cloth weights compared")).toBeVisible();
    await button(page, "Reset Filters").click();
    await expect(search).toHaveValue("");
    await expect(page.getByLabel("Project", { exact: true })).toHaveText("All Projects");
    await expect(page.getByLabel("Status", { exact: true })).toHaveText("All Statuses");
    await expect(page).toHaveURL(/\/content$/);
    await expect(spring).toContainText("13 items");
  });

  await test.step("the search box follows the address, whatever changes it", async () => {
    await search.fill("frost");
    await expect(page).toHaveURL(/search=frost/);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Content", exact: true }).click();
    await expect(page).toHaveURL(/\/content$/);
    await expect(search).toHaveValue("");
    await expect(spring).toContainText("13 items");
    await page.goBack();
    await expect(search).toHaveValue("frost");
    await expect(row(page, "Frost cloth weights compared")).toBeVisible();
    // A search not yet applied does not come back.
    await search.fill("worm");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Content", exact: true }).click();
    await expect(page).toHaveURL(/\/content$/);
    await expect(search).toHaveValue("");
    await search.pressSequentially("bottom watering", { delay: 60 });
    await expect(page).toHaveURL(/search=bottom\+watering$/);
    await expect(search).toHaveValue("bottom watering");
    await button(page, "Reset Filters").click();
  });

  await test.step("rows show their badges and creation date", async () => {
    for (const [title, badges, others] of [
      ["Bottom watering, explained", ["Draft", "Title Only"], ["Outline", "Content Created"]],
      ["Do you really need grow lights", ["Draft", "Outline"], ["Title Only", "Content Created"]],
      ["When to start tomatoes indoors", ["Published", "Outline", "Content Created"], ["Title Only"]],
      ["Damping off", ["Failed", "Content Created"], ["Outline", "Title Only"]],
    ] as const) {
      await search.fill(title);
      const shown = row(page, new RegExp(`^${title}`));
      await expect(shown).toHaveCount(1);
      for (const badge of badges) await expect(shown.getByText(badge, { exact: true })).toBeVisible();
      for (const badge of others) await expect(shown.getByText(badge, { exact: true })).toHaveCount(0);
      await expect(shown.getByText(/^Created: [A-Z][a-z]{2} \d+, 2026$/).filter({ visible: true })).toBeVisible();
    }
  });

  await test.step("rows offer their actions, each with a tooltip", async () => {
    for (const [title, actions] of [
      ["When to start tomatoes indoors", ["Edit", "Unpublish from WordPress", "Delete"]],
      ["Damping off", ["Edit", "Generate outline", "Publish to WordPress", "Delete"]],
      ["Bottom watering", ["Edit", "Generate outline", "Write a body first", "Delete"]],
    ] as const) {
      await search.fill(title);
      await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe(title);
      const shown = row(page, new RegExp(`^${title}`));
      await expect(shown).toHaveCount(1);
      await shown.getByRole("link").first().focus();
      for (const action of actions) {
        await page.keyboard.press("Tab");
        await expect(page.getByRole("tooltip")).toHaveText(action);
      }
      // It lies over the row above, whose buttons stay within reach.
      expect(await page.locator("[data-slot='tooltip-content']").evaluate(isTop)).toBe(false);
    }
    for (const [action, tip] of [
      ["Generate Topic Outline", "Generate a comprehensive outline for this topic"],
      ["Write Topic Content with AI", "Generate content for all outlines in this topic"],
    ] as const) {
      await button(page, action).first().focus();
      await expect(page.getByRole("tooltip", { name: tip })).toBeVisible();
    }
  });

  await test.step("a row pressed just before a search begins opens", async () => {
    await search.fill("");
    await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe(null);
    const title = page.getByRole("main").getByRole("link", { name: /^When to start tomatoes indoors/ });
    await title.hover();
    const box = await title.boundingBox();
    // Its answer must not move the row before it is pressed.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/search=tomatoes/, (route) => released.then(() => route.continue()).catch(() => undefined));
    await search.fill("tomatoes");
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 8);
    await page.mouse.down();
    await page.waitForTimeout(80);
    await page.mouse.up();
    await expect(page).toHaveURL(/\/content\/[0-9a-f-]{36}$/);
    release();
    await page.unroute(/search=tomatoes/);
    await page.goBack();
    await expect(search).toHaveValue("");
    await search.fill("Bottom watering");
    await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("Bottom watering");
  });

  await test.step("generating a row's outline removes the action", async () => {
    await row(page, /^Bottom watering/).hover();
    await button(page, /^Generate outline: Bottom/).click();
    await expectMessage(page, "Outline generated");
    await expect(row(page, /^Bottom watering/).getByText("Outline", { exact: true })).toBeVisible();
    await expect(button(page, /^Generate outline: Bottom/)).toHaveCount(0);
  });

  await test.step("a row is deleted after confirmation", async () => {
    const question = page.getByRole("alertdialog");
    await row(page, /^Bottom watering/).hover();
    await button(page, /^Delete: Bottom/).click();
    await expect(question).toContainText("Are you sure you want to delete this content?");
    await expect(question).toContainText("This action cannot be undone. This will permanently delete the content.");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(row(page, /^Bottom watering/)).toBeVisible();
    await button(page, /^Delete: Bottom/).click();
    await question.getByRole("button", { name: "Delete" }).click();
    await expectMessage(page, "Content deleted successfully");
    await expectMessage(page, "No content found");
    await button(page, "Reset Filters").click();
    await expect(spring).toContainText("12 items");
  });
});

/** True if a click on its centre would meet the element. */
function isTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
