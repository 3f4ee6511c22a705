import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { bodyEditor, expectBody, typeAtEnd } from "@/tests/support/e2e-editor";
import { callApi, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

const BODY = Array.from({ length: 60 }, (_, n) => `Paragraph ${n + 1} tells a little more.`).join("\n\n");

/** A topic with three pieces, in the order in which it lists them. */
async function newTopic(context: BrowserContext): Promise<{ id: string; title: string }[]> {
  await registerUser(context, `beside.${crypto.randomUUID().slice(0, 8)}`);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  for (const title of ["Why", "How deep", "When"]) await callApi(context, "POST", at, { title, body: BODY });
  return callApi(context, "GET", at);
}

const link = (page: Page, name: string) => page.getByRole("link", { name });
const title = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });

for (const width of [1280, 360]) {
  test(`steps through a topic with what was typed at ${width} px`, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 800 });
    const [first, second, third] = await newTopic(context);
    const stored = async () => (await callApi<{ body: string }>(context, "GET", `/api/content/${first?.id}`)).body;
    await openPage(page, `/content/${first?.id}`);

    await test.step("the first has only a next one, and what was just typed is saved on the way", async () => {
      await expect(link(page, "Next piece: How deep")).toBeInViewport();
      await expect(link(page, "Previous piece:")).toHaveCount(0);
      await typeAtEnd(page, " Typed last.");
      // On phones the links are at the top of the page.
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await link(page, "Next piece: How deep").press("Enter");
      await expect(page).toHaveURL(`/content/${second?.id}`);
      await expect(title(page)).toHaveValue("How deep");
      await expect.poll(stored).toMatch(/Typed last\.$/);
    });

    await test.step("each starts at its top, and Back leads to where one was", async () => {
      await bodyEditor(page);
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await page.evaluate(() => scrollTo({ top: 300, behavior: "instant" }));
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
      // Longer than it takes to keep the place.
      await page.waitForTimeout(300);
      // On phones the links scroll away with the top of the page.
      if (width < 768) await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      // Playwright's own click would scroll the page to what sticks to its top.
      const { x = 0, y = 0 } = (await link(page, "Next piece: Why").boundingBox()) ?? {};
      await page.mouse.click(x + 8, y + 8);
      await expect(page).toHaveURL(`/content/${third?.id}`);
      await expect(link(page, "Previous piece: How deep")).toBeVisible();
      await expect(link(page, "Next piece:")).toHaveCount(0);
      await page.goBack();
      await expect(page).toHaveURL(`/content/${second?.id}`);
      await bodyEditor(page);
      if (width > 767) await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
    });

    await test.step("a link stays in its place at an end", async () => {
      // As a user scrolls: after that the place is not kept any more, and the link does not move under the pointer.
      await page.mouse.wheel(0, -1_000);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
      const previous = link(page, "Previous piece: When");
      const { x = 0, width: size = 0 } = (await previous.boundingBox()) ?? {};
      await previous.click();
      await expect(page).toHaveURL(`/content/${first?.id}`);
      await expectBody(page, /Typed last\.$/);
      expect((await link(page, "Next piece: How deep").boundingBox())?.x).toBe(x + size);
    });
  });
}

test("asks before it leaves a text that cannot be saved, and says that a deleted piece is gone", async ({
  page,
  context,
}) => {
  const [first, second] = await newTopic(context);
  await openPage(page, `/content/${first?.id}`);
  await page.route("**/api/content/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  await typeAtEnd(page, " Kept.");
  await link(page, "Next piece: How deep").click();
  await expect(page.getByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectBody(page, /Kept\.$/);
  await page.unroute("**/api/content/*");
  // Not by this browser: nothing tells the page.
  await callApi(context, "DELETE", `/api/content/${second?.id}`);
  await link(page, "Next piece: How deep").click();
  await expect(page.getByRole("heading", { name: "Content not found" })).toBeVisible();
});
