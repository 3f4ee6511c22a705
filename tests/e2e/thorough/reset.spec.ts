import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "@/tests/support/e2e-page";
import { mailTo } from "@/tests/support/outbox";

const { E2E_BASE_URL = "" } = process.env;

const FIRST = "a calm desk for words";
const SECOND = "another desk, by the window";

async function login(page: Page, username: string, password: string) {
  await page.goto("/auth");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

test("resets a forgotten password once by the mailed link, and signs out every device", async ({ page, context }) => {
  const username = `forgetful.${Date.now()}`;
  const email = `${username}@example.com`;
  const registered = await context.request.post("/api/register", {
    headers: { origin: E2E_BASE_URL },
    data: { username, email, password: FIRST },
  });
  expect(registered.status()).toBe(201);
  const device = await context.storageState();
  await context.clearCookies();

  await test.step("ask for the link", async () => {
    await page.goto("/auth");
    await page.getByRole("button", { name: "Forgot password?" }).click();
    const dialog = page.getByRole("dialog", { name: "Reset Password" });
    await dialog.getByLabel("Email").fill("no address");
    await dialog.getByRole("button", { name: "Send Reset Link" }).click();
    await expect(dialog).toContainText("Please enter a valid email address");
    await expectAccessible(page);
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Send Reset Link" }).click();
    await expect(page.getByText("Password reset email sent")).toBeVisible();
    await expect(page.getByText("Please check your email for instructions to reset your password.")).toBeVisible();
  });

  const link = /http\S+\/auth\/reset#token=[\w-]+/.exec(await mailTo(email, "Reset your password"))?.[0] ?? "";
  await test.step("choose a new password", async () => {
    await page.goto(link);
    await expectAccessible(page);
    await page.getByLabel("New password").fill("password123");
    await page.getByRole("button", { name: "Set New Password" }).click();
    await expect(page.getByText(/most common/)).toBeVisible();
    await page.getByLabel("New password").fill(SECOND);
    await page.getByRole("button", { name: "Set New Password" }).click();
    await expect(page.getByRole("heading", { name: "Password changed" })).toBeVisible();
    expect(await mailTo(email, "Your password was changed")).toContain(username);
  });

  await test.step("the used link, the old password and the old device are refused", async () => {
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByLabel("New password").fill("a third desk, upstairs");
    await page.getByRole("button", { name: "Set New Password" }).click();
    await expect(page.getByText(/no longer valid/)).toBeVisible();
    await login(page, username, FIRST);
    await expect(page.getByText("Login failed")).toBeVisible();
    const old = await context.browser()?.newContext({ storageState: device, baseURL: E2E_BASE_URL });
    expect((await old?.request.get("/api/user"))?.status()).toBe(401);
    await old?.close();
  });

  await login(page, username, SECOND);
  await expect(page.getByRole("heading", { name: `Welcome, ${username}` })).toBeVisible();
});
