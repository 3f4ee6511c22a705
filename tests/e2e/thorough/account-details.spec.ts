import { expect, type Locator, test } from "@playwright/test";
import { expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { mailTo } from "@/tests/support/outbox";

const { E2E_BASE_URL = "", E2E_USERNAME = "" } = process.env;

const FIRST = "a calm desk for words";
const SECOND = "another desk, by the window";

test("a new user changes username, e-mail and password, and sees what is wrong with each", async ({
  page,
  context,
  browser,
}) => {
  const mark = Date.now();
  const [before, after] = [`details.${mark}`, `renamed.${mark}`];
  const [oldEmail, newEmail] = [`old.${mark}@example.com`, `new.${mark}@example.com`];
  const details = page.getByRole("region", { name: "Sign-in details" });
  const password = page.getByRole("region", { name: "Password", exact: true });
  const save = details.getByRole("button", { name: "Save Account" });
  const change = password.getByRole("button", { name: "Change Password" });

  await test.step("register", async () => {
    await openPage(page, "/auth");
    await page.getByRole("tab", { name: "Register" }).click();
    await page.getByLabel("Username").fill(before);
    await page.getByLabel("Email").fill(oldEmail);
    await page.getByLabel("Password", { exact: true }).fill(FIRST);
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByRole("heading", { name: `Welcome, ${before}` })).toBeVisible();
  });

  await test.step("a new username shows on every screen and signs in", async () => {
    await openPage(page, "/settings");
    await expect(details.getByLabel("Current password")).toHaveCount(0);
    await details.getByLabel("Username").fill(after);
    await details.getByLabel("Current password").fill(FIRST);
    await save.click();
    await expectMessage(page, "Account saved");
    await expect(details.getByLabel("Current password")).toHaveCount(0);
    await expect(page.getByText("Username changed")).toBeVisible();
    await page.getByRole("link", { name: "Home" }).first().click();
    await expect(page.getByRole("heading", { name: `Welcome, ${after}` })).toBeVisible();
    expect(await signIn(after, FIRST)).toBe(200);
    expect(await signIn(before, FIRST)).toBe(401);
  });

  await test.step("a new e-mail address signs in, and the old one gets a notice", async () => {
    await openPage(page, "/settings");
    await details.getByLabel("Email").fill(newEmail);
    await details.getByLabel("Current password").fill(FIRST);
    await page.keyboard.press("Enter");
    await expectMessage(page, "Account saved");
    await expect(save).toBeFocused();
    await expect(details.getByLabel("Email")).toHaveValue(newEmail);
    await expect(details.getByText(/^Not confirmed yet/)).toBeVisible();
    const notice = await mailTo(oldEmail, "Your e-mail address was changed");
    expect(notice).toContain(`Hello ${after}`);
    expect(notice).toContain(`${E2E_BASE_URL}/settings`);
    expect(notice).not.toContain(newEmail);
    expect(await signIn(newEmail, FIRST)).toBe(200);
  });

  await test.step("a refusal shows at its field, moves the focus there and keeps what was typed", async () => {
    await details.getByLabel("Username").fill(E2E_USERNAME.toUpperCase());
    await details.getByLabel("Current password").fill("not it at all");
    await save.click();
    await expectRefused(details.getByLabel("Current password"), "The current password is not right.", "not it at all");
    await details.getByLabel("Current password").fill(FIRST);
    await save.click();
    await expectRefused(
      details.getByLabel("Username"),
      "This username is taken. Choose another.",
      E2E_USERNAME.toUpperCase(),
    );
    await password.getByLabel("New password").fill("password123");
    await password.getByLabel("Current password").fill("not it either");
    await change.click();
    await expectRefused(password.getByLabel("Current password"), "The current password is not right.", "not it either");
    await password.getByLabel("Current password").fill(FIRST);
    await change.click();
    await expectRefused(
      password.getByLabel("New password"),
      "This password is one of the most common ones. Choose another.",
      "password123",
    );
    await expect(password.getByLabel("Current password")).toHaveValue(FIRST);
  });

  await test.step("the page is accessible with these errors, in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  });

  await test.step("leaving with unsaved changes asks first", async () => {
    await page.getByRole("link", { name: "Home" }).first().click();
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(details.getByLabel("Username")).toHaveValue(E2E_USERNAME.toUpperCase());
    await details.getByLabel("Username").fill(after);
  });

  await test.step("a new password signs out the other device at its next request, but not this one", async () => {
    const device = await browser.newContext({ baseURL: E2E_BASE_URL });
    const elsewhere = await device.newPage();
    await openPage(elsewhere, "/auth");
    await elsewhere.getByLabel("Username").fill(after);
    await elsewhere.getByLabel("Password", { exact: true }).fill(FIRST);
    await elsewhere.getByRole("button", { name: "Login" }).click();
    await expect(elsewhere.getByRole("heading", { name: `Welcome, ${after}` })).toBeVisible();

    await password.getByLabel("New password").fill(SECOND);
    await change.click();
    await expectMessage(page, "Password changed");
    await expectMessage(page, "Every other device was signed out.");
    for (const label of ["New password", "Current password"]) await expect(password.getByLabel(label)).toHaveValue("");
    await expect(page.getByRole("listitem").filter({ hasText: "Password changed" }).first()).toBeVisible();

    await elsewhere.getByRole("link", { name: "Settings" }).first().click();
    await expect(elsewhere).toHaveURL(/\/auth/);
    expect((await device.request.get("/api/user")).status()).toBe(401);
    await device.close();
    await page.reload();
    await expect(details.getByLabel("Username")).toHaveValue(after);
    expect((await context.request.get("/api/user")).status()).toBe(200);
    expect(await mailTo(newEmail, "Your password was changed")).toContain("Every other device was signed out");
    expect([await signIn(after, FIRST), await signIn(after, SECOND)]).toEqual([401, 200]);
  });

  /** The status of a sign-in from another browser. */
  async function signIn(username: string, secret: string): Promise<number> {
    const other = await browser.newContext({ baseURL: E2E_BASE_URL });
    const data = { username, password: secret };
    const answer = await other.request.post("/api/login", { headers: { origin: E2E_BASE_URL }, data });
    await other.close();
    return answer.status();
  }
});

async function expectRefused(field: Locator, sentence: string, typed: string): Promise<void> {
  // The hint follows it.
  await expect(field).toHaveAccessibleDescription(new RegExp(`^${sentence.replaceAll(/[.?()]/g, "\\$&")}`));
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(typed);
}
