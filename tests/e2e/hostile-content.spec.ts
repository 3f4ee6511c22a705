import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import pg from "pg";
import { scriptPayloads } from "@/tests/support/payloads";

const {
  E2E_BASE_URL = "",
  E2E_DATABASE_URL = "",
  E2E_AI_KEY = "",
  E2E_WORDPRESS_URL = "",
  E2E_WORDPRESS_USERNAME = "",
  E2E_WORDPRESS_PASSWORD = "",
} = process.env;

const PAYLOADS = scriptPayloads();
/** Bodies and outlines are joined by so many, which keeps the screens few. */
const TOGETHER = 5;

/** What a script would do if one ran: call out, ask, leave, or load from elsewhere. */
async function watch(context: BrowserContext): Promise<{ ran: string[] }> {
  const ran: string[] = [];
  await context.exposeFunction("__ran", (payload: number) => ran.push(`payload ${payload} ran`));
  const listen = (page: Page) =>
    page.on("dialog", (dialog) => {
      ran.push(`a dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
  for (const page of context.pages()) listen(page);
  context.on("page", listen);
  // A picture from elsewhere is allowed by the policy and runs nothing.
  context.on("request", (request) => {
    const isForeign = !request.url().startsWith(E2E_BASE_URL) && /^https?:/.test(request.url());
    if (isForeign && request.resourceType() !== "image") ran.push(`a request to ${request.url()}`);
  });
  return { ran };
}

/** Addresses in the page that would run something, wherever they stand; and links that lead to no web page. */
function dangerousAddresses(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of Array.from(document.querySelectorAll("*"))) {
      for (const { name, value } of Array.from(element.attributes)) {
        const address = value.replace(/[\p{Cc}\s]/gu, "").toLowerCase();
        const isAddress = ["href", "src", "action", "formaction", "xlink:href", "data", "srcdoc", "poster"].includes(
          name,
        );
        if (isAddress && /^(javascript|vbscript|data:text)/.test(address))
          found.push(`${element.tagName} ${name}=${value}`);
        if (/^on/.test(name) || name === "srcdoc") found.push(`${element.tagName} ${name}`);
      }
    }
    return found;
  });
}

type Made = { projectId: number; pieces: string[]; userId: string };

/** Every field that is ever shown, with every payload: through SQL, since a hostile site or provider could have sent them. */
async function fillEverything(context: BrowserContext): Promise<Made> {
  const username = `safety.${Date.now()}`;
  const { request } = context;
  const registered = await request.post("/api/register", { data: { username, password: "a calm desk for words" } });
  const { id: userId } = (await registered.json()) as { id: string };
  await request.patch("/api/user/settings", {
    data: {
      openaiApiKey: E2E_AI_KEY,
      wordpressUrl: E2E_WORDPRESS_URL,
      wordpressUsername: E2E_WORDPRESS_USERNAME,
      wordpressPassword: E2E_WORDPRESS_PASSWORD,
    },
  });
  const made = await (await request.post("/api/projects", { data: { title: "Main" } })).json();
  const projectId = (made as { id: number }).id;
  const client = new pg.Client({ connectionString: E2E_DATABASE_URL });
  await client.connect();
  const together = PAYLOADS.map((_, n) =>
    PAYLOADS.slice(n - (n % TOGETHER), n - (n % TOGETHER) + TOGETHER).join("\n\n"),
  );
  try {
    await client.query("UPDATE users SET display_name = $2, photo_url = 'javascript:__ran(-1)' WHERE id = $1", [
      userId,
      PAYLOADS[0],
    ]);
    await client.query("UPDATE projects SET title = $2, description = $3 WHERE id = $1", [
      projectId,
      PAYLOADS[7],
      PAYLOADS.join("\n"),
    ]);
    await client.query("INSERT INTO projects (user_id, title, description) SELECT $1, p, p FROM unnest($2::text[]) p", [
      userId,
      PAYLOADS,
    ]);
    await client.query(
      `INSERT INTO buyer_personas (project_id, name, description, interests, challenges) VALUES ($1, $2, $3, $4, $4)`,
      [projectId, PAYLOADS[13], PAYLOADS.join("\n"), PAYLOADS],
    );
    await client.query(
      `INSERT INTO topics (user_id, project_id, name, description, category) SELECT $1, $2, p, p, p FROM unnest($3::text[]) p`,
      [userId, projectId, PAYLOADS],
    );
    await client.query(
      `INSERT INTO keywords (topic_id, keyword) SELECT (SELECT max(id) FROM topics WHERE project_id = $1), p FROM unnest($2::text[]) p
       ON CONFLICT DO NOTHING`,
      [projectId, PAYLOADS],
    );
    const { rows } = await client.query(
      `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline, is_outline, status, wp_post_id, wp_permalink,
         wp_category_id, wp_category_name, publish_error, focus_keyword, intent, angle, wp_site)
       SELECT $1, $2, (SELECT max(id) FROM topics WHERE project_id = $2), p, t, t, true,
         (CASE WHEN n % 2 = 0 THEN 'wp_published' ELSE 'wp_failed' END)::content_status, n::text, p, '1', p, p, p, p, p, $5
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS x (p, t, n) RETURNING id`,
      [userId, projectId, PAYLOADS, together, `${E2E_WORDPRESS_URL}/wp-json/`],
    );
    const pieces = rows.map(({ id }: { id: string }) => id);
    await client.query(
      `INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, model)
       SELECT $1, n, 'ai', p, p, p, p FROM unnest($2::text[]) WITH ORDINALITY AS x (p, n) WHERE n > 1 LIMIT 50`,
      [pieces[0], PAYLOADS],
    );
    await client.query(
      `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, failed_items, completed_at)
         SELECT $1, $2, max(id), 'outline_generation', 'failed', 100, 100, now() FROM topics WHERE project_id = $2 RETURNING id, topic_id)
       INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id, status, error, note, completed_at)
       SELECT j.id, 'outline_generation', $1, j.topic_id, c::uuid, 'failed', p, p, now() FROM j, unnest($3::text[], $4::text[]) x (p, c)`,
      [userId, projectId, PAYLOADS, pieces],
    );
    await client.query(
      "INSERT INTO audit_events (user_id, action, subject, address) SELECT $1, p, p, p FROM unnest($2::text[]) p",
      [userId, PAYLOADS.slice(0, 50)],
    );
    return { projectId, pieces, userId };
  } finally {
    await client.end();
  }
}

async function addHostileCategories(context: BrowserContext): Promise<void> {
  const login = Buffer.from(`${E2E_WORDPRESS_USERNAME}:${E2E_WORDPRESS_PASSWORD}`).toString("base64");
  for (const name of PAYLOADS.slice(0, 20)) {
    await context.request.post(`${E2E_WORDPRESS_URL}/?rest_route=/wp/v2/categories`, {
      headers: { authorization: `Basic ${login}` },
      data: { name },
    });
  }
}

/** A window at a time: long lists draw only what is near it. */
async function readToEnd(page: Page): Promise<void> {
  for (let windows = 0; windows < 60; windows++) {
    const isEnd = await page.evaluate(async () => {
      window.scrollBy(0, window.innerHeight);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
    });
    if (isEnd) break;
  }
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** What the assistant says back, each in turn, and what it says it has made. */
async function answerAs(page: Page, payloads: string[]): Promise<void> {
  const rest = [...payloads];
  await page.route("**/api/chat/message", (route) => {
    const text = rest.shift() ?? "";
    const action = { tool: "create_topic", type: "topic", label: text, ok: true, projectId: 1, topicId: 1 };
    const made = [
      { ...action, name: text, description: text },
      { ...action, tool: "add_keywords", type: "keyword", name: text, keywords: [text] },
    ];
    const response = JSON.stringify({ type: "action", actionType: "topic", message: text, actions: made });
    return route.fulfill({ json: { response } });
  });
}

test("a hundred scripts in every field run on no screen (S13)", async ({ context, page }) => {
  test.setTimeout(300_000);
  const seen = await watch(context);
  await context.setExtraHTTPHeaders({ origin: E2E_BASE_URL });
  const { projectId, pieces } = await fillEverything(context);
  await context.setExtraHTTPHeaders({});
  await addHostileCategories(context);
  let screens = 0;

  /** `shows`: the texts are there to be read, so the screen has what it is looked at for. */
  async function look(path: string, explore: () => Promise<unknown> = async () => undefined, shows = true) {
    await page.goto(path);
    await expect(page.locator("main")).toBeVisible();
    await explore();
    await readToEnd(page);
    await page.mouse.move(300, 300);
    // Images that fail and handlers that wait have had their turn.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    if (shows) await expect(page.locator("main")).toContainText("__ran(");
    expect([path, await dangerousAddresses(page)]).toEqual([path, []]);
    expect([path, seen.ran]).toEqual([path, []]);
    expect(new URL(page.url()).origin).toBe(E2E_BASE_URL);
    screens++;
    if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/${screens}.png`, fullPage: false });
  }

  async function openAll(name: RegExp, most = 3) {
    const buttons = page.locator("main").getByRole("button", { name, expanded: false });
    for (let n = 0; n < most && (await buttons.count()) > 0; n++) await buttons.first().click();
  }

  await look("/");
  await look(`/projects/${projectId}`, async () => {
    const topics = page.locator("main h3 button[aria-expanded]");
    for (const at of [0, 1, 5, 9]) {
      const topic = topics.nth(at);
      if ((await topic.getAttribute("aria-expanded")) === "false") await topic.click();
    }
    await openAll(/persona|more/i);
  });
  await look("/content", () => openAll(/./, 4));
  for (const payload of PAYLOADS.filter((_, n) => n % 25 === 0)) {
    await look(`/content?search=${encodeURIComponent(payload)}`);
  }
  await look("/wordpress-publishing");
  await look(`/wp-publishing/${projectId}`, async () => {
    await page.getByRole("button", { name: "Publish with Category" }).first().click();
    await page.getByLabel("Category").click();
    await expect(page.getByRole("option").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "All Content" }).click();
    for (const link of await page.getByRole("link", { name: /^Open the post/ }).all()) {
      expect(await link.getAttribute("href")).toMatch(/^https?:\/\//);
    }
  });
  await look("/queue-monitor", () => openAll(/completed/i, 5));
  const spoken = PAYLOADS.map((_, n) => PAYLOADS.slice(n, n + TOGETHER).join("\n\n")).filter(
    (_, n) => n % TOGETHER === 0,
  );
  await answerAs(page, spoken);
  await look(`/assistant/${projectId}`, async () => {
    for (const [at, said] of spoken.entries()) {
      await expect(page.getByRole("button", { name: "Send message" })).toBeEnabled();
      await page.getByPlaceholder("Type your message...").fill(said.slice(0, 4_000));
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByText("Topic created")).toHaveCount(at + 1);
    }
  });
  await look("/settings", () => page.getByRole("button", { name: /^Show all/ }).click());
  const nothing = async () => undefined;
  await look(`/${encodeURIComponent("<script>__ran(1)</script>")}`, nothing, false);
  // One piece of each group of bodies, and every title once.
  for (const [at, id] of pieces.entries()) {
    if (at % TOGETHER !== 0) continue;
    await look(`/content/${id}`, async () => {
      for (const tab of ["Preview", "Outline", "SEO Assistant", "Edit"])
        await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tab", { name: "Preview" }).click();
      await expect(page.getByRole("tabpanel")).toBeVisible();
    });
  }
  await look(`/content/${pieces[0]}`, async () => {
    await page
      .getByRole("button", { name: /history|revisions/i })
      .first()
      .click();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  });
  await page.context().clearCookies();
  await look(`/auth?next=${encodeURIComponent("javascript:__ran(2)")}`, nothing, false);
  await look(`/auth?error=${encodeURIComponent("<img src=x onerror=__ran(3)>")}`, nothing, false);
  await look(`/auth/reset#token=${encodeURIComponent("<img src=x onerror=__ran(4)>")}`, nothing, false);
  console.log(`S13: ${PAYLOADS.length} payloads on ${screens} screens, 0 run`);
});

test("the watch sees a script that runs", async ({ browser }) => {
  const context = await browser.newContext();
  const seen = await watch(context);
  const page = await context.newPage();
  await page.setContent("<img src=x onerror=__ran(1)><script>alert('asked')</script>");
  await expect.poll(() => seen.ran.length).toBe(2);
  await page.setContent("<a href=' java\tscript:x'>x</a><b onclick=x>y</b>");
  expect(await dangerousAddresses(page)).toHaveLength(2);
  await context.close();
});
