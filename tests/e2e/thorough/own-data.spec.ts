import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { parse as parseYaml } from "yaml";
import { callApi, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, PASSWORD, registerUser, userWithShowcase } from "@/tests/support/e2e-user";

const FIREFOX = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:126.0) Gecko/20100101 Firefox/126.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

test("lists devices by name and signs out the others", async ({ page, context, browser }) => {
  const username = `devices.${Date.now()}`;
  await registerUser(context, username);
  const devices = [await signedIn(browser, username, FIREFOX), await signedIn(browser, username, IPHONE)];
  await openPage(page, "/settings");
  const group = page.getByRole("region", { name: "Open sessions" });
  const button = group.getByRole("button", { name: "Sign out everywhere else" });

  await expect(group.getByRole("listitem")).toHaveText([
    /^Chrome on LinuxThis device.*In use now$/,
    /^Safari on iPhoneSigned in .*Last used /,
    /^Firefox on macOSSigned in .*Last used /,
  ]);
  for (const device of devices) await openPage(await device.newPage(), "/settings");

  await button.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere else" }).click();
  await expectMessage(page, "Every other session has ended.");
  await expect(group.getByRole("listitem")).toHaveText([/This device/]);
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toBeFocused();

  for (const device of devices) {
    const [theirs] = device.pages();
    await theirs?.getByRole("link", { name: "Home" }).first().click();
    await expect(theirs as Page).toHaveURL(/\/auth/);
    expect((await device.request.get("/api/user")).status()).toBe(401);
    await device.close();
  }
  await page.reload();
  await expect(group.getByRole("listitem")).toHaveText([/This device/]);
  expect(await callApi(context, "GET", "/api/user")).toMatchObject({ username });
});

test("extends the session and its cookie when a page is opened", async ({ page, context }) => {
  const id = await registerUser(context, `slides.${Date.now()}`);
  const daysLeft = async () => {
    const [cookie] = (await context.cookies()).filter(({ name }) => name.endsWith("session"));
    return ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  };
  await e2eQuery("UPDATE sessions SET expires = now() + interval '5 days' WHERE user_id = $1", [id]);
  const [cookie] = (await context.cookies()).filter(({ name }) => name.endsWith("session"));
  if (cookie) await context.addCookies([{ ...cookie, expires: Date.now() / 1000 + 5 * 86_400 }]);
  expect(await daysLeft()).toBeLessThan(6);
  await openPage(page, "/projects/999999");
  await expect.poll(daysLeft).toBeGreaterThan(29);
});

test("exports a project of 200 pieces completely, and saves no partial download", async ({ page, context }) => {
  const id = await registerUser(context, `export.${Date.now()}`);
  const projectId = await fillProject(context, id, 200);
  await openPage(page, "/settings");
  const button = page.getByRole("button", { name: "Export everything", exact: true });

  await test.step("the export has every piece, its outline and its earlier texts, letter by letter", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(download.suggestedFilename()).toMatch(/^content-planner-\d{4}-\d\d-\d\d\.zip$/);
    await expectMessage(page, `${download.suggestedFilename()} is where your browser keeps downloads.`);
    const files = await unzip(await download.path());
    const differences = await compare(files, projectId);
    expect(differences).toEqual({ pieces: 200, found: [] });
    process.stdout.write(`export: ${differences.pieces} pieces compared, ${differences.found.length} differences\n`);
    // The comparison itself notices a single letter.
    await e2eQuery("UPDATE content_pieces SET body = body || '.' WHERE project_id = $1 AND title LIKE '% 17'", [
      projectId,
    ]);
    expect((await compare(files, projectId)).found).toHaveLength(1);
  });

  const downloads: string[] = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));

  await test.step("a connection that breaks half way is reported", async () => {
    const torn = await startTornDownload();
    await page.route("**/api/user/export", (route) => route.continue({ url: torn.url }));
    await button.click();
    await expectMessage(page, "The download broke off half way and was not saved.");
    expect(torn.sent()).toBe(true);
    await torn.close();
    await page.unroute("**/api/user/export");
  });

  await test.step("half an archive, an unreachable server, a used-up limit and a failed export are reported", async () => {
    for (const [answer, sentence] of [
      [
        { status: 200, contentType: "application/zip", body: "PK\u0003\u0004 and half of a text" },
        /broke off half way/,
      ],
      ["unreachable", /The server did not answer/],
      [{ status: 429, json: { error: "Try again in an hour.", type: "RATE_LIMITED" } }, /Try again in an hour/],
      [{ status: 502, body: "<html>" }, /could not be made.*still here/],
    ] as const) {
      await page.route("**/api/user/export", (route) =>
        answer === "unreachable" ? route.abort() : route.fulfill(answer),
      );
      // A second click this soon would be a double click.
      await button.press("Enter");
      await expectMessage(page, "Nothing was exported");
      await expectMessage(page, sentence);
      await page.unroute("**/api/user/export");
    }
    await expect(button).not.toHaveAttribute("aria-busy", "true");
    expect(downloads).toEqual([]);
  });
});

test("deletes an account with everything in it while its queue runs", async ({ page, context }) => {
  const { username, id } = await userWithRowsEverywhere(context);
  await openPage(page, "/settings");
  // Unsaved settings must not block the deletion of their account.
  await page.getByLabel("Blogging-site username").fill("not saved");
  await page.getByRole("button", { name: "Delete account", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete account" });
  const confirm = dialog.getByLabel(`Type ${username} to confirm`);
  const password = dialog.getByLabel("Password");
  const submit = dialog.getByRole("button", { name: "Delete account for good" });

  await test.step("a wrong name and a wrong password are refused, and what was typed stays", async () => {
    await confirm.fill(username.toUpperCase());
    await password.fill(PASSWORD);
    await submit.click();
    await expect(confirm).toHaveAccessibleDescription(/exactly as it is written/);
    await expect(confirm).toBeFocused();
    await confirm.fill(username);
    await password.fill("not it at all");
    await submit.click();
    await expect(password).toHaveAccessibleDescription(/^The current password is not right\./);
    await expect(confirm).toHaveValue(username);
    expect(await callApi(context, "GET", "/api/user")).toMatchObject({ username });
  });

  const before = await rowsOf(id);
  expect(before.filter(({ rows }) => rows === 0)).toEqual([]);
  const live = "SELECT 1 FROM processing_queue WHERE user_id = $1 AND completed_at IS NULL";
  const running = (await e2eQuery(live, [id])).length;
  expect(running).toBeGreaterThan(0);
  const { cookies } = await context.storageState();

  await password.fill(PASSWORD);
  await submit.click();
  await expect(page).toHaveURL(/\/auth$/);
  await expectMessage(page, "Your account was deleted");
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();

  // Its rows are removed after the answer.
  await expect.poll(async () => (await rowsOf(id)).filter(({ rows }) => rows > 0), { timeout: 30_000 }).toEqual([]);
  const count = before.reduce((sum, { rows }) => sum + rows, 0);
  process.stdout.write(
    `deletion: ${count} rows in ${before.length} tables and ${running} live queue items before, 0 after\n`,
  );
  await context.addCookies(cookies);
  expect((await context.request.get("/api/user")).status()).toBe(401);
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/auth\?next=/);
  // Work in progress writes nothing afterwards.
  expect((await rowsOf(id)).filter(({ rows }) => rows > 0)).toEqual([]);
});

test("signs out a disabled account at its next request", async ({ page, context }) => {
  const id = await registerUser(context, `disabled.${Date.now()}`);
  await openPage(page, "/settings");
  await e2eQuery("UPDATE users SET disabled_at = now() WHERE id = $1", [id]);
  // A poll may sign the user out first; then the button is gone.
  const press = page.getByRole("button", { name: "Export everything", exact: true }).click({ timeout: 5_000 });
  await Promise.all([expect(page).toHaveURL(/\/auth\?next=/), press.catch(() => undefined)]);
  expect((await context.request.get("/api/user")).status()).toBe(401);
});

test("has no accessibility violations in light and dark", async ({ page, context }) => {
  const id = await registerUser(context, `axe.${Date.now()}`);
  await e2eQuery(
    `INSERT INTO sessions (session_token, user_id, expires, user_agent, address)
     SELECT $1 || n, $1::uuid, now() + interval '9 days', $2, '2001:db8:85a3:8d3::/64' FROM generate_series(1, 12) n`,
    [id, IPHONE],
  );
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await openPage(page, "/settings");
    await page.getByRole("button", { name: "Show all 13" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Delete account", exact: true }).click();
    await page.getByRole("button", { name: "Delete account for good" }).click();
    await expect(page.getByRole("dialog").getByLabel("Password")).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(page);
  }
});

async function signedIn(browser: Browser, username: string, userAgent: string): Promise<BrowserContext> {
  const context = await browser.newContext({ userAgent });
  await callApi(context, "POST", "/api/login", { username, password: PASSWORD });
  return context;
}

const TITLES = [
  'He said: "yes"',
  "- [ ] : {a: b} # no comment",
  "园艺入门",
  "البستنة",
  "🌱🌱",
  "../../etc/passwd",
  "CON",
  "null",
];
const BODIES = [
  "",
  "---\ntitle: not this\n---\n\nText",
  "Plain.\n\n## Two\n\n- a\n",
  "  leading\r\nCRLF\n\n",
  "日本語\n🌱",
];

/** Creates a project with this many pieces, every second with two earlier texts, every third with an outline. */
async function fillProject(context: BrowserContext, userId: string, count: number): Promise<number> {
  const { id } = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "All of it" });
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${id}/topics`, {
    name: "Everything",
    description: "In one place.",
  });
  const pieces = Array.from({ length: count }, (_, n) => ({
    title: `${TITLES[n % TITLES.length]} ${n}`,
    body: `${BODIES[n % BODIES.length]}${n % 7 === 0 ? "" : `\n\nPiece ${n}. ${"word ".repeat(n * 3)}`}`,
    outline: n % 3 === 0 ? `## Outline of ${n}\n\n- first\n` : null,
  }));
  await e2eQuery(
    `WITH piece AS (
       INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline, version)
       SELECT $1, $2, $3, title, body, outline, 3 FROM jsonb_to_recordset($4::jsonb) AS p(title text, body text, outline text)
       RETURNING id, title, body)
     INSERT INTO content_revisions (content_piece_id, version, author, title, body)
     SELECT id, n, 'user', title, 'Earlier ' || n || chr(10) || body FROM piece, generate_series(1, 2) n
     WHERE length(title) % 2 = 0`,
    [userId, id, topic.id, JSON.stringify(pieces)],
  );
  return id;
}

async function unzip(path: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await new ZipReader(new Uint8ArrayReader(new Uint8Array(readFileSync(path)))).getEntries()) {
    if ("getData" in entry && entry.getData) files.set(entry.filename, await entry.getData(new TextWriter()));
  }
  return files;
}

type Row = { id: string; title: string; body: string; outline: string | null; status: string; revisions: string[] };

/** Compares each piece in the database with its exported files. */
async function compare(files: Map<string, string>, projectId: number) {
  const rows = await e2eQuery<Row>(
    `SELECT p.id, p.title, p.body, p.outline, p.status::text,
       coalesce((SELECT array_agg(r.body ORDER BY r.body) FROM content_revisions r WHERE r.content_piece_id = p.id), '{}')
         AS revisions
     FROM content_pieces p WHERE p.project_id = $1`,
    [projectId],
  );
  const found: string[] = [];
  for (const row of rows) {
    const path = [...files.keys()].find((name) => name.endsWith(`-${row.id.slice(0, 13)}.md`))?.slice(0, -3) ?? "";
    const [, matter = "", body] = /^---\n([\s\S]*?\n)---\n\n([\s\S]*)$/.exec(files.get(`${path}.md`) ?? "") ?? [];
    const facts = parseYaml(matter) as Partial<Row> | null;
    const earlier = JSON.parse(files.get(`${path}.revisions.json`) ?? "[]") as { body: string }[];
    const exported = {
      id: facts?.id,
      title: facts?.title,
      status: facts?.status,
      body,
      outline: files.get(`${path}.outline.md`) ?? null,
      revisions: earlier.map((revision) => revision.body).sort(),
    };
    const { revisions, ...fields } = row;
    if (JSON.stringify(sorted(exported)) !== JSON.stringify(sorted({ ...fields, revisions: revisions.toSorted() }))) {
      found.push(row.title);
    }
  }
  return { pieces: rows.length, found };
}

const sorted = (fields: object) => Object.entries(fields).sort(([a], [b]) => a.localeCompare(b));

/** A server that begins to send a zip and then hangs up. */
async function startTornDownload() {
  let isSent = false;
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="x.zip"',
    });
    response.write(`PK\u0003\u0004${"x".repeat(50_000)}`, () => {
      isSent = true;
      setTimeout(() => response.destroy(), 50);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    sent: () => isSent,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Registers a user with a row in every table that refers to users, and a queue of 200 pieces that has just started. */
async function userWithRowsEverywhere(context: BrowserContext) {
  await userWithShowcase(context, "everywhere");
  const { id, username } = await callApi<{ id: string; username: string }>(context, "GET", "/api/user");
  const projectId = await fillProject(context, id, 200);
  await e2eQuery("UPDATE content_pieces SET outline = NULL WHERE project_id = $1", [projectId]);
  await e2eQuery(
    "INSERT INTO accounts (user_id, type, provider, provider_account_id) VALUES ($1::uuid, 'oidc', 'google', $1::text)",
    [id],
  );
  await e2eQuery(
    "INSERT INTO password_resets (token_hash, user_id, expires) VALUES ('e2e ' || $1::text, $1::uuid, now() + interval '1 hour')",
    [id],
  );
  await e2eQuery(
    `INSERT INTO site_connections (id, session_token, user_id, url, places, expires_at)
     SELECT 'e2e ' || $1::text, session_token, $1::uuid, 'https://x.example', '{x.example}', now() + interval '1 hour'
     FROM sessions WHERE user_id = $1::uuid LIMIT 1`,
    [id],
  );
  await e2eQuery("INSERT INTO provider_gates (user_id) VALUES ($1)", [id]);
  await e2eQuery("INSERT INTO provider_waits (user_id) VALUES ($1)", [id]);
  await e2eQuery("INSERT INTO work_totals (user_id, job_type) VALUES ($1, 'publishing')", [id]);
  await e2eQuery("INSERT INTO idempotency_keys (user_id, key, call_hash) VALUES ($1, 'once', 'of a call')", [id]);
  await e2eQuery(
    `INSERT INTO processing_jobs (user_id, project_id, job_type, input, status, total_items, completed_at)
     VALUES ($1, $2, 'publishing', '{"verb": "publish_all"}', 'completed', 0, now())`,
    [id, projectId],
  );
  await e2eQuery(
    `WITH j AS (INSERT INTO publishing_jobs (user_id, project_id, verb, status, completed_at)
       VALUES ($1, $2, 'publish_all', 'completed', now()) RETURNING id)
     INSERT INTO publishing_items (job_id, position, content_piece_id, title) SELECT id, 0, gen_random_uuid(), 'Old' FROM j`,
    [id, projectId],
  );
  await e2eQuery(
    `INSERT INTO abandoned_posts (content_piece_id, site_id, user_id, unanswered_since)
     SELECT gen_random_uuid(), id, user_id, now() FROM sites WHERE user_id = $1`,
    [id],
  );
  await callApi(context, "POST", "/api/chat/start", {});
  await callApi(context, "POST", "/api/instructions", { text: "No exclamation marks." });
  const [topic] = await e2eQuery<{ id: number }>("SELECT id FROM topics WHERE project_id = $1", [projectId]);
  await callApi(context, "POST", `/api/topics/${topic?.id}/generate-outline-queue`);
  return { id, username };
}

/** Counts the user's rows in each table with a user_id, and the account itself. */
async function rowsOf(userId: string): Promise<{ name: string; rows: number }[]> {
  const tables = await e2eQuery<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'usage_changes' -- prisma/next-release drops it`,
  );
  const counts = tables.map(async ({ name }) => {
    const [row] = await e2eQuery<{ rows: number }>(`SELECT count(*)::int AS rows FROM "${name}" WHERE user_id = $1`, [
      userId,
    ]);
    return { name, rows: row?.rows ?? -1 };
  });
  const users = await e2eQuery("SELECT 1 FROM users WHERE id = $1", [userId]);
  return [...(await Promise.all(counts)), { name: "users", rows: users.length }];
}
