import { expect, type Page, test } from "@playwright/test";
import { isCopied } from "@/tests/support/e2e-copies";
import { bodyEditor, fillBody, typeAtEnd } from "@/tests/support/e2e-editor";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { registerUser, userWithShowcase } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("keeps the history's buttons in sight under long titles", async ({ page, context }) => {
  await registerUser(context, `history.${Date.now()}`);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const title = "How deep a rain garden is where the soil is heavy clay and the roof is large ".repeat(3).trim();
  const { id } = await callApi<{ id: string }>(context, "POST", at, { title, body: "word ".repeat(50) });
  await callApi(context, "PATCH", `/api/content/${id}`, { body: "Short." });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, `/content/${id}`);
    await button(page, "Revision history").click();
    const newest = page.getByRole("dialog").getByRole("listitem").first();
    await expect(newest.getByRole("button", { name: /^Show/ })).toBeInViewport({ ratio: 1 });
    await expect(newest.getByRole("button", { name: /^Restore/ })).toBeInViewport({ ratio: 1 });
  }
});

test("leads from the table to what will not appear, and from there to its place in the text", async ({
  page,
  context,
}) => {
  const { projectId, pieces } = await userWithShowcase(context, "losses");
  const body = `One <!-- note --> two.\n\n${"A paragraph of a long text.\n\n".repeat(150)}![Chart](chart.png)\n\n${"The end. ".repeat(500)}`;
  await callApi(context, "PATCH", `/api/content/${pieces.full}`, { body });

  await openPage(page, `/wp-publishing/${projectId}`);
  await page.getByRole("link", { name: "2 things will not appear" }).click();
  await expect(tab(page, "Preview")).toHaveAttribute("aria-selected", "true");
  const list = page.getByRole("region", { name: "What will not appear" });
  await expect(list.getByRole("listitem")).toHaveCount(2);

  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await tab(page, "Edit").click();
    await button(page, "2 things will not appear").click();
    await expect(list.getByRole("heading")).toBeFocused();
    await expect(list).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(await bodyEditor(page)).toBeFocused();
    await expect(page.getByText("![Chart](chart.png)")).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.type("my-");
  await expect(page.getByText("![Chart](my-chart.png)")).toBeVisible();
});

test("marks a piece that has only a title, and explains failed and missing pieces", async ({ page, context }) => {
  const { pieces } = await userWithShowcase(context, "title");
  await openPage(page, `/content/${pieces.titleOnly}`);

  await test.step("a title alone shows an alert and disables what needs a text", async () => {
    await expectMessage(page, "Title-Only Content");
    await expectMessage(page, "Only Title");
    await expect(tab(page, "Edit")).toHaveAttribute("aria-selected", "true");
    await expect(tab(page, "Outline")).toBeDisabled();
    await expect(button(page, "Sync Status")).toBeDisabled();
    await expect(button(page, "Publish to WordPress")).toHaveAttribute("aria-disabled", "true");
  });

  await test.step("a blank title is not saved", async () => {
    await field(page, "Title").fill("  ");
    await button(page, "Save Changes").click();
    await expectMessage(page, "Give this piece a title before you save it.");
    await field(page, "Title").fill("Bottom watering");
  });

  await test.step("saving a status and a body turns it into content", async () => {
    await page.getByLabel("Status").click();
    await expect(page.getByRole("option")).toHaveText(["Draft", "Under Review", "Published", "Unpublished"]);
    await page.getByRole("option", { name: "Under Review" }).click();
    await fillBody(page, "Stand the pot in water.");
    await page.keyboard.press("Control+s");
    await expectMessage(page, "Content has been updated successfully");
    await expect(page.getByText("Title-Only Content")).toHaveCount(0);
    await expectMessage(page, "Content Created");
    await page.reload();
    await expect(field(page, "Title")).toHaveValue("Bottom watering");
    await expect(page.getByLabel("Status")).toHaveText("Under Review");
  });

  await test.step("writing an outline by hand opens the Outline tab", async () => {
    await openPage(page, page.url());
    await button(page, "Write my own outline").click();
    await field(page, "Outline").fill("## Why\nThe roots follow the water.");
    await button(page, "Save Outline").click();
    await expectMessage(page, "Content has been updated successfully");
    await page.reload();
    await expect(tab(page, "Edit")).toHaveAttribute("aria-selected", "true");
    await expect(tab(page, "Outline")).toBeEnabled();
  });

  await test.step("an emptied outline is saved in place, and nothing can be written from it", async () => {
    await openPage(page, page.url());
    await tab(page, "Outline").click();
    await button(page, "Markdown").click();
    await field(page, "Outline").fill("");
    const write = button(page, "Write Content with AI");
    await expect(write).toHaveAttribute("aria-disabled", "true");
    await expect(write).toHaveAccessibleDescription(/^This piece has no outline yet/);
    await button(page, "Save Outline").click();
    await expectMessage(page, "Content has been updated successfully");
    await expect(tab(page, "Outline")).toHaveAttribute("aria-selected", "true");
    await expect(button(page, "Save Outline")).toBeFocused();
    const { isOutline } = await callApi<{ isOutline: boolean }>(context, "GET", `/api${new URL(page.url()).pathname}`);
    expect(isOutline).toBe(false);
    await page.reload();
    await expect(tab(page, "Outline")).toBeDisabled();
  });

  await test.step("a failed publish shows its reason, and a missing piece says so", async () => {
    await openPage(page, `/content/${pieces.failed}`);
    await expectMessage(page, "The last publish failed");
    await expectMessage(page, "Sorry, you are not allowed to create posts as this user.");
    await page.goto("/content/00000000-0000-4000-8000-000000000000");
    await expect(page.getByRole("heading", { name: "Content not found" })).toBeVisible();
    await expectMessage(page, "The content you're looking for doesn't exist or has been deleted.");
  });
});

test("keeps a text of 400 KB that was typed into right before the tab was killed", async ({ page, context }) => {
  const { pieces } = await userWithShowcase(context, "long");
  const stored = () => callApi<{ body: string }>(context, "GET", `/api/content/${pieces.titleOnly}`);
  await openPage(page, `/content/${pieces.titleOnly}`);
  const text = `${"A line of a very long text that goes on and on.\n\n".repeat(8_000)}The end.`;
  await fillBody(page, text);
  await expect.poll(async () => (await stored()).body.length, { timeout: 20_000 }).toBe(text.length);
  await typeAtEnd(page, " Typed last.");
  const isSafe = async () => (await isCopied(page, "Typed last.")) || (await stored()).body.endsWith("Typed last.");
  await expect.poll(isSafe).toBe(true);
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await openPage(again, `/content/${pieces.titleOnly}`);
  if (!(await stored()).body.endsWith("Typed last.")) {
    await again.getByRole("button", { name: "Review changes" }).click();
    await again.getByRole("button", { name: "Restore them" }).click();
  }
  await expect.poll(async () => (await stored()).body.slice(-20)).toBe("The end. Typed last.");
});
