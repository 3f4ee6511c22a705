import { type BrowserContext, expect, type Locator, type Page, type Route, test } from "@playwright/test";
import { fillBody } from "@/tests/support/e2e-editor";
import { connectSite, e2eQuery, registerUser } from "@/tests/support/e2e-user";
import { scriptPayloads } from "@/tests/support/payloads";
import { watchPolicy } from "@/tests/support/policy-watch";
import { hostileAddresses, markupPayloads } from "@/tests/support/script-payloads";

const { E2E_BASE_URL = "" } = process.env;

const KNOWN = scriptPayloads();
const PAYLOADS = [...KNOWN, ...markupPayloads(KNOWN.length)];

type Watch = { ran: string[] };

/** Records what a script would do if one ran: call `__ran`, open a dialog or window, navigate or request another origin. */
async function watch(context: BrowserContext): Promise<Watch> {
  const ran: string[] = [];
  await context.exposeFunction("__ran", (payload: number) => ran.push(`payload ${payload} ran`));
  const listen = (page: Page) => {
    page.on("dialog", (dialog) => {
      ran.push(`a dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("popup", (popup) => ran.push(`a window: ${popup.url()}`));
    page.on("framenavigated", (frame) => {
      if (frame.parentFrame() || !/^(about:blank|http:\/\/localhost)/.test(frame.url()))
        ran.push(`went to ${frame.url()}`);
    });
  };
  // The test's own page exists already.
  for (const page of context.pages()) listen(page);
  context.on("page", listen);
  // The policy allows images from other origins; they run nothing. (Routing them would disable the cache.)
  context.on("request", (request) => {
    const isOurs = new URL(request.url()).origin === E2E_BASE_URL || /^(data|blob):/.test(request.url());
    if (!isOurs && request.resourceType() !== "image") ran.push(`a request to ${request.url()}`);
  });
  return { ran };
}

/** Dispatches pointer, focus and other events on every element, without following links to web pages. */
async function touchEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    const stay = (event: Event) => {
      const link = (event.target as Element).closest("a");
      if (link && /^https?:$/.test(link.protocol)) event.preventDefault();
    };
    document.addEventListener("click", stay, true);
    for (const element of Array.from(document.querySelectorAll("main [role=tabpanel] *"))) {
      if (element.closest("button, input, textarea, [role=combobox]")) continue;
      for (const kind of ["pointerover", "mouseover", "mouseenter", "focus", "toggle", "animationstart", "click"])
        element.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }));
    }
    document.removeEventListener("click", stay, true);
  });
}

/** Elements and attributes that no screen has of its own, in the page or in the server's HTML. */
function foreignMarkup(page: Page, html?: string): Promise<string[]> {
  return page.evaluate((given) => {
    const found: string[] = [];
    const document = given === undefined ? window.document : new DOMParser().parseFromString(given, "text/html");
    if (given !== undefined) {
      for (const script of Array.from(document.scripts)) if (!script.nonce) found.push(script.outerHTML.slice(0, 100));
      if (!document.title.endsWith(" – Content Planner")) found.push(`the title ends early: ${document.title}`);
    }
    const strange =
      "main :is(script, iframe, object, embed, base, meta, link, style, template, noscript, audio, video, marquee, math, foreignObject, animate, isindex, xss)";
    for (const element of Array.from(document.querySelectorAll(strange))) found.push(element.outerHTML.slice(0, 100));
    for (const element of Array.from(document.querySelectorAll("*"))) {
      for (const { name, value } of Array.from(element.attributes)) {
        if (/^on|^srcdoc$|^formaction$/.test(name)) found.push(`${element.tagName} ${name}=${value}`);
        // Parsed as the browser parses an address.
        const isAddress = /^(href|src|action|xlink:href|data|poster|srcset)$/.test(name);
        const scheme = isAddress && /^[\s\p{Cc}]*([a-z][\sa-z\d+.-]*):/iu.exec(value)?.[1]?.replace(/\s/g, "");
        // React's own placeholder on a form that calls a server action.
        if (value.startsWith("javascript:throw new Error('A React form was unexpectedly submitted.")) continue;
        if (scheme && !/^(https?|mailto|blob)$/i.test(scheme)) found.push(`${element.tagName} ${name}=${value}`);
      }
    }
    for (const name of ["__NEXT_DATA__", "currentScript", "defaultView", "cookie"])
      if (document.querySelector(`main [id="${name}"], main [name="${name}"]`)) found.push(`${name} was taken`);
    return found;
  }, html);
}

async function expectHarmless(page: Page, seen: Watch, where: string): Promise<void> {
  expect([where, await foreignMarkup(page)]).toEqual([where, []]);
  expect([where, seen.ran]).toEqual([where, []]);
  expect([where, new URL(page.url()).origin]).toEqual([where, E2E_BASE_URL]);
}

type Workspace = { payload: string; projectId: number; pieceId: string };

/** Creates a project, topic and piece for each payload, which is in all their texts. */
async function workspaceForEach(userId: string, payloads = PAYLOADS): Promise<Workspace[]> {
  const addresses = hostileAddresses();
  const workspaces: Workspace[] = [];
  for (const [at, payload] of payloads.entries()) {
    const [row] = await e2eQuery<{ projectId: number; pieceId: string }>(
      `WITH p AS (INSERT INTO projects (user_id, title, description) VALUES ($1, $2, $2) RETURNING id),
         b AS (INSERT INTO buyer_personas (project_id, name, description, interests, challenges)
           SELECT id, $2, $2, ARRAY[$2], ARRAY[$2] FROM p),
         t AS (INSERT INTO topics (user_id, project_id, name, description, category) SELECT $1, id, $2, $2, $2 FROM p RETURNING id, project_id),
         k AS (INSERT INTO keywords (topic_id, keyword) SELECT id, $2 FROM t),
         c AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, body, outline, is_outline, status, focus_keyword)
           SELECT $1, project_id, id, $2, $2, $2, true, (CASE WHEN $4 THEN 'wp_published' ELSE 'wp_failed' END)::content_status, $2
           FROM t RETURNING id, project_id, status),
         s AS (INSERT INTO sites (user_id, place, api_root, is_default) VALUES ($1, 'blog.example', 'https://blog.example/wp-json/', true)
           ON CONFLICT (user_id) WHERE is_default DO UPDATE SET place = excluded.place RETURNING id),
         w AS (INSERT INTO piece_posts (content_piece_id, site_id, status, post_id, permalink, category_id, category_name, publish_error)
           SELECT c.id, s.id, c.status, '1', $3, '1', $2, $2 FROM c, s)
       SELECT project_id::int AS "projectId", id AS "pieceId" FROM c`,
      [userId, payload, addresses[at % addresses.length], at % 2 === 0],
    );
    if (row) workspaces.push({ payload, ...row });
  }
  return workspaces;
}

test.describe("with the browser's policy disabled", () => {
  // What the policy would block must not be in the page in the first place.
  test.use({ bypassCSP: true });

  test("the watch reports what a script does and what markup a text adds", async ({ context, page }) => {
    const seen = await watch(context);
    await page.goto("/auth");
    // Wait for hydration, which would remove anything inserted before it.
    await expect(async () => {
      await page.getByRole("tab", { name: "Register" }).click();
      await expect(page.getByLabel("Email")).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.evaluate(() => {
      const main = document.querySelector("main") ?? document.body;
      main.insertAdjacentHTML(
        "beforeend",
        "<img src=x onerror=__ran(1)><a href=' java\tscript:__ran(2)'>x</a><base href=//x>",
      );
      window.open("about:blank");
      return fetch("https://canary.invalid/").catch(() => undefined);
    });
    await expect
      .poll(() => seen.ran)
      .toEqual(
        expect.arrayContaining(["payload 1 ran", "a window: about:blank", "a request to https://canary.invalid/"]),
      );
    expect(await foreignMarkup(page)).toHaveLength(3);
    expect(
      await foreignMarkup(page, "<title>x</title><script>1</script><script nonce=x></script><p onclick=x>"),
    ).toHaveLength(3);
  });

  test("keeps each script as plain text on the page and in the server's HTML (S13)", async ({ context, page }) => {
    test.setTimeout(180_000);
    const seen = await watch(context);
    const workspaces = await workspaceForEach(await registerUser(context, `each.${Date.now()}`));
    expect(workspaces).toHaveLength(PAYLOADS.length);
    await page.goto(`/content/${workspaces[0]?.pieceId}`);
    for (const { payload, projectId, pieceId } of workspaces) {
      for (const path of [`/content/${pieceId}`, `/projects/${projectId}`]) {
        const written = await (await page.request.get(path)).text();
        expect([payload, path, await foreignMarkup(page, written)]).toEqual([payload, path, []]);
      }
      await page.getByRole("tab", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Title", exact: true }).fill(payload);
      await fillBody(page, payload);
      await page.getByRole("tab", { name: "Preview" }).click();
      await expect(page.getByRole("tabpanel").getByRole("status")).toBeHidden();
      await touchEverything(page);
      await expectHarmless(page, seen, `the preview of ${payload}`);
    }
    process.stdout.write(`S13: ${PAYLOADS.length} payloads, each alone in 3 places without a policy, 0 run\n`);
  });

  test("keeps hostile responses as plain text in suggestions, choices, toasts and dialogs (S13)", async ({
    context,
    page,
  }) => {
    test.setTimeout(120_000);
    const seen = await watch(context);
    // The second one is not published.
    const [, workspace] = await workspaceForEach(
      await registerUser(context, `opened.${Date.now()}`),
      PAYLOADS.slice(0, 2),
    );
    await connectSite(context);
    const all = PAYLOADS.join("\n");
    await page.route("**/api/**/suggest-keywords*", (route) => route.fulfill({ json: { keywords: PAYLOADS } }));
    await page.route("**/api/wordpress/categories", (route) =>
      route.fulfill({ json: PAYLOADS.map((name, at) => ({ id: at + 1, name })) }),
    );
    const refusal = (route: Route) =>
      route.fulfill({
        status: 502,
        json: { error: all, type: "WORDPRESS_REJECTED", requestId: "<svg onload=__ran()>" },
      });
    await page.route("**/api/**/publish", refusal);
    await page.route("**/api/**/generate-content-ideas", refusal);
    await page.route("**/api/content/*/revisions*", (route) =>
      route.fulfill({
        json: PAYLOADS.map((text, at) => ({
          id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
          contentPieceId: workspace?.pieceId,
          version: at,
          author: "ai",
          model: text,
          title: text,
          wordCount: 1,
          excerpt: { of: "outline", text },
          promptVersion: text,
          createdAt: "2026-11-03T10:00:00.000Z",
        })),
      }),
    );
    let places = 0;
    async function look(where: string, shown: Locator): Promise<void> {
      await expect(shown.first()).toContainText("__ran(");
      await expectHarmless(page, seen, where);
      places++;
    }
    const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));

    await page.goto(`/projects/${workspace?.projectId}`);
    const topic = page.locator("main [data-slot=accordion-trigger], main h3 button[aria-expanded]").first();
    if ((await topic.getAttribute("aria-expanded")) === "false") await topic.click();
    await page.getByRole("button", { name: "Show Suggestions" }).click();
    await look("suggestions", page.getByRole("region", { name: "Suggested keywords" }));
    await page.getByRole("button", { name: /^Delete keyword/ }).click();
    await look("deleting a keyword", dialog);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Delete Topic" }).click();
    await look("deleting a topic", dialog);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit buyer persona" }).click();
    await look("the persona's dialog", dialog);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Create Content Ideas" }).click();
    await dialog.getByRole("combobox").click();
    await look("the topics to choose from", page.getByRole("option"));
    await page.getByRole("option").first().click();
    await dialog.getByRole("button", { name: "Create Content Ideas" }).click();
    await look("a refusal's toast", page.locator("[data-sonner-toast]"));

    await page.goto("/");
    await page
      .getByRole("button", { name: /^Delete project/ })
      .first()
      .click();
    await look("deleting a project", dialog);

    await page.goto(`/wp-publishing/${workspace?.projectId}`);
    await page.getByRole("tab", { name: "All Content" }).click();
    await page.getByRole("button", { name: "Publish with Category" }).first().click();
    await page.getByLabel("Category").click();
    await expect(page.getByRole("option")).toHaveCount(PAYLOADS.length);
    await look("the site's categories", page.getByRole("option"));
    await page.getByRole("option").last().click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await look("the site's refusal", page.locator("[data-sonner-toast]"));

    await page.goto(`/content/${workspace?.pieceId}`);
    await page.getByRole("button", { name: "Revision history" }).click();
    await look("the revisions", dialog);
    process.stdout.write(`S13: ${PAYLOADS.length} payloads in ${places} places that open, 0 run\n`);
  });
});

test("blocks what the policy forbids, and reports each violation (S14)", async ({ context, page }) => {
  const seen = await watch(context);
  const violations = await watchPolicy(page);
  const expectViolation = async (directive: string, cause: () => unknown) => {
    violations.length = 0;
    await page.evaluate(cause);
    await expect.poll(() => violations.filter((text) => text.startsWith(directive))).not.toEqual([]);
  };
  await page.goto("/auth");
  expect(violations).toEqual([]);
  await expectViolation("script-src-elem", () => {
    document.body.appendChild(document.createElement("p")).innerHTML =
      "<iframe srcdoc='<script>parent.__ran(1)</script>'>";
  });
  await expectViolation("script-src-attr", () =>
    document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=__ran(2)>"),
  );
  await expectViolation("script-src-elem", () => {
    const link = document.createElement("a");
    link.href = "javascript:__ran(3)";
    document.body.append(link);
    link.click();
  });
  await expectViolation("connect-src", () => fetch("https://canary.invalid/").catch(() => undefined));
  await expectViolation("form-action", () => {
    document.body.insertAdjacentHTML("beforeend", "<form method=post action='https://canary.invalid/'></form>");
    const forms = document.querySelectorAll("form");
    forms[forms.length - 1]?.submit();
  });
  await expectViolation("base-uri", () =>
    document.head.insertAdjacentHTML("beforeend", "<base href='https://canary.invalid/'>"),
  );
  await expectViolation("frame-src", () =>
    document.body.insertAdjacentHTML("beforeend", "<iframe src='https://canary.invalid/'></iframe>"),
  );
  await expectViolation("object-src", () =>
    document.body.insertAdjacentHTML("beforeend", "<object data='https://canary.invalid/'></object>"),
  );
  expect(seen.ran.filter((what) => what.startsWith("payload"))).toEqual([]);
});

test("keeps to the policy on a phone, in its menus and after a failed save (S14)", async ({ context, page }) => {
  const violations = await watchPolicy(page);
  const userId = await registerUser(context, `phone.${Date.now()}`);
  await connectSite(context);
  const [workspace] = await workspaceForEach(userId, ["A calm text"]);
  let screens = 0;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme });
    for (const path of [
      "/",
      `/projects/${workspace?.projectId}`,
      "/content",
      `/content/${workspace?.pieceId}`,
      "/wordpress-publishing",
      `/wp-publishing/${workspace?.projectId}`,
      "/queue-monitor",
      "/settings",
      "/nowhere",
    ]) {
      await page.goto(path);
      await page.getByRole("button", { name: "Toggle sidebar" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Account of/ })
        .click();
      await page.getByRole("menuitemradio", { name: colorScheme === "dark" ? "Dark" : "Light" }).click();
      await page.keyboard.press("Escape");
      expect([path, violations]).toEqual([path, []]);
      screens++;
    }
    await page.goto(`/content/${workspace?.pieceId}`);
    await page.route("**/api/**", (route) =>
      route.fulfill({ status: 503, json: { error: "Away for a moment.", type: "SERVICE_UNAVAILABLE" } }),
    );
    await page.getByRole("tab", { name: "Edit" }).click();
    await fillBody(page, `Written in ${colorScheme}.`);
    await page.keyboard.press("Control+s");
    await expect(page.locator("[data-sonner-toast]")).toBeVisible();
    await page.unroute("**/api/**");
    expect(["a failed save", violations]).toEqual(["a failed save", []]);
    screens++;
  }
  process.stdout.write(`S14: ${screens} screens on a phone, 0 violations\n`);
});
