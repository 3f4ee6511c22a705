import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { placeOf } from "@/lib/wordpress/site-address";
import { addSiteCategories, connectSamples, e2eQuery, registerUser } from "@/tests/support/e2e-user";
import { scriptPayloads } from "@/tests/support/payloads";

const { E2E_BASE_URL = "", E2E_WORDPRESS_URL = "" } = process.env;

const PAYLOADS = scriptPayloads();
/** How many payloads share a body or an outline, to keep the number of screens small. */
const TOGETHER = 5;

/** Records what a script would do if one ran: call `__ran`, open a dialog or request another origin. */
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
  // The policy allows images from other origins; they run nothing.
  context.on("request", (request) => {
    const isForeign = !request.url().startsWith(E2E_BASE_URL) && /^https?:/.test(request.url());
    if (isForeign && request.resourceType() !== "image") ran.push(`a request to ${request.url()}`);
  });
  return { ran };
}

/** Attributes that would run a script: event handlers, `srcdoc` and script addresses. */
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

/** Puts every payload into every field that is shown; with SQL, as a hostile site or provider could have sent them. */
async function fillEverything(context: BrowserContext): Promise<Made> {
  const userId = await registerUser(context, `safety.${Date.now()}`);
  await connectSamples(context);
  const { request } = context;
  const made = await (
    await request.post("/api/projects", { headers: { origin: E2E_BASE_URL }, data: { title: "Main" } })
  ).json();
  const projectId = (made as { id: number }).id;
  const together = PAYLOADS.map((_, n) =>
    PAYLOADS.slice(n - (n % TOGETHER), n - (n % TOGETHER) + TOGETHER).join("\n\n"),
  );
  await e2eQuery("UPDATE users SET display_name = $2, photo_url = 'javascript:__ran(-1)' WHERE id = $1", [
    userId,
    PAYLOADS[0],
  ]);
  await e2eQuery("UPDATE projects SET title = $2, description = $3 WHERE id = $1", [
    projectId,
    PAYLOADS[7],
    PAYLOADS.join("\n"),
  ]);
  await e2eQuery("INSERT INTO projects (user_id, title, description) SELECT $1, p, p FROM unnest($2::text[]) p", [
    userId,
    PAYLOADS,
  ]);
  await e2eQuery(
    `INSERT INTO buyer_personas (project_id, name, description, interests, challenges) VALUES ($1, $2, $3, $4, $4)`,
    [projectId, PAYLOADS[13], PAYLOADS.join("\n"), PAYLOADS],
  );
  await e2eQuery(
    `INSERT INTO topics (user_id, project_id, name, description, category) SELECT $1, $2, p, p, p FROM unnest($3::text[]) p`,
    [userId, projectId, PAYLOADS],
  );
  await e2eQuery(
    `INSERT INTO keywords (topic_id, keyword) SELECT (SELECT max(id) FROM topics WHERE project_id = $1), p FROM unnest($2::text[]) p
     ON CONFLICT DO NOTHING`,
    [projectId, PAYLOADS],
  );
  const rows = await e2eQuery<{ id: string }>(
    `INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline, is_outline, status, focus_keyword, intent, angle)
     SELECT $1, $2, (SELECT max(id) FROM topics WHERE project_id = $2), p, t, t, true,
       (CASE WHEN n % 2 = 0 THEN 'wp_published' ELSE 'wp_failed' END)::content_status, p, p, p
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS x (p, t, n) RETURNING id`,
    [userId, projectId, PAYLOADS, together],
  );
  const pieces = rows.map(({ id }) => id);
  await e2eQuery(
    `WITH s AS (INSERT INTO sites (user_id, place, api_root, is_default) VALUES ($1, $2, $3, true)
       ON CONFLICT (user_id) WHERE is_default DO UPDATE SET place = excluded.place RETURNING id)
     INSERT INTO piece_posts (content_piece_id, site_id, status, post_id, permalink, category_id, category_name, publish_error)
     SELECT p.id, s.id, p.status, '1', p.title, '1', p.title, p.title FROM s, content_pieces p WHERE p.id = ANY ($4::uuid[])`,
    [userId, placeOf(E2E_WORDPRESS_URL), `${E2E_WORDPRESS_URL}/wp-json/`, pieces],
  );
  await e2eQuery(
    `INSERT INTO content_revisions (content_piece_id, version, author, title, body, outline, model)
     SELECT $1, n, 'ai', p, p, p, p FROM unnest($2::text[]) WITH ORDINALITY AS x (p, n) WHERE n > 1 LIMIT 50`,
    [pieces[0], PAYLOADS],
  );
  await e2eQuery(
    `WITH j AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items, failed_items, completed_at)
       SELECT $1, $2, max(id), 'outline_generation', 'failed', 100, 100, now() FROM topics WHERE project_id = $2 RETURNING id, topic_id)
     INSERT INTO processing_queue (job_id, job_type, user_id, topic_id, content_piece_id, status, error, note, completed_at)
     SELECT j.id, 'outline_generation', $1, j.topic_id, c::uuid, 'failed', p, p, now() FROM j, unnest($3::text[], $4::text[]) x (p, c)`,
    [userId, projectId, PAYLOADS, pieces],
  );
  await e2eQuery(
    "INSERT INTO audit_events (user_id, action, subject, address) SELECT $1, p, p, p FROM unnest($2::text[]) p",
    [userId, PAYLOADS.slice(0, 50)],
  );
  return { projectId, pieces, userId };
}

/** Scrolls one screen at a time: long lists render only what is near the window. */
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

/** Makes the assistant reply with each payload in turn, in its text and in its actions. */
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

test("runs none of a hundred scripts, in any field on any screen (S13)", async ({ context, page }) => {
  test.setTimeout(300_000);
  const seen = await watch(context);
  const { projectId, pieces } = await fillEverything(context);
  await addSiteCategories(context, PAYLOADS.slice(0, 20));
  let screens = 0;

  /** `shows`: whether the screen must display a payload, so that checking it proves something. */
  async function look(path: string, explore: () => Promise<unknown> = async () => undefined, shows = true) {
    await page.goto(path);
    await expect(page.locator("main")).toBeVisible();
    await explore();
    await readToEnd(page);
    await page.mouse.move(300, 300);
    // Give images time to fail and handlers time to run.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 60)));
    if (shows) await expect(page.locator("main")).toContainText("__ran(");
    expect([path, await dangerousAddresses(page)]).toEqual([path, []]);
    expect([path, seen.ran]).toEqual([path, []]);
    expect(new URL(page.url()).origin).toBe(E2E_BASE_URL);
    screens++;
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
  const replies = PAYLOADS.map((_, n) => PAYLOADS.slice(n, n + TOGETHER).join("\n\n")).filter(
    (_, n) => n % TOGETHER === 0,
  );
  await answerAs(page, replies);
  await look(`/assistant/${projectId}`, async () => {
    for (const [at, reply] of replies.entries()) {
      await expect(page.getByRole("button", { name: "Send message" })).toBeEnabled();
      await page.getByPlaceholder("Type your message...").fill(reply.slice(0, 4_000));
      await page.getByRole("button", { name: "Send message" }).click();
      await expect(page.getByText("Topic created")).toHaveCount(at + 1);
    }
  });
  await look("/settings", () => page.getByRole("button", { name: /^Show all/ }).click());
  const nothing = async () => undefined;
  await look(`/${encodeURIComponent("<script>__ran(1)</script>")}`, nothing, false);
  // One piece of each group that shares a body.
  for (const id of pieces.filter((_, at) => at % TOGETHER === 0)) {
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
  // The screen left behind would go to the login page by itself once it notices that the session is gone.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await look(`/auth?next=${encodeURIComponent("javascript:__ran(2)")}`, nothing, false);
  await look(`/auth?error=${encodeURIComponent("<img src=x onerror=__ran(3)>")}`, nothing, false);
  await look(`/auth/reset#token=${encodeURIComponent("<img src=x onerror=__ran(4)>")}`, nothing, false);
  console.log(`S13: ${PAYLOADS.length} payloads on ${screens} screens, 0 run`);
});

test("the watch reports a script that runs", async ({ browser }) => {
  const context = await browser.newContext();
  const seen = await watch(context);
  const page = await context.newPage();
  await page.setContent("<img src=x onerror=__ran(1)><script>alert('asked')</script>");
  await expect.poll(() => seen.ran.length).toBe(2);
  await page.setContent("<a href=' java\tscript:x'>x</a><b onclick=x>y</b>");
  expect(await dangerousAddresses(page)).toHaveLength(2);
  await context.close();
});
