import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { addSiteCategories, connectSite, e2eQuery, PASSWORD, registerUser } from "@/tests/support/e2e-user";
import { scriptPayloads } from "@/tests/support/payloads";
import { watchPolicy } from "@/tests/support/policy-watch";

// Unusual pages and responses: errors, missing pages, static files, and forms and links from other sites.

const { E2E_BASE_URL = "" } = process.env;

/** Renames the table meanwhile, so that every screen that needs it fails unexpectedly. */
async function without(table: string, work: () => Promise<void>): Promise<void> {
  await e2eQuery(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  await work().finally(() => e2eQuery(`ALTER TABLE ${table}_away RENAME TO ${table}`));
}

/** React has hydrated the page, so its scripts were allowed to run. */
async function expectAlive(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const main = document.querySelector("main");
        return main !== null && Object.keys(main).some((key) => key.startsWith("__reactFiber$"));
      }),
    )
    .toBe(true);
}

test("error and not-found pages work under the policy, in light and dark (S14)", async ({ page, context }) => {
  test.setTimeout(120_000);
  const violations = await watchPolicy(page);
  await registerUser(context, `edges.${Date.now()}`);
  let screens = 0;
  async function look(where: string, heading: string | RegExp): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const response = await page.goto(where);
      await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
      const nonce = /'nonce-([^']+)'/.exec(response?.headers()["content-security-policy"] ?? "")?.[1] ?? "none";
      const scripts = (await response?.text())?.match(/<script\b[^>]*>/g) ?? [];
      expect([where, scripts.length > 0]).toEqual([where, true]);
      for (const script of scripts) expect([where, script]).toEqual([where, expect.stringContaining(nonce)]);
      await expectAlive(page);
      expect([where, colorScheme, violations]).toEqual([where, colorScheme, []]);
      screens++;
    }
  }

  for (const where of ["/nowhere", "/%", "/auth/nowhere", "/robots.txt-and-more"])
    await look(where, "404 Page Not Found");
  await look("/content/%ff", "Content not found");

  await test.step("an error on a page keeps the shell, and trying again recovers", async () => {
    await without("projects", () => look("/", "Something went wrong"));
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();
  });

  await test.step("an error in the shell replaces the whole page, and trying again recovers", async () => {
    await without("sessions", () => look("/settings", "Something went wrong"));
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Profile Settings" })).toBeVisible();
  });

  await context.clearCookies();
  await look("/auth/nowhere", /./);
  expect(violations).toEqual([]);
  process.stdout.write(`S14: ${screens} error and not-found screens, 0 violations\n`);
});

test("the policy watch reports a violation", async ({ page }) => {
  const violations = await watchPolicy(page);
  await page.goto("/auth");
  await page.evaluate(() => {
    const image = document.createElement("img");
    image.setAttribute("onerror", "window.__planted = true");
    image.src = "/nothing.png";
    document.body.append(image);
  });
  await expect.poll(() => violations.length).toBeGreaterThan(0);
  expect(await page.evaluate(() => "__planted" in window)).toBe(false);
});

test("plain files and missing ones run nothing and cannot be framed (S14)", async ({ page, context }) => {
  const username = `files.${Date.now()}`;
  await registerUser(context, username);
  const built = readdirSync(".next/static/chunks", { recursive: true, encoding: "utf8" });
  const files = [".js", ".css"].map((ending) => {
    const file = built.find((name) => name.endsWith(ending) && !name.startsWith("turbopack-worker-")) ?? "";
    return `/_next/static/chunks/${file.split(path.sep).join("/")}`;
  });
  const plugin = "/wordpress/content-planner-fields.php";
  const paths = [...files, plugin, "/icon.svg", "/favicon.ico", "/manifest.webmanifest", "/robots.txt"];
  for (const where of [...paths, "/_next/static/nothing.js", "/_next/image?url=%2Fnothing.png&w=64&q=75"]) {
    const answer = await page.request.get(where);
    expect([where, answer.ok()]).toEqual([where, paths.includes(where)]);
    expect([where, answer.headers()]).toEqual([
      where,
      expect.objectContaining({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      }),
    ]);
  }

  // A worker may load its own chunks and nothing else, and cannot be framed either.
  for (const name of [built.find((name) => name.startsWith("turbopack-worker-")), "turbopack-worker-none.js"]) {
    const headers = (await page.request.get(`/_next/static/chunks/${name}`)).headers();
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "content-security-policy": "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
    });
  }

  // A missing file gets the app's own page, with the username in it: other sites must not frame that.
  await page.goto("/_next/static/nothing.js");
  expect(await page.content()).toContain(username);
  await page.route("**/neighbour", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: ["/_next/static/nothing.js", "/robots.txt-and-more", "/settings", "/api/auth/signout"]
        .map((src) => `<iframe src="${src}"></iframe>`)
        .join(""),
    }),
  );
  await page.goto("/neighbour");
  await page.waitForLoadState("load");
  const framed = () =>
    page
      .frames()
      .slice(1)
      .map((frame) => new URL(frame.url()).protocol);
  await expect.poll(framed).toEqual(Array(4).fill("chrome-error:"));
});

test("answers 404, not 500, to a path that cannot be decoded (S4)", async ({ context }) => {
  const { request } = context;
  await registerUser(context, `paths.${Date.now()}`);
  for (const where of ["/api/content/%ff", "/api/projects/%", "/api/%E0%A4%A", "/api/queue/jobs/%c0%ae"]) {
    const answer = await request.get(where);
    expect([where, answer.status(), await answer.json()]).toEqual([
      where,
      404,
      {
        type: "NOT_FOUND",
        error: "This was not found. It may have been deleted.",
        requestId: answer.headers()["x-request-id"],
      },
    ]);
  }
  for (const where of ["/content/%ff", "/projects/%", "/auth/%c0%ae"])
    expect([where, (await request.get(where)).status()]).toEqual([where, 404]);
  // A path that looks like a host name never redirects to another site.
  for (const where of ["//canary.invalid/%ff", "/\\canary.invalid/%ff", "/%5ccanary.invalid/%ff"]) {
    const answer = await request.fetch(E2E_BASE_URL + where, { maxRedirects: 0 });
    const to = new URL(answer.headers().location ?? "/", E2E_BASE_URL);
    expect([where, to.origin]).toEqual([where, E2E_BASE_URL]);
  }
});

type Manifest = { node: Record<string, { exportedName: string; workers: Record<string, unknown> }> };

test("what Next would answer with 500 is refused with a sentence (S4)", async ({ request }) => {
  const origin = E2E_BASE_URL;
  const action = Object.entries(
    (JSON.parse(readFileSync(".next/server/server-reference-manifest.json", "utf8")) as Manifest).node,
  ).find(([, { exportedName }]) => exportedName === "signInAction")?.[0];
  /** Sent in chunks, without Content-Length: Playwright's own requests always have one. */
  const chunked = (headers: Record<string, string>, body: string) =>
    fetch(`${E2E_BASE_URL}/auth`, {
      method: "POST",
      headers: { origin, ...headers },
      body: new Blob([body]).stream(),
      duplex: "half",
    } as RequestInit);
  const asAction = { "next-action": action ?? "", "content-type": "text/plain;charset=UTF-8" };
  const multipart = { "content-type": "multipart/form-data; boundary=x" };
  const large = "a".repeat(3_000_000);

  for (const [headers, body, status] of [
    [asAction, large, 413],
    [multipart, large, 413],
    [multipart, "abc", 400],
    [{ "content-type": "multipart/form-data" }, "abc", 400],
    [{ ...asAction, origin: "https://evil.example" }, "[]", 403],
    [asAction, JSON.stringify([{ username: "nobody.here", password: PASSWORD }]), 200],
  ] as const) {
    const answer = await chunked(headers, body);
    expect([headers, answer.status]).toEqual([headers, status]);
    if (status !== 200) expect(await answer.text()).toMatch(/^[A-Z][^<>]+\.$/);
  }
  for (const [method, where, allow] of [
    ["PUT", "/icon.svg", "GET, HEAD"],
    ["POST", "/robots.txt", "GET, HEAD"],
    ["PUT", "/api/projects", "GET, POST, HEAD, OPTIONS"],
  ] as const) {
    const answer = await request.fetch(where, { method });
    expect([where, answer.status(), answer.headers().allow]).toEqual([where, 405, allow]);
  }
  for (const query of [
    "",
    "?url=%2Fnothing.png&w=64&q=75",
    "?url=%2F%25ff.png&w=64&q=75",
    "?url=%2F%E0%A4%A&w=64&q=75",
  ])
    expect([query, (await request.get(`/_next/image${query}`)).status()]).toEqual([query, 404]);
});

test("signing in leads to a page of ours, whatever the link says", async ({ page, context }) => {
  const username = `links.${Date.now()}`;
  await registerUser(context, username);
  const left: string[] = [];
  page.on("dialog", (dialog) => {
    left.push(dialog.message());
    return dialog.dismiss();
  });
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== E2E_BASE_URL && /^https?:/.test(request.url())) left.push(request.url());
  });
  const links = [
    "javascript:alert(1)",
    "https://canary.invalid/",
    "//canary.invalid/",
    "/\\canary.invalid/",
    "/\t/canary.invalid/",
    "\\\\canary.invalid",
    "/%09/canary.invalid",
    "data:text/html,<script>alert(1)</script>",
  ];
  for (const link of links) {
    await context.clearCookies();
    await page.goto(`/auth?next=${encodeURIComponent(link)}`);
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).not.toHaveURL(/\/auth\b/);
    await expect(page.getByRole("navigation").first()).toBeVisible();
    expect([link, new URL(page.url()).origin, left]).toEqual([link, E2E_BASE_URL, []]);
  }
  process.stdout.write(`Sign-in: ${links.length} hostile links, none followed\n`);
});

test("scripts do not run in fallback texts or in the site's categories (S13)", async ({ page, context }) => {
  const ran: unknown[] = [];
  await context.exposeFunction("__ran", (payload: number) => ran.push(payload));
  page.on("dialog", (dialog) => {
    ran.push(dialog.message());
    return dialog.dismiss();
  });
  const payloads = scriptPayloads();
  const userId = await registerUser(context, `blank.${Date.now()}`);
  await connectSite(context);
  const [workspace] = await e2eQuery<{ projectId: number; pieceId: string }>(
    `WITH p AS (INSERT INTO projects (user_id, title) VALUES ($1, 'Blank') RETURNING id),
       t AS (INSERT INTO topics (user_id, project_id, name, description) SELECT $1, id, 'Topic', 'About it' FROM p RETURNING id, project_id),
       c AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
         SELECT $1, project_id, id, 'A piece', 'A body' FROM t RETURNING id, project_id, topic_id),
       r AS (INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline)
         SELECT c.id, n + 1, 'ai', 'A piece', '', p FROM c, unnest($2::text[]) WITH ORDINALITY AS x (p, n)),
       j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, completed_items, completed_at)
         SELECT $1, project_id, topic_id, 'outline_generation', 'completed', 100, 100, now() FROM c RETURNING id, topic_id),
       i AS (INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id, status, note, completed_at)
         SELECT j.id, 'outline_generation', $1, j.topic_id, c.id, 'completed', p, now() FROM j, c, unnest($2::text[]) p)
     SELECT project_id::int AS "projectId", id AS "pieceId" FROM c`,
    [userId, payloads],
  );
  await addSiteCategories(context, payloads);
  let shown = 0;
  async function look(what: string, texts: Locator, least: number): Promise<void> {
    const count = async () => (await texts.allTextContents()).filter((text) => /ran\(|alert|PHNj/.test(text)).length;
    await expect.poll(count, { message: what }).toBeGreaterThanOrEqual(least);
    const found = await count();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    const foreign = await page.evaluate(
      () =>
        document.querySelectorAll(
          "body :is(iframe, object, embed, base, math, marquee, [onerror], [onload], [onfocus], [onclick]), a[href^='javascript' i], a[href^='data:' i], a[href^='vbscript' i]",
        ).length,
    );
    expect([what, foreign, ran]).toEqual([what, 0, []]);
    shown += found;
  }

  await page.goto("/queue-monitor");
  const closed = page.locator("main").getByRole("button", { name: /completed/i, expanded: false });
  await expect(closed).not.toHaveCount(0);
  while ((await closed.count()) > 0) await closed.first().click();
  // Only the rows near the window are there.
  await look("notes of the queue", page.locator("main tr, main li"), 10);

  await page.goto(`/content/${workspace?.pieceId}`);
  await page.getByRole("button", { name: "Revision history" }).click();
  await expect(page.getByRole("dialog").getByText("Outline:").first()).toBeVisible();
  await look("outlines of revisions", page.getByRole("dialog").locator("li"), 30);

  await page.goto(`/wp-publishing/${workspace?.projectId}`);
  await page.getByRole("button", { name: "Publish with Category" }).first().click();
  await page.getByLabel("Category").click();
  await expect(page.getByRole("option").nth(20)).toBeAttached();
  await look("categories of the site", page.getByRole("option"), 20);
  process.stdout.write(`S13: ${shown} queue notes, revision outlines and site categories, 0 run\n`);
});
