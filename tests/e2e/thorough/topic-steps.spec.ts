import { expect, type Page, test } from "@playwright/test";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";
import { expectFocusOn, expectFocusSeen, focusTo, press } from "@/tests/support/keyboard";

const steps = (page: Page, topic: string) => page.getByRole("list", { name: `Pieces of ${topic} by step` });
const rows = (page: Page) => page.getByRole("main").locator("a[href^='/content/'][title]");
const chips = (page: Page) => page.getByRole("list", { name: "Filters from a link" });
const cross = (page: Page, filter: string) => page.getByRole("button", { name: `Clear the filter ${filter}` });

const TOPIC = "Seed starting indoors";

test("leads by keyboard from a topic's counts to its pieces in the library, and back", async ({ page, context }) => {
  const { projectId, topicId } = await userWithShowcase(context, "steps");
  await openPage(page, `/projects/${projectId}`);
  await expect(steps(page, TOPIC)).toHaveText(/1 idea.*1 outline.*2 texts.*2 live/);
  // A topic without pieces has no steps.
  await expect(steps(page, "Slugs")).toHaveCount(0);

  await test.step("a count leads to its pieces, with the filters by name", async () => {
    await press(page, steps(page, TOPIC).getByRole("link", { name: "2 texts" }));
    await expect(page).toHaveURL(`/content?topicId=${topicId}&step=text`);
    await expect(chips(page)).toHaveText(`Topic: ${TOPIC}×Step: texts×`);
    await expect(rows(page)).toHaveText([/^Damping off/, /^Soil blocks/]);
  });

  await test.step("the filters survive a reload, and Back leads to the project", async () => {
    const answer = await page.reload();
    // The topic's name is there before any script.
    expect(await answer?.text()).toContain(`<bdi>${TOPIC}</bdi>`);
    await expect(chips(page)).toHaveText(`Topic: ${TOPIC}×Step: texts×`);
    await expect(rows(page)).toHaveCount(2);
    await page.goBack();
    await expect(page).toHaveURL(`/projects/${projectId}`);
    await expect(steps(page, TOPIC)).toBeVisible();
    await page.goForward();
    await expect(rows(page)).toHaveCount(2);
  });

  await test.step("they work together with a search", async () => {
    await focusTo(page, page.getByLabel("Search content"));
    await page.keyboard.type("soil blocks");
    await expect(page).toHaveURL(/search=soil\+blocks/);
    await expect(rows(page)).toHaveText([/^Soil blocks/]);
    await expect(page).toHaveURL(new RegExp(`topicId=${topicId}&step=text`));
    await page.keyboard.type(" of stone");
    await expect(page.getByText(`No texts that are not live in “${TOPIC}” match the other filters.`)).toBeVisible();
    await page.getByLabel("Search content").fill("");
    await expect(rows(page)).toHaveCount(2);
  });

  await test.step("each is cleared by itself, and the focus stays near", async () => {
    await press(page, cross(page, "Step: texts"), "Enter", { back: true });
    await expect(page).toHaveURL(`/content?topicId=${topicId}`);
    await expect(rows(page)).toHaveCount(6);
    await expectFocusOn(page, cross(page, `Topic: ${TOPIC}`));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/content");
    await expect(chips(page)).toHaveCount(0);
    await expectFocusSeen(page);
  });

  await test.step("the counts follow what happens to the pieces", async () => {
    const pieces = await callApi<{ id: string }[]>(context, "GET", `/api/content?topicId=${topicId}&step=text`);
    await callApi(context, "DELETE", `/api/content/${pieces[0]?.id}`);
    await openPage(page, `/projects/${projectId}`);
    await expect(steps(page, TOPIC)).toHaveText(/1 idea.*1 outline.*1 text .*2 live/);
  });
});

test("has room for long names and counts on a small phone", async ({ page, context }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const { projectId, topicId } = await userWithShowcase(context, "steps-phone");
  await callApi(context, "PATCH", `/api/topics/${topicId}`, { name: "Donaudampfschifffahrts".repeat(9) });
  for (const path of [
    `/projects/${projectId}`,
    `/content?topicId=${topicId}&step=live`,
    `/content?topicId=${topicId}&search=x`,
  ]) {
    await openPage(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
  }
  await openPage(page, `/projects/${projectId}`);
  for (const link of await steps(page, "Donaudampfschifffahrts".repeat(9)).getByRole("link").all()) {
    const box = await link.boundingBox();
    expect(Math.round(box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  }
});
