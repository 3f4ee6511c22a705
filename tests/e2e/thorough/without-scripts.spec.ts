import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { e2eQuery, PASSWORD, registerUser } from "@/tests/support/e2e-user";

const { E2E_BASE_URL = "" } = process.env;
/** Another port is another origin, but the same site: the browser sends the session's cookie along. */
const NEIGHBOUR = "http://localhost:49998";

test.use({ javaScriptEnabled: false });

/** Registers an account and signs out. */
async function newAccount(context: BrowserContext): Promise<string> {
  const username = `scriptless.${Date.now()}`;
  await registerUser(context, username);
  await context.clearCookies();
  return username;
}

async function send(page: Page, button: "Login" | "Register", fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: button }).click();
  return answered;
}

const where = (page: Page) => page.url().replace(E2E_BASE_URL, "");
const token = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name.endsWith("session"))?.value;

/** The form with the password, not the one for Google. */
const loginForm = (page: Page) => page.locator("form", { has: page.getByLabel("Username") });

test("shows login errors in the page, then leads to the page asked for", async ({ page, context }) => {
  const username = await newAccount(context);
  await page.goto("/settings");
  expect(where(page)).toBe("/auth?next=%2Fsettings");

  const refused = await send(page, "Login", { Username: username, Password: "not it at all" });
  expect(refused.status()).toBe(200);
  const alert = page.getByRole("alert").filter({ hasText: "Login failed" });
  await expect(alert).toContainText("The username or password is not right. Check both, then try again.");
  await expect(page.getByLabel("Username")).toHaveValue(username);
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/^That username and password do not match\./);
  expect(await refused.text()).not.toContain("not it at all");
  expect(await token(context)).toBeUndefined();

  const empty = await send(page, "Login", { Username: "", Password: "" });
  expect(empty.status()).toBe(200);
  await expect(page.getByLabel("Username")).toHaveAccessibleDescription(/^This field is required\./);
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/^This field is required\./);

  expect((await send(page, "Login", { Username: username, Password: PASSWORD })).status()).toBe(303);
  await expect(page.getByRole("heading", { name: "API Settings" })).toBeVisible();
  expect(where(page)).toBe("/settings");
});

test("opens the Register tab at an address of its own, and signs in after registering", async ({ page, context }) => {
  const taken = await newAccount(context);
  await page.goto("/auth?next=%2Fcontent");
  await page.getByRole("tab", { name: "Register" }).click();
  expect(where(page)).toBe("/auth?tab=register&next=%2Fcontent");
  await expect(page.getByRole("tab", { name: "Register" })).toHaveAttribute("aria-selected", "true");

  await send(page, "Register", { Username: taken.toUpperCase(), Email: "maren@example.com", Password: PASSWORD });
  const alert = page.getByRole("alert").filter({ hasText: "Registration failed" });
  await expect(alert).toContainText("This username is taken. Choose another.");
  await expect(page.getByLabel("Username")).toHaveAccessibleDescription(/^This username is taken\. Choose another\./);
  await expect(page.getByLabel("Username")).toHaveValue(taken.toUpperCase());
  await expect(page.getByLabel("Email")).toHaveValue("maren@example.com");
  await expect(page.getByLabel("Password")).toHaveValue("");

  const free = `${taken}.free`;
  await send(page, "Register", { Username: free, Email: `${free}@Example.com`, Password: PASSWORD });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(where(page)).toBe("/content");
  const [made] = await e2eQuery("SELECT email FROM users WHERE username = $1", [free]);
  expect(made).toEqual({ email: `${free}@example.com` });

  await page.goto("/auth?next=%2Fsettings");
  expect(where(page)).toBe("/settings");
});

test("leads to the projects when `next` points to another site or the API", async ({ page, context }) => {
  const username = await newAccount(context);
  for (const next of [
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "/api/user",
    "javascript:alert(1)",
  ]) {
    await context.clearCookies();
    // The target is in the address, which the page writes into its form…
    await page.goto(`/auth?next=${encodeURIComponent(next)}`);
    await expect(loginForm(page).locator("input[name=next]")).toHaveValue("/");
    // …and in the form itself, as a forged form would have it.
    await loginForm(page)
      .locator("input[name=next]")
      .evaluate((input, value) => input.setAttribute("value", value), next);
    const answer = await send(page, "Login", { Username: username, Password: PASSWORD });
    expect([next, answer.status(), await answer.headerValue("location")]).toEqual([next, 303, "/"]);
    await page.waitForURL(`${E2E_BASE_URL}/`);
    expect((await context.request.get("/api/user")).status()).toBe(200);
  }
});

test("refuses a form that is too large with a sentence, and survives an incomplete one", async ({ request }) => {
  const headers = { origin: E2E_BASE_URL };
  const large = await request.post("/auth", { headers, multipart: { username: "x".repeat(5_000_000) } });
  expect([large.status(), await large.text()]).toEqual([413, "This is too large to save. Shorten it, then try again."]);
  expect((await request.post("/auth", { headers, multipart: { username: "maren" } })).status()).toBeLessThan(500);
});

test("lets a form on another origin's page neither sign in nor sign out", async ({ page, context }) => {
  const username = await newAccount(context);
  await page.goto("/auth");
  const form = await loginForm(page).evaluate((one) => one.outerHTML);
  await registerUser(context, `${username}.victim`);
  const before = await token(context);
  const body = form.replace('action=""', `action="${E2E_BASE_URL}/auth"`);
  for (const referrer of ["origin", "no-referrer"]) {
    const html = `<!doctype html><meta name="referrer" content="${referrer}">${body}`;
    await page.unroute(`${NEIGHBOUR}/**`);
    await page.route(`${NEIGHBOUR}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto(`${NEIGHBOUR}/prize`);
    const answer = await send(page, "Login", { Username: username, Password: PASSWORD });
    expect(await answer.request().headerValue("origin")).toBe(referrer === "origin" ? NEIGHBOUR : "null");
    expect(answer.status()).toBeGreaterThanOrEqual(400);
    expect(await answer.headerValue("set-cookie")).toBeNull();
  }
  expect(await token(context)).toBe(before);
  const who = (await (await context.request.get("/api/user")).json()) as { username: string };
  expect(who.username).toBe(`${username}.victim`);
});

test("sends a password-reset link from a page of its own", async ({ page }) => {
  await page.goto("/auth");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  expect(where(page)).toBe("/auth/forgot");
  await page.getByLabel("Email").fill("nowhere");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Password reset failed" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/^Please enter a valid email address/);
  await expect(page.getByLabel("Email")).toHaveValue("nowhere");
  await page.getByLabel("Email").fill(`nobody.${Date.now()}@example.com`);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByRole("alert")).toContainText("Password reset email sent");
  await page.getByRole("link", { name: "Back to sign in" }).click();
  expect(where(page)).toBe("/auth");
  // The page behind the mailed link needs JavaScript, and says so.
  await page.goto("/auth/reset#token=none");
  await expect(page.getByText(/^Setting a new password needs JavaScript/)).toBeVisible();
});
