import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { hydrated, openPage } from "@/tests/support/e2e-page";
import { SIGNED_IN } from "@/tests/support/e2e-screens";
import { e2eQuery, PASSWORD, registerUser, userWithShowcase } from "@/tests/support/e2e-user";
import type { Showcase } from "@/tests/support/showcase";

// These tests hold back the server's response to a navigation, as a very slow connection would.

const LINE = { name: "Loading page" } as const;
/** How soon a click must get feedback, in milliseconds. */
const AT_ONCE = 100;

const line = (page: Page) => page.getByRole("progressbar", LINE);

/** Holds back everything the router requests, prefetches included, until `release`. */
async function holdPages(context: BrowserContext): Promise<{ release: () => Promise<void> }> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const isPage = (url: URL) => url.searchParams.has("_rsc");
  await context.route(isPage, async (route) => {
    await opened;
    await route.continue().catch(() => undefined);
  });
  return {
    async release() {
      open();
      await context.unroute(isPage);
    },
  };
}

/**
 * Measures in the page the time from a press to the line in the document. A wait without a drawn frame counts as zero,
 * because then the whole machine is busy. Must run before the page is opened.
 */
async function watchLine(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let pressedAt = 0;
    let frames = 0;
    const waits: number[] = [];
    Object.assign(window, { lineWaits: waits });
    const count = () => {
      frames++;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    for (const press of ["click", "keydown"]) {
      window.addEventListener(
        press,
        () => {
          pressedAt = performance.now();
          frames = 0;
        },
        true,
      );
    }
    const isLine = (node: Node) =>
      node instanceof Element &&
      (node.matches("[aria-label='Loading page']") || node.querySelector("[aria-label='Loading page']") !== null);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        if ([...addedNodes].some(isLine)) waits.push(frames === 0 ? 0 : performance.now() - pressedAt);
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** How long the line took to show, each time on this page. */
function waitsOf(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { lineWaits: number[] }).lineWaits);
}

/** The ten screens, with a link on each and where it leads. */
const LINKS: Record<string, { path: (shown: Showcase) => string; link: (page: Page) => Locator; to: RegExp }> = {
  home: {
    path: SIGNED_IN.home?.path ?? (() => "/"),
    link: (page) => page.getByRole("main").locator("h3").getByRole("link").first(),
    to: /\/projects\/\d+$/,
  },
  project: {
    path: ({ projectId }) => `/projects/${projectId}`,
    link: (page) => page.getByRole("link", { name: "WordPress Publishing" }).first(),
    to: /\/wp-publishing\/\d+$/,
  },
  library: {
    path: () => "/content",
    link: (page) => page.getByRole("main").locator("a[href^='/content/']").first(),
    to: /\/content\/[\w-]{36}$/,
  },
  editor: {
    path: ({ pieces }) => `/content/${pieces.full}`,
    link: (page) => page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Content" }),
    to: /\/content$/,
  },
  "project picker": {
    path: () => "/wordpress-publishing",
    link: (page) => page.getByRole("link", { name: "Manage Publishing" }).first(),
    to: /\/wp-publishing\/\d+$/,
  },
  publishing: {
    path: ({ projectId }) => `/wp-publishing/${projectId}`,
    link: (page) => page.getByRole("link", { name: "Back to Project" }).first(),
    to: /\/projects\/\d+$/,
  },
  assistant: {
    path: ({ projectId }) => `/assistant/${projectId}`,
    link: (page) => page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").nth(1),
    to: /\/projects\/\d+$/,
  },
  "queue monitor": {
    path: () => "/queue-monitor",
    link: (page) => page.getByRole("link", { name: "Back to Home" }).first(),
    to: /\/$/,
  },
  settings: {
    path: () => "/settings",
    link: (page) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "WordPress" }),
    to: /\/wordpress-publishing$/,
  },
  "not found": {
    path: () => "/nowhere",
    link: (page) => page.getByRole("link", { name: "Go to Home" }),
    to: /\/$/,
  },
};

test("shows a progress line on every screen within 100 ms of a click on a link, until the next page is there", async ({
  page,
  context,
}) => {
  const shown = await userWithShowcase(context, "line");
  await watchLine(page);
  for (const [screen, { path, link, to }] of Object.entries(LINKS)) {
    await test.step(screen, async () => {
      const pages = await holdPages(context);
      await openPage(page, path(shown));
      await expect(line(page)).toBeHidden();
      await link(page).click();
      await expect(line(page)).toBeVisible();
      // It must not shift the layout.
      await expect(line(page)).toHaveCSS("position", "fixed");
      const [wait = Number.POSITIVE_INFINITY] = await waitsOf(page);
      expect([screen, wait < AT_ONCE ? "at once" : wait]).toEqual([screen, "at once"]);
      await pages.release();
      await expect(page).toHaveURL(to);
      await expect(line(page)).toBeHidden();
    });
  }
});

test("shows the line for sign-in, search, browser back and leaving unsaved text", async ({ page, context }) => {
  const name = `line-ways.${Date.now()}`;
  await registerUser(context, name);
  await context.clearCookies();
  await watchLine(page);

  await test.step("sign-in", async () => {
    const pages = await holdPages(context);
    await openPage(page, "/auth");
    await page.getByLabel("Username").fill(name);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("button", { name: "Login" })).toHaveAttribute("aria-busy", "true");
    await expect(line(page)).toBeVisible();
    await pages.release();
    await expect(page.getByRole("heading", { name: `Welcome, ${name}` })).toBeVisible();
    await expect(line(page)).toBeHidden();
  });

  await test.step("the search", async () => {
    const pages = await holdPages(context);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search or jump to").fill("queue");
    const found = page.getByRole("option");
    await expect(found).toHaveText(["Queue Monitor"]);
    await page.keyboard.press("ArrowDown");
    await expect(found).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(line(page)).toBeVisible();
    expect((await waitsOf(page)).at(-1)).toBeLessThan(AT_ONCE);
    await pages.release();
    await expect(page).toHaveURL(/\/queue-monitor$/);
    await expect(line(page)).toBeHidden();
  });

  await test.step("browser back, to a page that is no longer in memory", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await page.reload();
    await hydrated(page);
    const pages = await holdPages(context);
    await page.evaluate(() => history.back());
    await expect(line(page)).toBeVisible();
    await pages.release();
    await expect(page.getByRole("heading", { name: "Queue Monitor", level: 1 })).toBeVisible();
    await expect(line(page)).toBeHidden();
  });

  await test.step("unsaved text: only after the question is answered", async () => {
    const pages = await holdPages(context);
    await openPage(page, "/settings");
    await page.getByLabel("Site address").or(page.getByLabel(/URL/)).first().fill("https://blog.example");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Queue Monitor" }).click();
    await expect(page.getByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
    expect(await waitsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Leave" }).click();
    await expect(line(page)).toBeVisible();
    await pages.release();
    await expect(page).toHaveURL(/\/queue-monitor$/);
    await expect(line(page)).toBeHidden();
  });
});

test("shows the line while the browser loads a whole page", async ({ page, context }) => {
  // The page cannot be queried while the browser leaves it, so it reports the line itself; the next page waits for that.
  let report: () => void = () => undefined;
  const shown = new Promise<void>((resolve) => {
    report = resolve;
  });
  await context.exposeFunction("lineIsThere", () => report());
  await openPage(page, "/auth/forgot");
  await page.evaluate(() => {
    const { lineIsThere } = window as unknown as { lineIsThere: () => void };
    new MutationObserver(() => {
      if (document.querySelector("[aria-label='Loading page']")) lineIsThere();
    }).observe(document, { childList: true, subtree: true });
  });
  await context.route("**/auth", async (route) => {
    await shown;
    await route.continue();
  });
  await page.getByRole("link", { name: "Back to sign in" }).click();
  await expect(page.getByRole("tab", { name: "Login" })).toBeVisible();
  await expect(line(page)).toBeHidden();
});

test("it does not show for changes within the page or another window, nor forever", async ({ page, context }) => {
  const { projectId } = await userWithShowcase(context, "line-stays");
  await watchLine(page);

  await test.step("filters and the open topic, which only change the address", async () => {
    await openPage(page, "/content");
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Draft", exact: true }).click();
    await expect(page).toHaveURL(/status=draft/);
    expect(await waitsOf(page)).toEqual([]);
    await openPage(page, `/projects/${projectId}`);
    await page.locator("main h3 button[aria-expanded]").first().click();
    await expect(page).toHaveURL(/topic=\d+/);
    expect(await waitsOf(page)).toEqual([]);
  });

  await test.step("another window", async () => {
    const opened = context.waitForEvent("page");
    await page
      .getByRole("link", { name: "WordPress Publishing" })
      .first()
      .click({ modifiers: ["Control"] });
    await (await opened).close();
    expect(await waitsOf(page)).toEqual([]);
  });

  await test.step("a link to the current page", async () => {
    await openPage(page, "/queue-monitor");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Queue Monitor" }).click();
    await expect(page.getByRole("heading", { name: "Queue Monitor", level: 1 })).toBeVisible();
    await expect(line(page)).toBeHidden();
  });

  await test.step("a second click, after a first that never gets a response", async () => {
    const entries = page.getByRole("navigation", { name: "Main" });
    const isSettings = (url: URL) => url.pathname === "/settings" && url.searchParams.has("_rsc");
    await context.route(isSettings, () => undefined);
    await entries.getByRole("link", { name: "Settings" }).click();
    await expect(line(page)).toBeVisible();
    await entries.getByRole("link", { name: "WordPress" }).click();
    await expect(page).toHaveURL(/\/wordpress-publishing$/);
    await expect(line(page)).toBeHidden();
    await context.unroute(isSettings);
  });
});

test("keeps the line still and just as visible with reduced motion", async ({ page, context }) => {
  await registerUser(context, `line-still.${Date.now()}`);
  const pages = await holdPages(context);
  await openPage(page, "/queue-monitor");
  await page.getByRole("link", { name: "Back to Home" }).first().click();
  await expect(line(page)).toBeVisible();
  const bar = line(page).locator("div");
  await expect
    .poll(() => bar.evaluate((node) => node.getAnimations().filter(({ playState }) => playState === "running").length))
    .toBe(0);
  expect((await bar.boundingBox())?.width).toBeGreaterThan(1_000);
  await pages.release();
});

test("answers 404 for what does not exist, whatever shows while loading", async ({ page, context }) => {
  await registerUser(context, `line-gone.${Date.now()}`);
  const [{ highest } = { highest: 0 }] = await e2eQuery<{ highest: number }>("SELECT max(id) AS highest FROM projects");
  const missing = Number(highest) + 100_000;
  for (const [path, heading] of [
    [`/projects/${missing}`, "Project not found"],
    [`/wp-publishing/${missing}`, "Project not found"],
    [`/assistant/${missing}`, "Project not found"],
    ["/content/00000000-0000-4000-8000-000000000000", "Content not found"],
    ["/assistant/1/2", "404 Page Not Found"],
    ["/nowhere", "404 Page Not Found"],
  ] as const) {
    const answer = await page.goto(path);
    expect([path, answer?.status()]).toEqual([path, 404]);
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
  }
});
