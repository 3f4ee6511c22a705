import { expect, type Page, test } from "@playwright/test";
import { bodyEditor, fillBody } from "@/tests/support/e2e-editor";
import { callApi, clickAndConfirm, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSamples, e2eQuery, registerUser } from "@/tests/support/e2e-user";

const { E2E_WORDPRESS_URL = "", E2E_WORDPRESS_USERNAME = "", E2E_WORDPRESS_PASSWORD = "" } = process.env;

type Script = {
  direction: "rtl" | "ltr";
  project: string;
  topic: string;
  about: string;
  keyword: string;
  reader: string;
  interest: string;
  title: string;
  slug: string;
  /** The second paragraph of the body. */
  sentence: string;
  words: number;
  /** A part of the title to search the library for. */
  search: string;
};

/** Realistic texts, mixed with digits, punctuation and Latin words, and with two spaces in a row in each title. */
const SCRIPTS: Record<string, Script> = {
  Arabic: {
    direction: "rtl",
    project: "دليل الحديقة المنزلية (2027)",
    topic: "الري بالتنقيط",
    about: "كيف تسقي حديقة صغيرة بماء قليل.",
    keyword: "ري الطماطم",
    reader: "سلمى العبد الله",
    interest: "طعامٌ له طَعم",
    title: "الري بالتنقيط:  دليل عملي في ٥ خطوات — WordPress",
    slug: "الري-بالتنقيط:-دليل-عملي-في-٥-خطوات-—-wordpress",
    sentence: "الماء أغلى مما نظن، فلا تهدره!",
    words: 9,
    search: "دليل عملي",
  },
  Hebrew: {
    direction: "rtl",
    project: "מדריך לגינה קטנה",
    topic: "השקיה בטפטוף",
    about: "איך משקים גינה קטנה במעט מים.",
    keyword: "עגבניות שרי",
    reader: "תמר לוי־כהן",
    interest: "אוכל עם טעם",
    title: "טפטוף  ביתי: מה צריך (ומה לא)",
    slug: "טפטוף-ביתי:-מה-צריך-(ומה-לא)",
    sentence: "המים יקרים משחשבנו, ולכן נחסוך בהם.",
    words: 9,
    search: "מה צריך",
  },
  "Chinese, Japanese and Korean": {
    direction: "ltr",
    project: "小庭院种植指南",
    topic: "園芸の道具",
    about: "적은 물로 작은 정원을 가꾸는 법.",
    keyword: "토마토 물주기",
    reader: "佐藤 花子",
    interest: "周末的短活儿",
    title: "鎌の研ぎ方  十分でできる「三つの手順」",
    slug: "鎌の研ぎ方-十分でできる「三つの手順」",
    // The sentence has an ideographic space, which separates words, and a character outside the Basic Multilingual Plane.
    sentence: "鎌は研げば一生使える。　砥石は𠮷田さんのもの 🌱",
    words: 5,
    search: "三つの手順",
  },
};

/** The element that shows this text has this direction. */
async function expectDirection(page: Page, text: string, direction: string) {
  const shown = page.getByRole("main").getByText(text, { exact: true }).first();
  await expect(shown).toBeVisible();
  await expect(shown).toHaveCSS("direction", direction);
}

for (const [name, script] of Object.entries(SCRIPTS)) {
  test(`keeps ${name} texts exactly as written on the screens, in the API and on the site`, async ({
    page,
    context,
  }) => {
    const { direction, project, topic, about, keyword, reader, interest, title, sentence } = script;
    const body = `## ${topic}\n\n${sentence}`;
    for (const text of Object.values(script)) if (typeof text === "string") expect(text.normalize("NFC")).toBe(text);
    await registerUser(context, `scripts.${Date.now()}`);
    await connectSamples(context);
    const dialog = page.getByRole("dialog");
    const click = (button: string) => page.getByRole("button", { name: button, exact: true }).first().click();

    await test.step("create a project, topic, keyword and persona", async () => {
      await openPage(page, "/");
      await click("New Project");
      await dialog.getByLabel("Title").fill(project);
      await dialog.getByLabel("Description").fill(about);
      await dialog.getByRole("button", { name: "Create Project" }).click();
      await expectDirection(page, project, direction);
      await expectDirection(page, about, direction);
      await click("Add Topic");
      await dialog.getByLabel("Name").fill(topic);
      await dialog.getByLabel("Description").fill(about);
      await dialog.getByRole("button", { name: "Create Topic" }).click();
      await expectDirection(page, topic, direction);
      await page.getByPlaceholder("Add a keyword").fill(keyword);
      await page.keyboard.press("Enter");
      await expectDirection(page, keyword, direction);
      await click("Add Buyer Persona");
      await dialog.getByLabel("Name").fill(reader);
      await dialog.getByLabel("Description").fill(about);
      await dialog.getByLabel("Interests").fill(interest);
      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Create Persona" }).click();
      await expectDirection(page, reader, direction);
      await expectDirection(page, interest, direction);
    });

    await test.step("write a piece in the editor; its preview and figures follow", async () => {
      await click("Add Content");
      await dialog.getByLabel("Title").fill(title);
      await dialog.getByRole("button", { name: "Add Content" }).click();
      await page.getByRole("link", { name: title }).click();
      await expect(page.getByRole("textbox", { name: "Title", exact: true })).toHaveValue(title);
      await fillBody(page, body);
      await click("Save Changes");
      await expectMessage(page, "Content has been updated successfully");
      const lines = (await bodyEditor(page)).locator(".cm-line");
      for (const field of [page.getByRole("textbox", { name: "Title", exact: true }), lines.first()]) {
        await expect(field).toHaveCSS("direction", direction);
      }
      await page.getByRole("tab", { name: "Preview" }).click();
      await expectDirection(page, sentence, direction);
      await expect(page.getByRole("tabpanel").getByRole("heading", { name: topic, exact: true })).toHaveCSS(
        "direction",
        direction,
      );
      await page.getByRole("tab", { name: "SEO Assistant" }).click();
      const figures = page.getByRole("tabpanel");
      await expect(figures.locator("bdi").first()).toHaveText(script.slug);
      await expect(figures.locator("dl", { hasText: "Word count" }).locator("dd")).toHaveText(String(script.words));
      const previews = figures.getByText(title, { exact: true });
      await expect(previews).toHaveCount(3);
      for (const shown of await previews.all()) await expect(shown).toHaveCSS("direction", direction);
    });

    await test.step("publish the piece with the topic's category", async () => {
      await clickAndConfirm(page, page.getByRole("button", { name: "Publish to WordPress" }));
      await expectMessage(page, "Content published to WordPress successfully");
    });

    const id = page.url().split("/").at(-1) ?? "";
    await test.step("the API and the site have every text byte for byte", async () => {
      const piece = await callApi<Record<string, unknown>>(context, "GET", `/api/content/${id}`);
      expect(piece).toMatchObject({ title, body, wpCategoryName: topic });
      const [bytes] = await e2eQuery<{ title: Buffer; body: Buffer }>(
        "SELECT convert_to(title, 'UTF8') AS title, convert_to(body, 'UTF8') AS body FROM content_pieces WHERE id = $1",
        [id],
      );
      expect(bytes).toEqual({ title: Buffer.from(title), body: Buffer.from(body) });
      const at = `/api/projects/${piece.projectId}`;
      expect(await callApi(context, "GET", at)).toMatchObject({ title: project, description: about });
      expect(await callApi(context, "GET", `${at}/topics`)).toMatchObject([{ name: topic, description: about }]);
      expect(await callApi(context, "GET", `/api/topics/${piece.topicId}/keywords`)).toMatchObject([{ keyword }]);
      expect(await callApi(context, "GET", `${at}/buyer-persona`)).toMatchObject({
        name: reader,
        interests: [interest],
      });
      const login = Buffer.from(`${E2E_WORDPRESS_USERNAME}:${E2E_WORDPRESS_PASSWORD}`).toString("base64");
      const post = await page.request.get(`${E2E_WORDPRESS_URL}/wp-json/wp/v2/posts/${piece.wpPostId}?context=edit`, {
        headers: { authorization: `Basic ${login}` },
      });
      const sent = (await post.json()) as { title: { raw: string }; content: { raw: string } };
      expect(sent.title.raw).toBe(title);
      expect(sent.content.raw).toContain(`<p>${sentence}</p>`);
      expect(sent.content.raw).toContain(`>${topic}</h2>`);
    });

    await test.step("the library finds the piece by its own words only", async () => {
      await openPage(page, "/content");
      await page.getByLabel("Search content").fill(script.search);
      await expect(page).toHaveURL(/search=/);
      await expect(page.getByRole("link", { name: title, exact: true })).toBeVisible();
      await page.getByLabel("Search content").fill(`${script.search}ж`);
      await expectMessage(page, "No content found");
    });
  });
}
