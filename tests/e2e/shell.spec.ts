import { type BrowserContext, expect, test } from "@playwright/test";
import { openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

const WEEK_SECONDS = 604_800;

/** Scripts set it; the browser's own process learns of that a moment later. */
const sidebarCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === "sidebar_state");

test("redirects visitors to sign-in and back afterwards, and signed-in users away from it", async ({
  page,
  context,
}) => {
  const paths = [
    "/",
    "/projects/1",
    "/content",
    "/content/00000000-0000-4000-8000-000000000000",
    "/wordpress-publishing",
    "/wp-publishing/1",
    "/assistant",
    "/assistant/1",
    "/queue-monitor",
    "/settings",
    "/nowhere",
  ];
  for (const path of paths) {
    const { pathname, searchParams } = await arrive(path);
    expect([path, pathname, searchParams.get("next") ?? "/"]).toEqual([path, "/auth", path]);
  }
  const name = `shell.${Date.now()}`;
  await registerUser(context, name);
  await context.clearCookies();
  await openPage(page, "/auth?next=%2Fqueue-monitor");
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("Password", { exact: true }).fill("a calm desk for words");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/queue-monitor$/);
  for (const [path, where] of [
    ["/auth", "/"],
    ["/auth?next=%2Fsettings", "/settings"],
    ["/auth?next=https%3A%2F%2Felsewhere.invalid%2F", "/"],
    ["/auth/forgot", "/"],
    ["/auth/forgot?next=%2Fsettings", "/settings"],
  ] as const) {
    expect([path, (await arrive(path)).pathname]).toEqual([path, where]);
  }
  // Only scripts see whether the address has a link's token.
  await page.goto("/auth/reset?next=%2Fsettings");
  await expect(page).toHaveURL(/\/settings$/);
  // A mailed link works while signed in too.
  await page.goto("/auth/reset#token=none");
  await expect(page.getByLabel("New password")).toBeVisible();

  /** Where the server's redirects lead. */
  async function arrive(path: string): Promise<URL> {
    return new URL((await context.request.get(path)).url());
  }
});

test("shows 404 inside the shell for an unknown path, with a link home", async ({ page, context }) => {
  await registerUser(context, `nowhere.${Date.now()}`);
  expect((await page.goto("/some/where/else"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Home" }).click();
  await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();
});

test("the sidebar: its entries, its state remembered for seven days, a panel on phones", async ({ page, context }) => {
  await registerUser(context, `sidebar.${Date.now()}`);
  await openPage(page, "/");
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  const trigger = page.getByRole("button", { name: "Toggle sidebar" });

  await test.step("the sidebar lists five entries and marks the current one", async () => {
    await expect(sidebar).toContainText("Content Planner");
    const entries = sidebar.getByRole("navigation").getByRole("link");
    await expect(entries).toHaveText(["Home", "Content", "WordPress", "Queue Monitor", "Settings"]);
    await expect(entries.first()).toHaveAttribute("aria-current", "page");
    await expect(sidebar).toHaveCSS("width", "256px");
  });

  await test.step("a sidebar collapsed by its button stays collapsed on the next page", async () => {
    await trigger.click();
    await expect(sidebar).toHaveCSS("width", "48px");
    await expect.poll(async () => (await sidebarCookie(context))?.value).toBe("collapsed");
    const left = ((await sidebarCookie(context))?.expires ?? 0) - Date.now() / 1000;
    expect(left).toBeGreaterThan(WEEK_SECONDS - 60);
    expect(left).toBeLessThanOrEqual(WEEK_SECONDS + 1);
    await openPage(page, "/content");
    await expect(sidebar).toHaveCSS("width", "48px");
    await page.keyboard.press("Control+b");
    await expect(sidebar).toHaveCSS("width", "256px");
    await expect.poll(async () => (await sidebarCookie(context))?.value).toBe("open");
    await page.reload();
    await expect(sidebar).toHaveCSS("width", "256px");
  });

  await test.step("below 768 px the sidebar opens as a panel, and closes when a link is followed", async () => {
    await page.setViewportSize({ width: 767, height: 800 });
    await openPage(page, "/content");
    await expect(sidebar).toBeHidden();
    const panel = page.getByRole("dialog", { name: "Content Planner" });
    await trigger.click();
    await expect(panel).toBeVisible();
    await expect(panel).toHaveCSS("width", "288px");
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(trigger).toBeFocused();
    await page.keyboard.press("Control+b");
    await panel.getByRole("link", { name: "Settings" }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(panel).toBeHidden();
    // The panel does not change what is remembered for wide windows.
    expect((await sidebarCookie(context))?.value).toBe("open");
    await trigger.click();
    await expect(panel).toBeVisible();
    await page.setViewportSize({ width: 768, height: 800 });
    await expect(panel).toBeHidden();
    await expect(sidebar).toBeVisible();
  });
});
