import { expect, type Locator, type Page, test } from "@playwright/test";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { registerUser, userWithShowcase } from "@/tests/support/e2e-user";
import { expectFocusOn, expectFocusSeen, focusTo, press } from "@/tests/support/keyboard";
import type { Showcase } from "@/tests/support/showcase";

// On phones a page's actions are in a bar at the bottom: the main one, and a menu with the others.

const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1440, height: 900 };

test.use({ viewport: PHONE, hasTouch: true });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const action = (page: Page, name: string) => button(page, name).or(page.getByRole("link", { name, exact: true }));
const more = (page: Page) => button(page, "More actions");
const entry = (page: Page, name: string) => page.getByRole("menuitem", { name });
const inDialog = (page: Page, name: string) =>
  page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name, exact: true });

/** The main action in a page's bar and the others in its menu, some with the reason why they are disabled. */
type Entries = [label: string, reason?: string][];
/** `minor` lists those that are in a menu on wide screens too. */
type Bar = { path: (shown: Showcase) => string; main: string; others: Entries; minor?: Entries };

const REFUSED: Entries = [
  ["Sync Status", "Not on WordPress yet"],
  ["Publish to WordPress", "Write a body first"],
];
const BARS: Record<string, Bar> = {
  project: {
    path: ({ projectId }) => `/projects/${projectId}`,
    main: "Create Content Ideas",
    others: [
      ["Back to Projects"],
      ["Plan with the assistant"],
      ["All Pieces"],
      ["Edit project"],
      ["WordPress Publishing"],
    ],
  },
  "a project without topics": {
    path: ({ emptyProjectId }) => `/projects/${emptyProjectId}`,
    main: "WordPress Publishing",
    others: [["Back to Projects"], ["Plan with the assistant"], ["All Pieces"], ["Edit project"]],
  },
  editor: { path: ({ pieces }) => `/content/${pieces.titleOnly}`, main: "Save Changes", others: REFUSED },
  outline: {
    path: ({ pieces }) => `/content/${pieces.outlined}`,
    main: "Write Content with AI",
    others: [...REFUSED, ["Save Changes"]],
  },
  publishing: {
    path: ({ projectId }) => `/wp-publishing/${projectId}`,
    main: "Publish All Content",
    others: [["Back to Project"], ["Refresh"], ["Publish Selected (0)", "Nothing is selected"]],
    minor: [
      // Its live piece is on another site, until the user says which site this is.
      ["Update changed posts", "Nothing is newer here than on your site"],
      ["Unpublish Selected (0)", "Nothing that is published is selected"],
    ],
  },
  "queue monitor": {
    path: () => "/queue-monitor",
    main: "Pause",
    others: [["Back to Home"], ["Refresh"], ["Resume Processing"]],
  },
  settings: { path: () => "/settings", main: "Save Settings", others: [] },
};

test("shows the main action in a bar and the others in its menu, and no bar on wide screens", async ({
  page,
  context,
}) => {
  const shown = await userWithShowcase(context, "phone");
  for (const [name, { path, main, others, minor = [] }] of Object.entries(BARS)) {
    await test.step(name, async () => {
      await page.setViewportSize(PHONE);
      await openPage(page, path(shown));
      await expect(action(page, main)).toHaveCount(1);
      await expectAtBottom(action(page, main));
      await expectEndUncovered(page);
      for (const [label] of others) await expect(action(page, label)).toHaveCount(0);
      await expect(more(page)).toHaveCount(others.length > 0 ? 1 : 0);
      if (others.length > 0) await expectMenu(page, [...others, ...minor]);

      await page.setViewportSize(WIDE);
      await expect(more(page)).toHaveCount(minor.length > 0 ? 1 : 0);
      for (const label of [main, ...others.map(([label]) => label)]) {
        await expect(action(page, label)).toHaveCount(1);
      }
      await expect(page.locator(".page-bar").first()).toHaveCSS("position", "static");
    });
  }
});

test("hides the settings' save bar once its form is scrolled away", async ({ page, context }) => {
  await registerUser(context, `phone.settings.${Date.now()}`);
  await openPage(page, "/settings");
  await expect(button(page, "Save Settings")).toBeInViewport();
  await page.getByLabel("New password").focus();
  await expect(button(page, "Change Password")).toBeInViewport();
  await expect(button(page, "Save Settings")).not.toBeInViewport();
});

test("never covers the focused element with the bar", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "phone.focus");
  await openPage(page, `/projects/${projectId}?topic=${topicId}`);
  await focusTo(page, more(page));
  const last = button(page, "Edit buyer persona");
  let pressed = 0;
  while (!(await last.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press("Tab");
    await expectFocusSeen(page);
    expect(++pressed).toBeLessThan(80);
  }
  expect(pressed).toBeGreaterThan(20);
});

test("runs the bar's actions by touch and by keyboard", async ({ page, context }) => {
  const { projectId, pieces } = await userWithShowcase(context, "phone.actions");

  await test.step("a link in the menu", async () => {
    await openPage(page, `/projects/${projectId}`);
    await more(page).tap();
    await entry(page, "WordPress Publishing").tap();
    await expect(page).toHaveURL(`/wp-publishing/${projectId}`);
  });

  await test.step("the main action, and one in the menu", async () => {
    await openPage(page, `/content/${pieces.full}`);
    await page.getByRole("tab", { name: "Edit" }).tap();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Sown on a phone");
    await button(page, "Save Changes").tap();
    await expectMessage(page, "Content has been updated successfully");
    await openPage(page, `/content/${pieces.outlined}`);
    await page.getByRole("textbox", { name: /^Heading of section 1 of / }).fill("Also on a phone");
    await press(page, more(page), "Enter", { back: true });
    await page.keyboard.press("End");
    await expectFocusOn(page, entry(page, "Save Changes"));
    await page.keyboard.press("Enter");
    await expectMessage(page, "Content has been updated successfully");
    await expectFocusOn(page, more(page));
  });

  await test.step("a disabled action can be focused, says why and does nothing", async () => {
    await openPage(page, `/content/${pieces.titleOnly}`);
    await press(page, more(page));
    await page.keyboard.press("End");
    const refused = entry(page, "Publish to WordPress");
    await expectFocusOn(page, refused);
    await page.keyboard.press("Enter");
    await expect(refused).toBeFocused();
    const { status } = await callApi<{ status: string }>(context, "GET", `/api/content/${pieces.titleOnly}`);
    expect(status).toBe("draft");
  });
});

test("keeps a topic's next step in reach below 768 px, and explains the other one in a menu", async ({
  page,
  context,
}) => {
  const { projectId } = await userWithShowcase(context, "phone.library");
  for (const width of [320, 360, 600, 767]) {
    await page.setViewportSize({ width, height: 740 });
    await openPage(page, `/content?projectId=${projectId}`);
    const main = button(page, "Generate Topic Outline").first();
    await expect(main).toBeInViewport({ ratio: 1 });
    await expect(button(page, "Write Topic Content with AI").first()).toBeHidden();
    await button(page, "Actions for Seed starting indoors").tap();
    const other = entry(page, "Write Topic Content with AI");
    await expect(other).toContainText("Generate content for all outlines in this topic");
    await expect(other).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.keyboard.press("Escape");
  }
});

test("publishes a piece with a category from the row's menu, and the selected ones from the bar", async ({
  page,
  context,
}) => {
  const { projectId } = await userWithShowcase(context, "phone.publishing");
  await openPage(page, `/wp-publishing/${projectId}`);

  await test.step("the category is chosen in a sheet at the bottom", async () => {
    const menu = button(page, "Actions for Cedar, larch or steel");
    await menu.tap();
    await entry(page, "Publish with Category").tap();
    const sheet = page.getByRole("dialog", { name: "Publish with Category" });
    await expect(sheet.getByLabel("Category")).toBeVisible();
    const box = await sheet.boundingBox();
    expect(box).toMatchObject({ x: 0, width: PHONE.width });
    expect(box && box.y + box.height).toBe(PHONE.height);
    await inDialog(page, "Publish").tap();
    // The showcase's posts are on another site.
    await page
      .getByRole("alertdialog", { name: "Which site is this?" })
      .getByRole("button", { name: "Another site" })
      .tap();
    await expectMessage(page, "Content published to WordPress successfully");
    await expect(sheet).toBeHidden();
    // Its project is on the other site now, whose statuses the rows get.
    await expect(page.getByText(/^WordPress Publishing to 127/)).toBeVisible();
    await expect(page.getByText("Not Published").first()).toBeVisible();
    await expect(menu).toBeFocused();
    await page.keyboard.press("Enter");
    await expectFocusOn(page, entry(page, "Update"));
    await expect(entry(page, "Open the post")).toHaveAttribute("target", "_blank");
    await page.keyboard.press("Escape");
  });

  await test.step("publishing the selection is the main action then", async () => {
    await page.getByRole("checkbox", { name: "Select “Cedar, larch or steel”" }).tap();
    await expectAtBottom(button(page, "Publish Selected (1)"));
    await expectMenu(page, [
      ["Back to Project"],
      ["Refresh"],
      ["Publish All Content"],
      ["Update changed posts", "Nothing is newer here than on your site"],
      ["Unpublish Selected (1)"],
    ]);
    await press(page, button(page, "Publish Selected (1)"), "Enter", { back: true });
    await press(page, inDialog(page, "Publish Selected"));
    await expectMessage(page, "Successfully published 1 out of 1 selected content pieces");
    await expectAtBottom(button(page, "Publish All Content"));
    await expectFocusSeen(page);
  });
});

/** Opens the menu, expects these entries, large enough to tap, and closes it. */
async function expectMenu(page: Page, others: Entries): Promise<void> {
  await more(page).tap();
  await expect(page.getByRole("menuitem")).toHaveText(others.map(([label, reason = ""]) => label + reason));
  for (const target of [more(page), ...(await page.getByRole("menuitem").all())]) {
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await page.keyboard.press("Escape");
  await expect(more(page)).toBeFocused();
}

async function expectAtBottom(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const box = await target.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(box && PHONE.height - (box.y + box.height)).toBe(8);
}

/** The bar covers nothing when the page is scrolled to its end. */
async function expectEndUncovered(page: Page): Promise<void> {
  const covered = await page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    const bar = [...document.querySelectorAll(".page-bar")].find((one) => one.checkVisibility());
    if (!bar) return ["no bar"];
    const { top, bottom } = bar.getBoundingClientRect();
    const others = [...document.querySelectorAll("#main *")].filter(
      (one) => one.checkVisibility() && !one.contains(bar) && !bar.contains(one),
    );
    const isUnder = (box: DOMRect) => box.bottom > top && box.top < bottom;
    return others.filter((one) => isUnder(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 80));
  });
  expect(covered).toEqual([]);
}
