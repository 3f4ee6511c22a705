import { expect, type Locator, type Page, test } from "@playwright/test";
import { bodyEditor, fillBody } from "@/tests/support/e2e-editor";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
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

const TEXT = [
  "Opening.",
  "## Secondary",
  "Middle.",
  "Closing.",
  "### Tertiary",
  "- alpha\n- beta\n  - gamma\n  - delta\n- epsilon",
  "Between.",
  "1. zeta\n2. eta",
  "#### Quaternary",
  "> Quoted.",
  '![A bed](https://pictures.example/bed.svg "Captioned")',
  "Ending.",
].join("\n\n");

/** What the places in TEXT are known by. */
const WORDS =
  "Opening Secondary Middle Closing Tertiary alpha beta gamma delta epsilon Between zeta eta Quaternary Quoted Captioned Ending".split(
    " ",
  );

/** Where the words of a panel begin, by the first word of each text. */
function places(panel: Locator): Promise<Record<string, { x: number; y: number }>> {
  return panel.evaluate((element) => {
    const found: Record<string, { x: number; y: number }> = {};
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const word = /\p{L}{3,}/u.exec(node.nodeValue ?? "");
      if (!word) continue;
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + 1);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const above = element.getBoundingClientRect().top;
      const isRtl = getComputedStyle(node.parentElement as Element).direction === "rtl";
      found[word[0]] = { x: isRtl ? right : left, y: (top + bottom) / 2 - above };
    }
    return found;
  });
}

async function servePictures(page: Page): Promise<void> {
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"></svg>';
  await page.route("https://pictures.example/**", (route) => route.fulfill({ body, contentType: "image/svg+xml" }));
}

test("sets blocks as far apart in the preview as in the editor, and captions under their pictures", async ({
  page,
}) => {
  await servePictures(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await open(page, "editor");
    const body = await bodyEditor(page);
    await fillBody(page, TEXT);
    await page.getByRole("textbox", { name: "Title", exact: true }).focus();
    await expect.poll(async () => (await edges(body.locator(".cm-image img"))).width).toBe(300);
    const written = await places(body);
    const look = await lookOf(body.getByText("Captioned"));
    await page.getByRole("tab", { name: "Preview" }).click();
    const preview = page.getByRole("tabpanel");
    await expect(preview.getByText("Ending.")).toBeVisible();
    const read = await places(preview);
    for (const [index, word] of WORDS.entries()) {
      const before = WORDS[index - 1] ?? word;
      const [apart, expected] = [written, read].map((all) => (all[word]?.y ?? NaN) - (all[before]?.y ?? NaN));
      expect([size.width, word, Math.abs((apart ?? NaN) - (expected ?? NaN)) <= 1]).toEqual([size.width, word, true]);
    }
    expect(await lookOf(preview.getByText("Captioned"))).toEqual(look);
  }
});

const SIZES = [PHONE, { width: 820, height: 1180 }, { width: 1440, height: 900 }];

function lookOf(element: Locator) {
  return element.evaluate((node) => {
    const { fontSize, lineHeight, color, fontStyle } = getComputedStyle(node);
    return { fontSize, lineHeight, color, fontStyle };
  });
}

test("moves no word when the caret enters or leaves a heading or a captioned picture", async ({ page }) => {
  await servePictures(page);
  const picture = '![A bed](https://pictures.example/bed.svg "Captioned")';
  const text = `# Primary\n\nOpening.\n\n## Secondary\n\n### Tertiary\n\n###### Last\n\n## عنوان\n\n${picture}\n\nEnding.`;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await open(page, "editor");
    const body = await bodyEditor(page);
    await fillBody(page, text);
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    await title.focus();
    await expect.poll(async () => (await edges(body.locator(".cm-image img"))).width).toBe(300);
    const before = await places(body);
    for (const heading of ["Primary", "Secondary", "Tertiary", "Last", "عنوان"]) {
      const line = body.locator(".cm-line", { hasText: heading });
      await line.click();
      await expect(line.locator(".cm-heading-mark")).toHaveText(/^#+ $/);
      expect([size.width, heading, await places(body)]).toEqual([size.width, heading, before]);
      const mark = await line.locator(".cm-heading-mark").evaluate((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      });
      expect([heading, mark.left >= 0 && mark.right <= size.width]).toEqual([heading, true]);
    }
    // At the picture its source shows; once the caret has left it, all is where it was.
    await body.getByText("Captioned").click();
    await expect(body.locator(".cm-image")).toHaveCount(0);
    await body.getByText("Ending.").click();
    await expect(body.locator(".cm-image")).toHaveCount(1);
    expect([size.width, await places(body)]).toEqual([size.width, before]);
  }
});

test("shows a text that the AI writes as the preview does afterwards", async ({ page, context }) => {
  await connectSamples(context, 8_000);
  const id = shown.pieces.outlined;
  await callApi(context, "PATCH", `/api/content/${id}`, {
    outline: "## Alpha\nOne.\n\n## Beta\nTwo.\n\n## Gamma\nThree.",
  });
  await openPage(page, `/content/${id}`);
  await page.getByRole("button", { name: "Write Content with AI" }).first().click();
  const panel = page.getByRole("tabpanel");
  const heading = (name: string) => panel.getByRole("heading", { name });
  const look = async () => ({
    ...(await lookOf(heading("Alpha"))),
    section: (await edges(heading("Beta"))).middle - (await edges(heading("Alpha"))).middle,
  });
  await expect(page.getByText("Section 3 of 3")).toBeVisible({ timeout: 30_000 });
  const written = await look();
  await expectMessage(page, "Content generated successfully from outline");
  await page.getByRole("tab", { name: "Preview" }).click();
  await expect(heading("Gamma")).toBeVisible();
  expect(await look()).toEqual(written);
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
