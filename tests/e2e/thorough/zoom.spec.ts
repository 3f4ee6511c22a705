import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { openPage } from "@/tests/support/e2e-page";
import { type Screen, SIGNED_IN, VISITOR } from "@/tests/support/e2e-screens";
import { connectSamples, registerUser } from "@/tests/support/e2e-user";
import { fillShowcase, type Showcase } from "@/tests/support/showcase";

// The CSS pixels of a window of 1280 by 1024 at 200 % and 400 % zoom (WCAG 1.4.4 and 1.4.10).
const WINDOWS = {
  "200 %": { width: 640, height: 400 },
  "400 %": { width: 320, height: 256 },
};
const WIDE = { width: 1280, height: 1024 };
const PHONE = { width: 360, height: 740 };
/** The text spacing that a page must support (WCAG 1.4.12). */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Decorative text, hidden from screen readers. */
const DECORATION = "[aria-hidden='true']:not(:has(~ [role='dialog'], ~ [role='alertdialog']))";
/** Shortened on purpose without a title: the whole text is where the button or the card leads. This may only shrink. */
const WHOLE_ELSEWHERE = "[role='combobox'] > span";

let shown: Showcase;
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> = [];

test.use({ trace: "off", deviceScaleFactor: 2 });

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ baseURL: process.env.E2E_BASE_URL });
  const id = await registerUser(context, `zoom.${Date.now()}`);
  await connectSamples(context);
  shown = await fillShowcase(process.env.E2E_DATABASE_URL ?? "", id);
  cookies = await context.cookies();
  await context.close();
});

test("keeps everything in reach and unclipped, without sideways scrolling, at 200 and 400 % zoom and with wider text", async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  const found: string[] = [];
  let checked = 0;
  for (const [screens, own] of [
    [VISITOR, []],
    [SIGNED_IN, cookies],
  ] as const) {
    await context.addCookies([...own]);
    for (const [name, screen] of Object.entries(screens)) {
      await page.setViewportSize(WIDE);
      await openPage(page, screen.path(shown));
      await screen.open?.(page);
      await expect(screen.heading(page)).toBeVisible();
      for (const [zoom, size] of Object.entries(WINDOWS)) {
        await page.setViewportSize(size);
        found.push(...(await outOfReach(page, screen)).map((what) => `${name} at ${zoom}: ${what}`));
      }
      await widen(page);
      for (const size of [WIDE, PHONE]) {
        await page.setViewportSize(size);
        found.push(...(await cutOff(page)).map((what) => `${name}, ${size.width} wide: ${what}`));
      }
      checked++;
    }
  }
  expect(found).toEqual([]);
  process.stdout.write(`zoom: ${checked} screens at 200 %, at 400 % and with wider text, nothing lost\n`);
});

/** Reports a page wider than its window, and a heading or main action out of reach. */
async function outOfReach(page: Page, screen: Screen): Promise<string[]> {
  const found: string[] = [];
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (tooWide > 0) found.push(`${tooWide} px too wide`);
  for (const part of ["heading", "action"] as const) {
    const target = screen[part](page);
    let seen = "";
    // The layout may still be changing.
    await expect(async () => {
      await target.scrollIntoViewIfNeeded({ timeout: 1_000 });
      const box = await target.boundingBox({ timeout: 1_000 });
      const width = page.viewportSize()?.width ?? 0;
      const isInside = box !== null && box.x >= 0 && box.x + box.width <= width && (await isUncovered(target));
      seen = isInside ? "" : `${part} at ${JSON.stringify(box)}`;
      expect(seen).toBe("");
    })
      .toPass({ timeout: 3_000 })
      .catch(() => found.push(seen || `${part} is not there`));
  }
  return found;
}

function widen(page: Page): Promise<void> {
  return page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, SPACING);
}

/** True if its middle is not under something else, such as the bar on top. */
function isUncovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const middle = (Math.max(top, 0) + Math.min(bottom, window.innerHeight)) / 2;
    const hit = document.elementFromPoint((left + right) / 2, middle);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
}

/** Texts that are cut off, except those shortened on purpose, which have the whole text as their title. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(
    ([decoration, whole]) =>
      [...document.querySelectorAll<HTMLElement>("body *")]
        .filter((element) => {
          const { overflowX, overflowY, clipPath, display } = getComputedStyle(element);
          const { width, height } = element.getBoundingClientRect();
          if (width < 2 || height < 2 || display === "inline" || clipPath !== "none") return false;
          const hidesX = /hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 2;
          const hidesY = /hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 2;
          if (!(hidesX || hidesY) || (element.textContent ?? "").trim() === "" || !element.checkVisibility())
            return false;
          return !(
            element.closest("[title]")?.getAttribute("title") ||
            element.closest(decoration) ||
            element.matches(whole)
          );
        })
        .map((element) => `${element.tagName.toLowerCase()} “${(element.textContent ?? "").trim().slice(0, 60)}”`),
    [DECORATION, WHOLE_ELSEWHERE] as const,
  );
}
