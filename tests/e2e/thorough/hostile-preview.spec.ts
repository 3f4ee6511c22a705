import { expect, type Page, test } from "@playwright/test";
import { openPage } from "@/tests/support/e2e-page";
import { e2eQuery, userWithShowcase } from "@/tests/support/e2e-user";
import { HOSTILE_MARKDOWN } from "@/tests/support/hostile-markdown";
import { watchPolicy } from "@/tests/support/policy-watch";

/** The hardest texts for parser, tree, table and layout, and what the preview shows for each. */
const TEXTS: { shape: string; bytes: number; answer: RegExp }[] = [
  { shape: "e-mail addresses", bytes: 500_000, answer: /more than \d+ MB of HTML|takes longer than 10 seconds/ },
  { shape: "items of a list", bytes: 100_000, answer: /This text is long: part 1 of \d+ is shown/ },
  { shape: "a table of 316 columns with short rows", bytes: 100_000, answer: /a table of 316 columns; at most 250/ },
  { shape: "one word", bytes: 500_000, answer: /aaaa/ },
];

test("previews hostile texts and stays responsive to typing", async ({ page, context }) => {
  test.setTimeout(180_000);
  const violations = await watchPolicy(page);
  const { pieces } = await userWithShowcase(context, "hostile");
  const panel = page.getByRole("tabpanel");
  for (const { shape, bytes, answer } of TEXTS) {
    await test.step(shape, async () => {
      const body = HOSTILE_MARKDOWN[shape]?.(bytes).slice(0, bytes) ?? "";
      await e2eQuery("UPDATE content_pieces SET body = $2, is_outline = false WHERE id = $1::uuid", [
        pieces.full,
        body,
      ]);
      await openPage(page, `/content/${pieces.full}`);

      // Return to the text while the preview is still rendering.
      await page.getByRole("tab", { name: "Preview" }).click();
      await page.getByRole("tab", { name: "Edit" }).click();
      const keyDelay = await typeInTitle(page, "typed");
      expect(keyDelay, `${shape}: ms until a key is drawn`).toBeLessThan(500);
      await expect(page.getByLabel("Title", { exact: true })).toHaveValue(/typed/);

      const pause = await longestPause(page, async () => {
        await page.getByRole("tab", { name: "Preview" }).click();
        await expect(panel).toContainText(answer, { timeout: 30_000 });
      });
      // A short pause is fine, also on a busy machine; a freeze is not.
      expect(pause, `${shape}: ms that the page stood still`).toBeLessThan(1_000);
      await expect(panel.getByRole("heading", { name: /typed/ })).toBeVisible();

      await page.getByRole("tab", { name: "SEO Assistant" }).click();
      await expect(panel.locator("dl", { hasText: "Word count" }).locator("dd")).toHaveText(/^[\d,]+$/);
      console.log(`${shape}, ${bytes / 1_000} KB: a key ${keyDelay} ms, longest pause ${pause} ms`);
    });
  }
  expect(violations).toEqual([]);
});

/** The median time from a key to the frame that shows it. */
async function typeInTitle(page: Page, word: string): Promise<number> {
  const title = page.getByLabel("Title", { exact: true });
  await title.press("End");
  await title.evaluate((field) => {
    const times: number[] = [];
    Object.assign(window, { __keys: times });
    field.addEventListener("keydown", ({ timeStamp }) =>
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp))),
    );
  });
  await title.pressSequentially(word);
  const keys = () => page.evaluate(() => (window as unknown as { __keys: number[] }).__keys);
  await expect.poll(async () => (await keys()).length).toBe(word.length);
  return Math.round((await keys()).sort((a, b) => a - b)[Math.floor(word.length / 2)] ?? Number.POSITIVE_INFINITY);
}

/** The longest time that the main thread is blocked during `work`. */
async function longestPause(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const watch = { longest: 0, isOver: false };
    Object.assign(window, { __pause: watch });
    let last = performance.now();
    (function tick() {
      const now = performance.now();
      watch.longest = Math.max(watch.longest, now - last);
      last = now;
      if (!watch.isOver) setTimeout(tick);
    })();
  });
  await work();
  return page.evaluate(() => {
    const watch = (window as unknown as { __pause: { longest: number; isOver: boolean } }).__pause;
    watch.isOver = true;
    return Math.round(watch.longest);
  });
}
