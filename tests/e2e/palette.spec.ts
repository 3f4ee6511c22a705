import { expect, type Page, test } from "@playwright/test";
import { axeViolations, callApi, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen".repeat(2);

for (const width of [1280, 320]) {
  test(`Ctrl+K finds screens, projects and topics, and creates a piece, at ${width} px`, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 640 });
    await registerUser(context, `palette.${width}.${Date.now()}`);
    const { id } = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Settlers' gardens" });
    await callApi(context, "POST", "/api/projects", { title: LONG });
    const topic = { name: `Seeds ${LONG}`, description: "From packet to pot." };
    await callApi(context, "POST", `/api/projects/${id}/topics`, topic);
    await openPage(page, "/content");
    const field = page.getByPlaceholder("Search or jump to");
    const options = page.getByRole("option");

    await page.keyboard.press("Control+k");
    await expect(options.first()).toHaveText(LONG);
    await page.keyboard.press("End");
    await expect(options.last()).toHaveAttribute("aria-selected", "true");
    await expect.poll(() => gapBelow(page)).toBeGreaterThanOrEqual(6);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    await field.fill("sett");
    await expect(options.first()).toHaveText("Settings");
    await expect(options.nth(1)).toHaveText("Settlers' gardens");
    await field.fill("settlers' gardens");
    await expect(options).toHaveText(["Settlers' gardens"]);

    await field.fill("new pie");
    await page.keyboard.press("Enter");
    const topics = page.getByPlaceholder("In which topic?");
    await expect(topics).toBeFocused();
    await expect(options).toHaveCount(1);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Add Content" }).getByLabel("Title").fill("A peat-free mix");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/content\/[0-9a-f-]{36}$/);
  });
}

/** The distance from the last row to the edge of the list, in pixels. */
function gapBelow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const row = [...document.querySelectorAll("[role=option]")].at(-1);
    const list = row?.closest("[data-bar]");
    return (list?.getBoundingClientRect().bottom ?? 0) - (row?.getBoundingClientRect().bottom ?? 0);
  });
}
