import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { expectMessage, hydrated, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, PASSWORD, registerUser } from "@/tests/support/e2e-user";

const { E2E_BASE_URL = "" } = process.env;

async function send(page: Page, button: "Login" | "Register", fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button }).click();
}

const where = (page: Page) => page.url().replace(E2E_BASE_URL, "");
const token = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name.endsWith("session"))?.value;

test("signs in by username or e-mail to the page asked for, and signs out", async ({ page, context }) => {
  const username = `ways.${Date.now()}`;
  const id = await registerUser(context, username);
  await e2eQuery("UPDATE users SET email = $2 WHERE id = $1", [id, `${username}@example.com`]);
  await context.clearCookies();

  await openPage(page, "/settings");
  await send(page, "Login", { Username: username, Password: "not it at all" });
  await expectMessage(page, "Login failed");
  await expect(page.getByRole("alert").filter({ hasText: "Login failed" })).toHaveCount(0);
  await expect(page.getByLabel("Username")).toHaveValue(username);
  await expect(page.getByLabel("Password")).toBeFocused();
  expect(where(page)).toBe("/auth?next=%2Fsettings");

  const names = [username, username.toUpperCase(), `${username}@Example.com`];
  for (const [n, name] of names.entries()) {
    if (n > 0) await openPage(page, "/settings");
    await send(page, "Login", { Username: name, Password: PASSWORD });
    await expect(page.getByRole("heading", { name: "API Settings" })).toBeVisible();
    expect(where(page)).toBe("/settings");
    await page.goto("/auth");
    await expect(page.getByText(`Welcome, ${username}`)).toBeVisible();
    const before = await token(context);
    await openPage(page, "/");
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
    const left = await context.request.get("/api/user", { headers: { cookie: `session=${before}` } });
    expect(left.status()).toBe(401);
  }
});

test("opens the Register tab in place by mouse and keyboard, and by its address", async ({ page }) => {
  await openPage(page, "/auth?next=%2Fcontent");
  const [login, register] = [page.getByRole("tab", { name: "Login" }), page.getByRole("tab", { name: "Register" })];
  await register.click();
  await expect(page.getByLabel("Email")).toBeVisible();
  expect(where(page)).toBe("/auth?next=%2Fcontent");
  await login.focus();
  await page.keyboard.press("ArrowRight");
  await expect(register).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press(" ");
  await expect(register).toHaveAttribute("aria-selected", "true");
  expect(where(page)).toBe("/auth?next=%2Fcontent");

  await openPage(page, "/auth?tab=register&next=%2Fcontent");
  await expect(register).toHaveAttribute("aria-selected", "true");
  const username = `ways.new.${Date.now()}`;
  await send(page, "Register", { Username: username, Password: "password" });
  await expectMessage(page, "Registration failed");
  await send(page, "Register", { Username: username, Password: PASSWORD });
  await expect(page.getByRole("heading", { level: 1, name: "Content Library" })).toBeVisible();
  expect(where(page)).toBe("/content");
});

test("shows the result of a form posted before the scripts loaded, until the next attempt", async ({ page }) => {
  const scripts = "**/_next/static/**/*.js";
  await page.route(scripts, (route) => route.abort());
  await page.goto("/auth");
  const posted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByLabel("Username").fill("nobody.at.all");
  await page.getByLabel("Password").fill("not it at all");
  // The page in the response loads its scripts.
  await page.unroute(scripts);
  await page.getByRole("button", { name: "Login" }).click();
  await posted;
  const alert = page.getByRole("main").getByRole("alert").filter({ hasText: "Login failed" });
  await expect(alert).toContainText("The username or password is not right.");
  await hydrated(page);
  await expect(alert).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue("nobody.at.all");
  // The form's checks load once a field has the focus: nothing may be on its way when the next attempt begins.
  await page.getByLabel("Password", { exact: true }).focus();
  await page.waitForLoadState("networkidle");
  await send(page, "Login", { Password: "nor this" });
  await expect(page.locator("[data-toast-area]").getByText("Login failed")).toBeVisible();
  await expect(alert).toHaveCount(0);
});
