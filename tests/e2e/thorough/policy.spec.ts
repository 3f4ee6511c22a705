import { type APIRequestContext, expect, type Page, test } from "@playwright/test";
import { watchPolicy } from "@/tests/support/policy-watch";

const { E2E_BASE_URL = "", E2E_USERNAME = "", E2E_PASSWORD = "" } = process.env;

async function signIn(page: Page) {
  await page.goto("/auth");
  await page.getByLabel("Username").fill(E2E_USERNAME);
  await page.getByLabel("Password", { exact: true }).fill(E2E_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();
}

/** Creates a piece in the demo's project. */
async function newPiece({ request }: Page): Promise<{ projectId: number; pieceId: string }> {
  // The oldest is the demo's own; other tests add theirs on top.
  const project = ((await (await request.get("/api/projects")).json()) as { id: number }[]).at(-1);
  const [topic] = (await (await request.get(`/api/projects/${project?.id}/topics`)).json()) as { id: number }[];
  const made = await request.post(`/api/projects/${project?.id}/topics/${topic?.id}/content`, {
    headers: { origin: E2E_BASE_URL },
    data: { title: "A piece under policy", body: "## Heading\n\nText with a [link](https://example.com)." },
  });
  expect(made.status()).toBe(201);
  return { projectId: project?.id ?? 0, pieceId: ((await made.json()) as { id: string }).id };
}

test("keeps to the policy on every screen, in light and dark (S14)", async ({ page }) => {
  test.setTimeout(180_000);
  const violations = await watchPolicy(page);
  let screens = 0;
  async function look(path: string, explore: () => Promise<unknown> = async () => undefined) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await expect(page.locator("main").first()).toBeVisible();
      await explore();
      expect([path, colorScheme, violations]).toEqual([path, colorScheme, []]);
      screens++;
    }
  }
  const close = () => page.keyboard.press("Escape");

  await look("/auth", async () => {
    await page.getByRole("button", { name: "Forgot password?" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  });
  await look("/auth/forgot");
  await look("/auth/reset#token=none");
  await look("/nowhere-signed-out");
  await signIn(page);
  const { projectId, pieceId } = await newPiece(page);
  await look("/", async () => {
    await page.getByRole("button", { name: "New Project" }).first().click();
    await page.getByRole("dialog").getByLabel("Title").fill("Made under policy");
    await page.getByRole("dialog").getByRole("button", { name: "Create Project" }).click();
    await expect(page.getByText("Project created successfully")).toBeVisible();
    await page.getByRole("link", { name: "Back to Projects" }).click();
    await page
      .getByRole("button", { name: /^Delete/ })
      .first()
      .click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await close();
  });
  await look(`/projects/${projectId}`, async () => {
    await page.getByRole("button", { name: "Create Content Ideas" }).click();
    await page.getByRole("dialog").getByRole("combobox").click();
    await close();
    await close();
    await page.getByRole("button", { name: "Add Topic" }).first().click();
    await close();
  });
  await look("/content", async () => {
    const group = page.locator("main").getByRole("button", { expanded: false });
    if ((await group.count()) > 0) await group.first().click();
  });
  await look(`/content/${pieceId}`, async () => {
    for (const tab of ["Preview", "SEO Assistant", "Edit"]) await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("button", { name: "Revision history" }).click();
    await close();
  });
  await look("/wordpress-publishing");
  await look(`/wp-publishing/${projectId}`, async () => {
    await page.getByRole("button", { name: "Publish with Category" }).first().click();
    await page.getByLabel("Category").click();
    await close();
    await close();
    await page.getByRole("tab", { name: "All Content" }).click();
  });
  await look("/queue-monitor", () => page.getByRole("button", { name: "Refresh" }).click());
  await look("/settings", () => page.getByRole("button", { name: "Test connection" }).click());
  await look("/nowhere");
  await look("/projects/999999");
  await look("/content/00000000-0000-4000-8000-000000000000");
  console.log(`S14: ${screens} screens, 0 violations`);
});

const EVERY = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
};

async function headersOf(request: APIRequestContext, path: string) {
  const response = await request.get(path, { maxRedirects: 0 });
  return { status: response.status(), headers: response.headers(), text: await response.text() };
}

test("sends the security headers with every response, and gives every script its page's nonce", async ({ page }) => {
  await signIn(page);
  const { projectId, pieceId } = await newPiece(page);
  const pages = [
    "/",
    `/projects/${projectId}`,
    "/content",
    `/content/${pieceId}`,
    "/wordpress-publishing",
    `/wp-publishing/${projectId}`,
    "/queue-monitor",
    "/settings",
    "/nowhere",
    "/projects/999999",
    "/auth/reset",
  ];
  const nonces = new Set<string>();
  for (const path of pages) {
    const { status, headers, text } = await headersOf(page.request, path);
    expect([path, status < 500]).toEqual([path, true]);
    expect(headers).toMatchObject(EVERY);
    expect(headers).not.toHaveProperty("strict-transport-security");
    const policy = headers["content-security-policy"] ?? "";
    for (const part of [
      "default-src 'self'",
      "'strict-dynamic'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' https: data:",
      "object-src 'none'",
      "base-uri 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect([path, policy]).toEqual([path, expect.stringContaining(part)]);
    }
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const scripts = text.match(/<script\b[^>]*>/g) ?? [];
    expect([path, scripts.length > 0]).toEqual([path, true]);
    for (const script of scripts) expect([path, script]).toEqual([path, expect.stringContaining(`nonce="${nonce}"`)]);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(pages.length);

  const calls = [
    "user",
    "projects",
    "health",
    "openapi.json",
    "content/nothing",
    "auth/session",
    "auth/csrf",
    "inngest",
  ];
  for (const path of calls) {
    const { headers } = await headersOf(page.request, `/api/${path}`);
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({ ...EVERY, "cache-control": expect.stringContaining("no-store") }),
    ]);
  }
  const redirect = await page.context().browser()?.newContext({ baseURL: E2E_BASE_URL });
  if (!redirect) throw new Error("no browser");
  const visitor = await headersOf(redirect.request, "/settings");
  expect(visitor).toMatchObject({ status: 307, headers: { ...EVERY, location: "/auth?next=%2Fsettings" } });
  await redirect.close();
});
