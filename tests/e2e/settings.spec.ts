import { expect, test } from "@playwright/test";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

const {
  E2E_AI_KEY = "",
  E2E_WORDPRESS_URL = "",
  E2E_WORDPRESS_USERNAME = "",
  E2E_WORDPRESS_PASSWORD = "",
} = process.env;

test("saves settings without ever returning the secrets, and tests the connection", async ({ page, context }) => {
  await registerUser(context, `settings.${Date.now()}`);
  const answers: string[] = [];
  page.on("response", async (response) => {
    if (response.url().startsWith(process.env.E2E_BASE_URL ?? "")) answers.push(await response.text().catch(() => ""));
  });
  await openPage(page, "/settings");
  const save = page.getByRole("button", { name: "Save Settings" });
  const key = page.locator("input").and(page.getByLabel("AI provider API key"));
  const password = page.getByLabel("Blogging-site password");
  const testConnection = page.getByRole("button", { name: "Test connection" });

  await test.step("the secrets are masked, and there is nothing to test yet", async () => {
    await expect(page.getByRole("heading", { name: "API Settings" })).toBeVisible();
    await expect(key).toHaveAttribute("type", "password");
    await expect(password).toHaveAttribute("type", "password");
    await expect(testConnection).toBeDisabled();
  });

  await test.step("a wrong address stays in the form and is marked", async () => {
    await page.getByLabel("Blogging-site URL").fill("not an address");
    await save.click();
    await expect(page.getByLabel("Blogging-site URL")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Blogging-site URL")).toBeFocused();
  });

  await test.step("the connection test reports a wrong password", async () => {
    await key.fill(E2E_AI_KEY);
    await page.getByLabel("Blogging-site URL").fill(E2E_WORDPRESS_URL);
    await page.getByLabel("Blogging-site username").fill(E2E_WORDPRESS_USERNAME);
    await password.fill("not the password");
    await expectMessage(page, "4 unsaved changes");
    await expect(testConnection).toBeDisabled();
    await save.click();
    await expectMessage(page, "Your settings have been updated successfully");
    await testConnection.click();
    await expectMessage(page, "The connection does not work");
  });

  await test.step("the right password replaces the stored one and works", async () => {
    await page.getByRole("group", { name: "Blogging-site password" }).getByRole("button", { name: "Replace" }).click();
    await expect(password).toBeFocused();
    await password.fill(E2E_WORDPRESS_PASSWORD);
    await save.click();
    await expect(testConnection).toBeEnabled();
    await testConnection.click();
    await expectMessage(page, /^Connected to .* as editor$/);
    // The sample site has no https, which brings a warning.
    await expectMessage(page, "The site is not served over https: the application password travels unencrypted.");
  });

  await test.step("a later visit shows everything, the secrets only as a hint", async () => {
    await openPage(page, "/settings");
    await expect(page.getByLabel("Blogging-site URL")).toHaveValue(E2E_WORDPRESS_URL);
    await expect(page.getByLabel("Blogging-site username")).toHaveValue(E2E_WORDPRESS_USERNAME);
    await expect(page.getByText(`Stored, ends in ${E2E_AI_KEY.slice(-4)}`)).toBeAttached();
    answers.push(await page.content(), JSON.stringify(await callApi(context, "GET", "/api/user")));
    for (const secret of [E2E_AI_KEY, E2E_WORDPRESS_PASSWORD, "not the password"]) {
      expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
    }
    expect(answers.length).toBeGreaterThan(10);
  });

  await test.step("a stored secret is removed on saving, unless that is undone", async () => {
    const stored = page.getByRole("group", { name: "AI provider API key" });
    await stored.getByRole("button", { name: "Remove" }).click();
    await expect(stored).toContainText("Removed when you save");
    await stored.getByRole("button", { name: "Undo" }).click();
    await expect(stored).not.toContainText("Removed when you save");
    await stored.getByRole("button", { name: "Remove" }).click();
    await save.click();
    await expect(key).toHaveValue("");
    await expect
      .poll(() => callApi(context, "GET", "/api/user"))
      .toMatchObject({ hasOpenaiApiKey: false, hasWordpressPassword: true });
  });
});

test("connects a site by its own page, where the user approves, without a password to copy", async ({
  page,
  context,
}) => {
  await registerUser(context, `connect.${Date.now()}`);
  await openPage(page, "/settings");
  const connect = page.getByRole("button", { name: "Connect with WordPress" });

  await test.step("a connection that is not approved saves nothing", async () => {
    await page.getByLabel("Blogging-site URL").fill(`${E2E_WORDPRESS_URL}/wp-admin/`);
    await connect.click();
    await expect(page.getByRole("heading", { name: "Authorize Application" })).toBeVisible();
    await page.getByRole("button", { name: "No, I do not approve of this connection" }).click();
    await expectMessage(page, "You did not approve the connection there, so nothing was saved.");
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByLabel("Blogging-site URL")).toHaveValue("");
  });

  await test.step("an approved one is saved, and works", async () => {
    const answers: Record<string, string>[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/wordpress/connected/"))
        answers.push({ status: String(response.status()), ...response.headers() });
    });
    await page.getByLabel("Blogging-site URL").fill(E2E_WORDPRESS_URL);
    await connect.click();
    await page.getByRole("button", { name: "Yes, I approve of this connection" }).click();
    await expectMessage(page, "Your site is connected. Test the connection to see what your account may do there.");
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: "303", "referrer-policy": "no-referrer", "cache-control": "no-store" });
    await expect(page.getByLabel("Blogging-site URL")).toHaveValue(E2E_WORDPRESS_URL);
    await expect(page.getByLabel("Blogging-site username")).toHaveValue(E2E_WORDPRESS_USERNAME);
    await page.getByRole("button", { name: "Test connection" }).click();
    await expectMessage(page, "Connected to Sample WordPress site as editor");
  });

  await test.step("the address with the password is nowhere to go back to", async () => {
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Authorize Application" })).toBeVisible();
    await page.goForward();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByText("Your site is connected.")).not.toBeAttached();
  });
});
