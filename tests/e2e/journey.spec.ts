import { expect, type Page, test } from "@playwright/test";

const { E2E_BASE_URL = "", E2E_USERNAME = "", E2E_PASSWORD = "", E2E_WORDPRESS_URL = "" } = process.env;

test.use({ contextOptions: { reducedMotion: "no-preference" } });

const KEYWORDS = [
  "seed starting mix",
  "grow lights for seedlings",
  "damping off",
  "bottom watering",
  "leggy seedlings",
];

async function signIn(page: Page) {
  await page.goto("/auth");
  await page.getByLabel("Username").fill(E2E_USERNAME);
  await page.getByLabel("Password", { exact: true }).fill(E2E_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Welcome, demo" })).toBeVisible();
}

/** Refreshes the monitor until it shows this many completed. */
async function untilDone(page: Page, figure: "Outline Completed" | "Content Completed", count: number) {
  await page.goto("/queue-monitor");
  const shown = page.locator("dl > div", { hasText: figure }).locator("dd");
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(shown).toHaveText(String(count), { timeout: 500 });
  }).toPass({ timeout: 45_000 });
}

test("leads from sign-in to five posts, each published once", async ({ page }) => {
  test.setTimeout(150_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    const isOurs = message.location().url.startsWith(E2E_BASE_URL);
    if (message.type() === "error" && isOurs) errors.push(message.text());
  });

  await test.step("an anonymous visitor is redirected to sign-in", async () => {
    await page.goto("/queue-monitor");
    await expect(page).toHaveURL(/\/auth/);
    await signIn(page);
  });

  await test.step("add keywords and five ideas", async () => {
    await page.getByRole("link", { name: "Spring planting guide" }).click();
    await page
      .getByRole("button", { name: /Seed starting indoors/ })
      .first()
      .click();
    for (const keyword of KEYWORDS) {
      await page.getByPlaceholder("Add a keyword").fill(keyword);
      await page.getByPlaceholder("Add a keyword").press("Enter");
      await expect(page.getByText(keyword, { exact: true })).toBeVisible();
      await expect(page.getByPlaceholder("Add a keyword")).toHaveValue("");
    }
    await page.getByRole("button", { name: "Create Content Ideas" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Don't close the window during execution, this may take up to 1 minute");
    await expect(dialog.getByRole("combobox")).toContainText("Seed starting indoors");
    await dialog.getByLabel("Ideas per keyword").fill("1");
    await dialog.getByRole("button", { name: "Create Content Ideas" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("5 keywords · 5 pieces")).toBeVisible();
  });

  await test.step("queue the topic's outlines", async () => {
    await page.goto("/content");
    await openProject(page);
    await page.getByRole("button", { name: "Generate Topic Outline" }).click();
    await expect(page.getByText("Outline Generation Queued")).toBeVisible();
    await untilDone(page, "Outline Completed", 5);
  });

  await test.step("queue the topic's content", async () => {
    await page.goto("/content");
    await openProject(page);
    await page.getByRole("button", { name: "Write Topic Content with AI" }).click();
    await expect(page.getByText("Content Generation Queued")).toBeVisible();
    await untilDone(page, "Content Completed", 5);
    await page.getByRole("button", { name: /Completed Jobs/ }).click();
    await page.goto("/content");
    await openProject(page);
    await expect(page.getByText("Content Created")).toHaveCount(5);
  });

  await test.step("publish one piece into a category, then two selected ones", async () => {
    await page.goto("/wordpress-publishing");
    await page.getByRole("link", { name: "Manage Publishing" }).click();
    await expect(page.getByRole("button", { name: "Publish Selected (0)" })).toBeDisabled();
    await page.getByRole("button", { name: "Publish with Category" }).first().click();
    await expect(page.getByLabel("Category")).toContainText("Seed starting indoors");
    // The sample provider leaves claims to be proved in each text.
    await page.getByRole("button", { name: "Publish anyway" }).click();
    await expect(page.getByText("Content published to WordPress successfully")).toBeVisible();
    await expect(page.getByRole("button", { name: "Update" })).toHaveCount(1);

    const everything = page.getByRole("checkbox", { name: "Select Seed starting indoors" });
    await everything.click();
    await expect(page.getByRole("button", { name: "Publish Selected (5)" })).toBeEnabled();
    await everything.click();
    const boxes = page.getByRole("checkbox", { name: /^Select “/ });
    await boxes.nth(1).click();
    await boxes.nth(2).click();
    await expect(everything).toHaveAttribute("aria-checked", "mixed");
    await page.getByRole("tab", { name: "All Content" }).click();
    await expect(page.getByRole("checkbox", { name: "Select all content" })).toHaveAttribute("aria-checked", "mixed");
    await page.getByRole("button", { name: "Publish Selected (2)" }).click();
    await page.getByRole("button", { name: "Publish anyway" }).click();
    await expect(page.getByText("Successfully published 2 out of 2 selected content pieces")).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish Selected (0)" })).toBeDisabled();
    await page.getByRole("tab", { name: "By Topic" }).click();
  });

  await test.step("publish all, without repeating what is on the site already", async () => {
    await page.getByRole("button", { name: "Publish All Content" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("Publish all content?");
    await page.getByRole("button", { name: "Publish anyway" }).click();
    await expect(page.getByText("Successfully published 5 out of 5 content pieces")).toBeVisible();
    await expect(page.getByRole("button", { name: "Update" })).toHaveCount(5);
  });

  await test.step("the site shows each post once", async () => {
    const links = await page.getByRole("link", { name: /^Open the post/ }).all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
    const names = await Promise.all(links.map((link) => link.getAttribute("aria-label")));
    expect(new Set(addresses).size).toBe(5);
    await page.goto(E2E_WORDPRESS_URL);
    await expect(page.getByText("This is a sample WordPress site")).toBeVisible();
    // Other tests publish to this site too.
    for (const title of names.map((name) => /“(.*)”/.exec(name ?? "")?.[1] ?? "")) {
      await expect(page.getByRole("heading", { name: title, exact: true })).toHaveCount(1);
    }
    for (const address of addresses) expect((await page.goto(address ?? ""))?.status()).toBe(200);
  });

  expect(errors).toEqual([]);
});

async function openProject(page: Page) {
  const group = page.getByRole("button", { name: /Spring planting guide/ });
  if ((await group.getAttribute("aria-expanded")) === "false") await group.click();
}
