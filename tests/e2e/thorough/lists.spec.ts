import { expect, type Locator, test } from "@playwright/test";
import type { PublishingJobOut } from "@/lib/features/publishing/schema";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";
import { aJob, aResult, endedJob, UNCERTAIN, UNREACHABLE } from "@/tests/support/publishing-jobs";

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 320, height: 740 };

test.use({ trace: "off" });

test("shows a title of 120 letters whole on wide screens: badges and dates give way", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "titles");
  const title =
    "How an allotment club rewrote its rules on hedges, sheds, ponds, bees and bonfires in one winter, after 11 long meetings";
  expect(title).toHaveLength(120);
  await callApi(context, "POST", `/api/projects/${projectId}/topics/${topicId}/content`, {
    title,
    body: "A text.",
    outline: "## One",
  });
  for (const width of [1920, 1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/content", `/projects/${projectId}?topic=${topicId}`, `/wp-publishing/${projectId}`]) {
      await openPage(page, path);
      expect([path, width, await isCut(page.getByRole("link", { name: title, exact: true }))]).toEqual([
        path,
        width,
        false,
      ]);
    }
  }
  await page.goto("/content");
  const row = page.getByRole("link", { name: title, exact: true });
  const status = row.locator("xpath=following-sibling::*").first();
  expect((await placeOf(status)).y).toBeGreaterThan((await placeOf(row)).y);
});

test("keeps the publishing list in its place whatever becomes of the job", async ({ page, context }) => {
  const { projectId } = await userWithShowcase(context, "steady");
  let latest: { job: PublishingJobOut; engineAwaySince: string | null } = { job: aJob(), engineAwaySince: null };
  const failed = aResult({ title: "A long title ".repeat(9), status: "failed", error: "No. ".repeat(60) });
  await page.route(/\/publishing-jobs$/, (route) => route.fulfill({ json: latest }));
  await page.route(/\/publishing-jobs\/[^/]+\/results/, (route) => route.fulfill({ json: Array(5).fill(failed) }));
  const tabs = page.getByRole("tablist");
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    for (const [job, text, engineAwaySince = null] of [
      [aJob({ completedItems: 1, ...UNREACHABLE }), "Your site cannot be reached"],
      [aJob({ completedItems: 1 }), "The job engine does not answer", "2026-11-03T08:59:00.000Z"],
      [endedJob({ completedItems: 1, failedItems: 2 }), "2 of 3 failed"],
      [endedJob({ status: "failed", completedItems: 0, failedItems: 3, ...UNCERTAIN }), "Which site is this?"],
      [endedJob(), /^Last job: Completed · 3 of 3 pieces published/],
    ] as const) {
      latest = { job: aJob(), engineAwaySince: null };
      await openPage(page, `/wp-publishing/${projectId}`);
      await expect(page.getByText("0 of 3 published")).toBeVisible();
      const { y } = await placeOf(tabs);
      latest = { job, engineAwaySince };
      await expect(page.getByText(text).first()).toBeVisible();
      expect([size.width, text, (await placeOf(tabs)).y]).toEqual([size.width, text, y]);
    }
    const { y } = await placeOf(tabs);
    await page.getByRole("button", { name: "Close the result" }).click();
    await expect(page.getByRole("button", { name: "Results" })).toBeFocused();
    expect((await placeOf(tabs)).y).toBeLessThan(y);
  }
});

test("moves no row of the queue monitor when the engine is away or a poll fails", async ({ page, context }) => {
  await userWithShowcase(context, "monitor");
  const status = await callApi<object>(context, "GET", "/api/queue/status");
  let answer: "as it is" | "engine away" | "failed" = "as it is";
  await page.route("**/api/queue/status", async (route) => {
    if (answer === "as it is") return route.continue();
    if (answer === "failed") return route.fulfill({ status: 503, json: { message: "Not now." } });
    const now = new Date().toISOString();
    return route.fulfill({ json: { ...status, now, engineAwaySince: "2026-11-21T10:00:00.000Z" } });
  });
  const card = page.locator("[data-slot=card]").first();
  for (const size of [WIDE, PHONE]) {
    answer = "as it is";
    await page.setViewportSize(size);
    await openPage(page, "/queue-monitor");
    const { y } = await placeOf(card);
    for (const [next, text] of [
      ["engine away", "The job engine does not answer"],
      ["failed", "The queues did not load"],
    ] as const) {
      answer = next;
      // It polls every ten seconds.
      await expect(page.getByText(text).first()).toBeInViewport({ ratio: 1, timeout: 15_000 });
      expect([size.width, text, (await placeOf(card)).y]).toEqual([size.width, text, y]);
    }
  }
});

test("gives suggestions their place before they arrive", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "place");
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/suggest-keywords", async (route) => {
    await answered;
    await route.continue();
  });
  for (const size of [WIDE, { width: 500, height: 740 }]) {
    await page.setViewportSize(size);
    await openPage(page, `/projects/${projectId}?topic=${topicId}`);
    await expect(page.getByRole("button", { name: "Edit keyword bottom watering" })).toBeVisible();
    await page.getByRole("button", { name: "Show Suggestions" }).click();
    await expect(page.getByText("Suggestions are on their way")).toBeVisible();
    const content = page.getByRole("heading", { name: /^Content \d/ });
    const { y } = await placeOf(content);
    answer();
    await expect(page.getByText("10 suggestions")).toBeVisible();
    expect([size.width, (await placeOf(content)).y]).toEqual([size.width, y]);
  }
  // The whole row is the button, with its word beside "Add".
  const row = page
    .getByRole("region", { name: "Suggested keywords" })
    .getByRole("button", { name: /^Add (?!All)/ })
    .first();
  const [list, button] = [await placeOf(row.locator("xpath=ancestor::ul")), await placeOf(row)];
  expect(button.width).toBeCloseTo(list.width, 0);
  const [add, word] = [await placeOf(row.locator("span").first()), await placeOf(row.locator("span").last())];
  expect(word.x - (add.x + add.width)).toBeLessThan(20);
});

test("shows a piece to publish in two lines at 820 px: the title, then status and topic", async ({ page, context }) => {
  const { projectId } = await userWithShowcase(context, "two-lines");
  await page.setViewportSize({ width: 820, height: 1180 });
  await openPage(page, `/wp-publishing/${projectId}`);
  await page.getByRole("tab", { name: "All Content" }).click();
  const row = page.getByRole("row", { name: /Cedar, larch or steel/ });
  const [title, status, topic] = [
    await placeOf(row.getByRole("link")),
    await placeOf(row.getByText("Not Published")),
    await placeOf(row.getByText("Raised beds, no-dig beds")),
  ];
  expect(status.y).toBeGreaterThan(title.y + title.height);
  expect(topic.x).toBeGreaterThanOrEqual(status.x + status.width);
  expect(status.y).toBeGreaterThanOrEqual(topic.y);
  expect(status.y).toBeLessThan(topic.y + topic.height / 2);
  expect((await placeOf(row)).height).toBeLessThan(80);
});

test("leaves the corners of a frame to the frame, and draws one line between tabs and list", async ({
  page,
  context,
}) => {
  const { projectId } = await userWithShowcase(context, "corners");
  for (const tab of ["By Topic", "All Content"]) {
    await page.setViewportSize(WIDE);
    await openPage(page, `/wp-publishing/${projectId}`);
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("checkbox").last().click();
    const last = page.locator("tr[data-state=selected]");
    expect([tab, await coveredCorners(last)]).toEqual([tab, []]);
    await page.setViewportSize(PHONE);
    await page.evaluate(() => window.scrollTo(0, 0));
    const list = page.getByRole("tabpanel").locator("section").first();
    const tabs = await placeOf(page.getByRole("tablist"));
    expect([tab, (await placeOf(list)).y]).toEqual([tab, tabs.y + tabs.height]);
    const lines = await list
      .locator("> :first-child")
      .evaluate((first) =>
        [first, ...first.children].flatMap((each) => [
          getComputedStyle(each).borderTopWidth,
          getComputedStyle(each, "::after").borderTopWidth,
        ]),
      );
    expect([tab, lines.filter((width) => width !== "0px")]).toEqual([tab, []]);
  }
  await page.setViewportSize(WIDE);
  await openPage(page, "/content");
  const row = page
    .getByRole("link", { name: "Cedar, larch or steel", exact: true })
    .locator("xpath=ancestor::div[contains(concat(' ', @class, ' '), ' group ')]");
  await row.hover();
  expect(await coveredCorners(row)).toEqual([]);
  for (const [path, folded] of [
    ["/wordpress-publishing", 0],
    ["/queue-monitor", 2],
  ] as const) {
    await openPage(page, path);
    const groups = page.getByRole("button", { name: /^Completed Items/ });
    await expect(groups).toHaveCount(folded);
    for (const group of await groups.all()) await group.click();
    const frames = page.locator("[data-slot=card]").filter({ has: page.locator("tbody tr") });
    expect(await frames.count()).toBeGreaterThan(0);
    for (const frame of await frames.all())
      expect([path, await coveredCorners(frame.locator("tbody tr").last())]).toEqual([path, []]);
  }
});

test("has one shape of chips, frames facts on phones, and keeps a card's date in one line", async ({
  page,
  context,
}) => {
  const { projectId, topicId } = await userWithShowcase(context, "chips");
  for (const [size, height] of [
    [WIDE, 28],
    [PHONE, 36],
  ] as const) {
    await page.setViewportSize(size);
    await openPage(page, `/projects/${projectId}?topic=${topicId}`);
    const keyword = page.getByRole("button", { name: "Edit keyword bottom watering" }).locator("xpath=ancestor::li");
    const shape = await shapeOf(keyword);
    expect(shape).toEqual({ height, radius: "6px", padding: "10px" });
    await page.getByPlaceholder("Add a keyword").fill("worms, bins");
    await page.keyboard.press("Enter");
    expect(await shapeOf(page.getByRole("list", { name: "Separate keywords" }).locator("li").first())).toEqual(shape);
    await page.getByRole("button", { name: /Edit.*persona/i }).click();
    expect(await shapeOf(page.getByRole("list", { name: "Interests" }).locator("li").first())).toEqual(shape);
    await page.keyboard.press("Escape");
    const fact = page.getByText("Title Only", { exact: true }).first();
    expect(await fact.evaluate((badge) => getComputedStyle(badge).boxShadow)).toContain("0px 0px 0px 1px inset");
  }
  await page.goto("/");
  const date = page.getByText("Created: November 12, 2026");
  await expect(date).toBeVisible();
  expect((await placeOf(date)).height).toBeLessThan(25);
});

async function placeOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error("It is not on the screen.");
  return box;
}

function isCut(target: Locator): Promise<boolean> {
  return target.evaluate(
    (each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1,
  );
}

/** The lower corners of a frame at which its last row is hit. */
function coveredCorners(row: Locator): Promise<string[]> {
  return row.evaluate((each) => {
    each.scrollIntoView({ block: "center" });
    const { left, right, bottom } = each.getBoundingClientRect();
    return Object.entries({ left: left + 0.5, right: right - 0.5 }).flatMap(([side, x]) =>
      each.contains(document.elementFromPoint(x, bottom - 0.5)) ? [side] : [],
    );
  });
}

function shapeOf(chip: Locator) {
  return chip.evaluate((each) => ({
    height: Math.round(each.getBoundingClientRect().height),
    radius: getComputedStyle(each).borderTopLeftRadius,
    padding: getComputedStyle(each.firstElementChild ?? each).paddingLeft,
  }));
}
