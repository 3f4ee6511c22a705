import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, PASSWORD, registerUser } from "@/tests/support/e2e-user";
import { type OpenIdProvider, startOpenIdProvider } from "@/tests/support/openid-provider";
import { mailTo } from "@/tests/support/outbox";

const { E2E_BASE_URL = "", E2E_GOOGLE_ISSUER = "" } = process.env;

let google: OpenIdProvider;
test.beforeAll(async () => {
  google = await startOpenIdProvider({ port: Number(new URL(E2E_GOOGLE_ISSUER).port), appUrl: E2E_BASE_URL });
});
test.afterAll(() => google.close());

let people = 0;
const newEmail = (name: string) => `${name}.${Date.now()}${++people}@google.example`;

/** Fills in the sample Google page and submits it. */
async function answerGoogle(page: Page, email: string, { confirmed = true, choice = "Continue" } = {}): Promise<void> {
  await expect(page.getByRole("heading", { name: "Sample Google" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Confirmed").setChecked(confirmed);
  await page.getByRole("button", { name: choice }).click();
}

async function beginWithGoogle(page: Page, path = "/auth"): Promise<void> {
  await openPage(page, path);
  await page.getByRole("button", { name: "continue with Google" }).click();
}

/** Connects Google in the settings, with the password. */
async function connectGoogle(page: Page): Promise<void> {
  await openPage(page, "/settings");
  await page.getByRole("button", { name: "Connect Google" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect Google" });
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue to Google" }).click();
}

async function sessionCookie(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find(({ name }) => name === "session")?.value;
}

/** Registers a signed-in user with a password and this address; `verified` marks the address as confirmed. */
async function userWithEmail(context: BrowserContext, email: string, verified: boolean): Promise<string> {
  const id = await registerUser(context, email.split("@")[0] ?? "");
  await e2eQuery("UPDATE users SET email = $2, email_verified = $3 WHERE id = $1", [
    id,
    email,
    verified ? new Date() : null,
  ]);
  return id;
}

const accountsOf = (id: string) =>
  e2eQuery("SELECT provider, provider_account_id FROM accounts WHERE user_id = $1", [id]);

/** Leaves the page first: it would notice, and go to the sign-in page just when the next page opens. */
async function signOut(page: Page, context: BrowserContext): Promise<void> {
  await page.goto("about:blank");
  await callApi(context, "POST", "/api/logout");
}

test("creates an account with a free username at the first sign-in, finds it later, and returns to the page asked for", async ({
  page,
  context,
}) => {
  const email = newEmail("maren");
  await registerUser(context, email.split("@")[0] ?? "");
  await context.clearCookies();
  await page.goto("/queue-monitor");
  await expect(page).toHaveURL(/\/auth\?next=/);
  await page.getByRole("button", { name: "continue with Google" }).click();
  await answerGoogle(page, email);
  await expect(page.getByRole("heading", { name: "Queue Monitor" })).toBeVisible();
  const user = await callApi<{ id: string; username: string; email: string }>(context, "GET", "/api/user");
  expect(user).toMatchObject({ email, username: expect.stringMatching(/^maren\.\d+-[0-9a-f]{6}$/) });
  expect(await accountsOf(user.id)).toEqual([{ provider: "google", provider_account_id: email }]);
  const [row] = await e2eQuery("SELECT password, email_verified FROM users WHERE id = $1", [user.id]);
  expect(row).toEqual({ password: null, email_verified: expect.any(Date) });

  await test.step("the session endpoint exposes neither token nor hash", async () => {
    const session = await context.request.get("/api/auth/session");
    expect(Object.keys(await session.json()).sort()).toEqual(["expires", "user"]);
    expect((await session.json()).user).toEqual({ name: email.split("@")[0] });
    const [stored] = await e2eQuery<{ session_token: string }>(
      "SELECT session_token FROM sessions WHERE user_id = $1",
      [user.id],
    );
    const token = await sessionCookie(context);
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const secret of [token ?? "-", stored?.session_token ?? "-", "$argon2"]) {
      expect(await session.text()).not.toContain(secret);
    }
    expect(stored?.session_token).not.toBe(token);
  });

  await test.step("signing out and in again opens a new session of the same account", async () => {
    const before = await sessionCookie(context);
    await signOut(page, context);
    await beginWithGoogle(page);
    await expect(page.getByRole("heading", { name: `Welcome, ${user.username}` })).toBeVisible();
    expect(await callApi(context, "GET", "/api/user")).toMatchObject({ id: user.id });
    expect(await sessionCookie(context)).not.toBe(before);
  });
});

test("links an existing account when both sides have verified its address", async ({ page, context }) => {
  const email = newEmail("joined");
  const id = await userWithEmail(context, email, true);
  await context.clearCookies();
  await beginWithGoogle(page);
  await answerGoogle(page, email);
  await expect(page.getByRole("heading", { name: /^Welcome, joined/ })).toBeVisible();
  expect(await callApi(context, "GET", "/api/user")).toMatchObject({ id });
  expect(await accountsOf(id)).toHaveLength(1);
});

test("connects an account with an unverified address only in the settings, and disconnects it there", async ({
  page,
  context,
}) => {
  const email = newEmail("connected");
  const id = await userWithEmail(context, email, false);
  const device = await context.storageState();
  await context.clearCookies();
  await test.step("signing in with Google does not link it by address", async () => {
    await beginWithGoogle(page, "/auth?next=/content");
    await answerGoogle(page, email);
    await expectMessage(page, "Authentication failed");
    await expectMessage(
      page,
      "An account with this e-mail exists: sign in with your password and connect Google in Settings",
    );
    await expect(page).toHaveURL("/auth?next=%2Fcontent");
    expect(await accountsOf(id)).toEqual([]);
    expect((await context.request.get("/api/user")).status()).toBe(401);
  });

  await context.addCookies(device.cookies);
  const before = await sessionCookie(context);
  await test.step("connecting in the settings asks for the password", async () => {
    await openPage(page, "/settings");
    await page.getByRole("button", { name: "Connect Google" }).click();
    const dialog = page.getByRole("dialog", { name: "Connect Google" });
    await dialog.getByLabel("Current password").fill("not it at all");
    await dialog.getByRole("button", { name: "Continue to Google" }).click();
    await expect(dialog.getByText("The current password is not right.")).toBeVisible();
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue to Google" }).click();
    await expectMessage(page, "Google is connected. You can sign in with it from now on.");
    await expect(page).toHaveURL("/settings");
    expect(await accountsOf(id)).toHaveLength(1);
    expect(await sessionCookie(context)).toBe(before);
    expect(await mailTo(email, "Google was connected")).toContain("If this was not you");
  });

  await test.step("Google then signs in to the same account", async () => {
    await signOut(page, context);
    await beginWithGoogle(page);
    await expect(page.getByRole("heading", { name: /^Welcome, connected/ })).toBeVisible();
    expect(await callApi(context, "GET", "/api/user")).toMatchObject({ id });
  });

  await test.step("disconnecting asks for the password", async () => {
    await openPage(page, "/settings");
    await page.getByRole("button", { name: "Disconnect Google" }).click();
    const dialog = page.getByRole("dialog", { name: "Disconnect Google" });
    await dialog.getByLabel("Current password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Disconnect Google" }).click();
    await expectMessage(page, "Google is disconnected. Sign in with your password from now on.");
    await expect(page.getByRole("button", { name: "Connect Google" })).toBeVisible();
    expect(await accountsOf(id)).toEqual([]);
  });
});

test("cancelled, refused, taken too long, not confirmed, disabled, and Google down: each has its sentence", async ({
  page,
  context,
}) => {
  const expectSentence = async (sentence: RegExp) => {
    await expectMessage(page, "Authentication failed");
    await expectMessage(page, sentence);
    await expect(page).toHaveURL("/auth");
    expect((await context.request.get("/api/user")).status()).toBe(401);
    await context.clearCookies();
  };
  const email = newEmail("unlucky");
  await beginWithGoogle(page);
  await answerGoogle(page, email, { choice: "Cancel" });
  await expectSentence(/^The sign-in with Google was cancelled/);

  await beginWithGoogle(page);
  await answerGoogle(page, email, { choice: "Refuse" });
  await expectSentence(/^Google refused the sign-in/);

  await beginWithGoogle(page);
  await expect(page.getByRole("heading", { name: "Sample Google" })).toBeVisible();
  await context.clearCookies({ name: /next-auth\.state/ });
  await answerGoogle(page, email);
  await expectSentence(/^This sign-in with Google took too long or was started in another window/);

  await beginWithGoogle(page);
  await expect(page.getByRole("heading", { name: "Sample Google" })).toBeVisible();
  const window = await context.newPage();
  await beginWithGoogle(window);
  await expect(window.getByRole("heading", { name: "Sample Google" })).toBeVisible();
  await window.close();
  await answerGoogle(page, email);
  await expectSentence(/^This sign-in with Google took too long or was started in another window/);

  await beginWithGoogle(page);
  await answerGoogle(page, email, { confirmed: false });
  await expectSentence(/^Google has not confirmed your e-mail address/);

  await beginWithGoogle(page);
  google.failTokens(503);
  await answerGoogle(page, email);
  await expectSentence(/^Google could not be reached/);
  google.failTokens(401);
  await beginWithGoogle(page);
  await answerGoogle(page, email);
  await expectSentence(/^Google refused the sign-in/);
  google.failTokens(undefined);

  await google.down();
  await beginWithGoogle(page);
  await expectSentence(/^Google could not be reached/);
  await google.up();

  expect(await e2eQuery("SELECT id FROM users WHERE email = $1", [email])).toEqual([]);
  const id = await userWithEmail(context, email, true);
  await e2eQuery("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
  await context.clearCookies();
  await beginWithGoogle(page);
  await answerGoogle(page, email);
  await expectSentence(/^An account with this e-mail exists|^This account has been disabled/);
});

test("replaces another user's session in this browser without linking their account", async ({
  page,
  context,
  browser,
}) => {
  const email = newEmail("second");
  await openPage(page, "/auth");
  const first = await registerUser(context, `first.${Date.now()}`);
  const device = await context.storageState();
  await page.getByRole("button", { name: "continue with Google" }).click();
  await answerGoogle(page, email);
  await expect(page.getByRole("heading", { name: /^Welcome, second/ })).toBeVisible();
  expect(await accountsOf(first)).toEqual([]);
  const old = await browser.newContext({ storageState: device, baseURL: E2E_BASE_URL });
  expect((await old.request.get("/api/user")).status()).toBe(401);
  await old.close();
});

test("connects neither another user's Google account nor a forged callback", async ({ page, context }) => {
  const email = newEmail("taken");
  await beginWithGoogle(page);
  await answerGoogle(page, email);
  await expect(page.getByRole("heading", { name: /^Welcome, taken/ })).toBeVisible();
  await signOut(page, context);
  const id = await registerUser(context, `other.${Date.now()}`);

  await connectGoogle(page);
  await expectMessage(page, "That Google account is connected to another account here. Disconnect it there first.");
  await expect(page).toHaveURL("/settings");
  expect(await accountsOf(id)).toEqual([]);

  // A session without the password is not enough to forge the intent to connect.
  const [header, , signature] = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl".split(".");
  const claims = Buffer.from(JSON.stringify({ sub: id, purpose: "connect", exp: 4_000_000_000 })).toString("base64url");
  await context.addCookies([
    { name: "google-intent", value: `${header}.${claims}.${signature}`, url: E2E_BASE_URL, httpOnly: true },
  ]);
  const attempt = await context.request.get("/api/auth/callback/google?code=x&state=y", { maxRedirects: 0 });
  expect(attempt.headers().location).toMatch(/^\/auth\?error=State/);
  expect(await accountsOf(id)).toEqual([]);
});

test("reports a session that ends during the Google sign-in on the sign-in page", async ({ page, context }) => {
  const id = await registerUser(context, `ended.${Date.now()}`);
  await connectGoogle(page);
  await expect(page.getByRole("heading", { name: "Sample Google" })).toBeVisible();
  await e2eQuery("DELETE FROM sessions WHERE user_id = $1", [id]);
  await answerGoogle(page, newEmail("late"));
  await expectMessage(page, /^Your session ended before Google answered/);
  await expect(page).toHaveURL("/auth?next=%2Fsettings");
  expect(await accountsOf(id)).toEqual([]);
});

test("keeps the page and what was typed while offline", async ({ page, context }) => {
  await openPage(page, "/auth");
  await page.getByLabel("Username").fill("maren.holt");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await expectMessage(page, "You seem to be offline. Check your connection, then try again.");
  await expect(page.getByLabel("Username")).toHaveValue("maren.holt");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await expect(page.getByRole("heading", { name: "Sample Google" })).toBeVisible();
});

test("lets a user without a password confirm changes with Google", async ({ page, context }) => {
  const email = newEmail("again");
  await beginWithGoogle(page);
  await answerGoogle(page, email);
  await expect(page.getByRole("heading", { name: /^Welcome, again/ })).toBeVisible();
  const { id } = await callApi<{ id: string }>(context, "GET", "/api/user");
  await e2eQuery("UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1", [id]);
  const stale = await context.request.patch("/api/user", {
    headers: { origin: E2E_BASE_URL },
    data: { password: PASSWORD },
  });
  expect([stale.status(), (await stale.json()).error]).toEqual([400, expect.stringContaining("fresh sign-in")]);

  await openPage(page, "/settings");
  await page.getByRole("button", { name: "Disconnect Google" }).click();
  await expectMessage(page, /^Set a password first/);
  await page.getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("button", { name: "Sign in with Google again" }).first().click();
  await expect(page).toHaveURL("/settings");
  await expect(async () => {
    const fresh = await context.request.patch("/api/user", {
      headers: { origin: E2E_BASE_URL },
      data: { password: PASSWORD },
    });
    expect(fresh.status()).toBe(200);
  }).toPass();
  expect(await e2eQuery("SELECT id FROM sessions WHERE user_id = $1", [id])).toHaveLength(1);
});

test("signs in with Google without scripts", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: E2E_BASE_URL });
  const page = await context.newPage();
  await page.goto("/auth?next=/settings");
  await page.getByRole("button", { name: "continue with Google" }).click();
  await answerGoogle(page, newEmail("plain"));
  await expect(page).toHaveURL("/settings");
  await page.goto("/auth?error=Cancelled");
  await context.clearCookies();
  await page.goto("/auth?error=Cancelled");
  await expect(page.getByText(/^The sign-in with Google was cancelled/)).toBeVisible();
  await context.close();
});
