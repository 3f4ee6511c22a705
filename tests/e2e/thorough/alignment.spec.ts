import { expect, type Locator, type Page, test } from "@playwright/test";
import { bodyEditor, fillBody } from "@/tests/support/e2e-editor";
import { openPage } from "@/tests/support/e2e-page";
import { SIGNED_IN } from "@/tests/support/e2e-screens";
import { connectSamples, registerUser } from "@/tests/support/e2e-user";
import { fillShowcase, type Showcase } from "@/tests/support/showcase";

// What a user sees as out of line: sizes and edges, in whole pixels.

const WIDE = { width: 1920, height: 900 };
const PHONE = { width: 360, height: 740 };
/** Screens that begin with a page title. */
const TITLED = ["home", "project", "library", "project picker", "publishing", "queue monitor", "settings"];

let shown: Showcase;

test.beforeEach(async ({ page, context }) => {
  await page.setViewportSize(WIDE);
  const id = await registerUser(context, `alignment.${crypto.randomUUID().slice(0, 8)}`);
  await connectSamples(context);
  shown = await fillShowcase(process.env.E2E_DATABASE_URL ?? "", id);
});

async function open(page: Page, name: string): Promise<void> {
  const screen = SIGNED_IN[name];
  if (!screen) throw new Error(`There is no screen ${name}.`);
  await openPage(page, screen.path(shown));
  await screen.open?.(page);
  await expect(screen.heading(page)).toBeVisible();
}

async function edges(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not on the screen.`);
  const { x, y, width, height } = box;
  return {
    start: Math.round(x),
    end: Math.round(x + width),
    middle: Math.round(y + height / 2),
    width: Math.round(width),
  };
}

const fontSize = (element: Locator) => element.evaluate((node) => getComputedStyle(node).fontSize);

test("gives the titles of all pages one size, and the top bar the edges of the page", async ({ page }) => {
  const sizes: Record<string, string> = {};
  for (const name of TITLED) {
    await open(page, name);
    const title = page.getByRole("heading", { level: 1 });
    sizes[name] = await fontSize(title);
    const path = await edges(page.getByRole("navigation", { name: "Breadcrumb" }));
    const search = await edges(page.getByRole("button", { name: /Search or jump to/ }));
    const main = await page.locator("#main").evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return { start: Math.round(left + parseFloat(paddingLeft)), end: Math.round(right - parseFloat(paddingRight)) };
    });
    expect([name, path.start, search.end]).toEqual([name, main.start, main.end]);
    expect([name, (await edges(title)).start]).toEqual([name, main.start]);
  }
  expect(sizes).toEqual(Object.fromEntries(TITLED.map((name) => [name, "24px"])));
});

test("begins words without a frame at the edge of what is above them", async ({ page }) => {
  await page.setViewportSize({ width: 820, height: 1180 });
  await open(page, "project");
  const icon = page.getByRole("link", { name: "Back to Projects" }).locator("svg");
  const title = await edges(page.getByRole("heading", { level: 1 }));
  // An icon stands two pixels into its button's padding.
  expect(Math.abs((await edges(icon)).start - title.start)).toBeLessThanOrEqual(2);

  await open(page, "editor");
  const history = page.getByRole("button", { name: "Revision history" });
  const tab = await edges(page.getByRole("tab", { name: "Preview" }));
  expect(Math.abs((await edges(history)).middle - tab.middle)).toBeLessThanOrEqual(1);
  const tabs = await edges(page.getByRole("tablist", { name: "Content" }));
  expect((await edges(history)).end).toBe(tabs.end + 10);
});

test("keeps a pending button's width", async ({ page }) => {
  for (const [name, label] of [
    ["editor", "Save Changes"],
    ["publishing", "Refresh"],
  ] as const) {
    await open(page, name);
    const button = page.getByRole("button", { name: label });
    if (name === "editor") await page.getByRole("textbox", { name: "Title", exact: true }).press("!");
    const before = await edges(button);
    await page.route("**/*", (route) => (route.request().url().includes("/api/") ? undefined : route.continue()));
    await button.click();
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect(button.locator("[data-slot='spinner']")).toBeVisible();
    expect([name, await edges(button)]).toEqual([name, before]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
});

test("sets paragraphs as far apart in the preview as in the editor", async ({ page }) => {
  const distance = async (first: Locator, second: Locator) =>
    (await edges(second)).middle - (await edges(first)).middle;
  await open(page, "editor");
  const body = await bodyEditor(page);
  await fillBody(page, "One line.\n\nAnother line.");
  const written = await distance(body.getByText("One line."), body.getByText("Another line."));
  await page.getByRole("tab", { name: "Preview" }).click();
  const preview = page.getByRole("tabpanel");
  await expect(preview.getByText("One line.")).toBeVisible();
  expect(await distance(preview.getByText("One line."), preview.getByText("Another line."))).toBe(written);
});

test("makes a heading smaller than the piece's title on a phone, in the editor and in the preview", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await open(page, "editor");
  const title = parseFloat(await fontSize(page.getByRole("textbox", { name: "Title", exact: true })));
  await bodyEditor(page);
  await fillBody(page, "## A heading\n\nText.");
  expect(parseFloat(await fontSize(page.locator(".cm-heading-2").first()))).toBeLessThan(title);
  await page.getByRole("tab", { name: "Preview" }).click();
  const heading = page.getByRole("tabpanel").getByRole("heading", { name: "A heading" });
  expect(parseFloat(await fontSize(heading))).toBeLessThan(title);
});
