import { expect, type Page, test } from "@playwright/test";
import { expectCopied } from "@/tests/support/e2e-copies";
import { bodyEditor, expectBody, typeAtEnd } from "@/tests/support/e2e-editor";
import { callApi, crash, expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

const { E2E_AI_KEY = "" } = process.env;
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function typeAtStart(page: Page, text: string): Promise<void> {
  await (await bodyEditor(page)).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type(text);
}

test("loses nothing from the AI's first word to a killed tab", async ({ page, context }) => {
  test.setTimeout(120_000);
  const { pieces } = await userWithShowcase(context, "nothing-lost");
  const path = `/api/content/${pieces.outlined}`;
  const stored = () => callApi<{ body: string }>(context, "GET", path);
  // Each answer of the AI takes twenty seconds, so that a busy machine stops the first one too.
  await callApi(context, "PATCH", "/api/user/settings", { openaiApiKey: `${E2E_AI_KEY}-20000` });
  const outline = "## Alpha\nWhat it is.\n\n## Beta\nWhat to do.\n\n## Gamma\nWhat is next.";
  await callApi(context, "PATCH", path, { outline });
  await openPage(page, `/content/${pieces.outlined}`);

  await test.step("write, stop, and what is there is in the editor", async () => {
    await button(page, "Write Content with AI").first().click();
    await expectMessage(page, "Section 1 of 3");
    // Enough for the lead and a whole sentence of the section.
    await expectMessage(page, /^\d{3,} words$/);
    await button(page, "Stop").click();
    await expectMessage(page, "Stopped. What was written until then is kept.");
    // Whole sentences and lines, such as a table's row.
    await expectBody(page, /^\S[^\n]+\n\n## Alpha\n\n\S[\s\S]+[.!?:|]$/);
  });

  const { body: first } = await stored();
  await expectBody(page, first);
  await test.step("go on: the other sections follow, after what was changed meanwhile", async () => {
    await typeAtEnd(page, " Typed by hand.");
    await callApi(context, "PATCH", "/api/user/settings", { openaiApiKey: E2E_AI_KEY });
    await page.getByRole("tab", { name: "Outline" }).click();
    await button(page, "Go on writing").click();
    await expectMessage(page, "Content generated successfully from outline");
    const { body } = await stored();
    const begun = `${first} Typed by hand.\n\n## Beta\n\n`;
    expect(body.slice(0, begun.length)).toBe(begun);
    expect(body.match(/^## .+$/gm)).toEqual(["## Alpha", "## Beta", "## Gamma"]);
    await expectBody(page, body);
  });

  const { body: written } = await stored();
  const other = await context.newPage();
  await test.step("two tabs", async () => {
    await openPage(other, `/content/${pieces.outlined}`);
    await typeAtEnd(page, " In the first tab.");
    await typeAtStart(other, "In the second tab.\n\n");
    const both = `In the second tab.\n\n${written} In the first tab.`;
    await expect.poll(async () => (await stored()).body).toBe(both);
    await expectBody(page, both);
    await expectBody(other, both);
  });

  await test.step("offline in one, going on in the other, and the offline one killed", async () => {
    await page.route("**/api/**", (route) => route.abort());
    await typeAtEnd(page, " Offline.");
    await expectMessage(page, "Not saved yet");
    await typeAtStart(other, "Online. ");
    await expect.poll(async () => (await stored()).body).toContain("Online. In the second tab.");
    await expectCopied(page, "Offline.");
    await crash(page);
  });

  await test.step("come back: it is offered, merged with what the other tab has written", async () => {
    const again = await context.newPage();
    await openPage(again, `/content/${pieces.outlined}`);
    await expectMessage(again, "Unsaved changes were found");
    await button(again, "Review changes").click();
    await expect(again.getByRole("dialog")).toContainText("What was changed there stays, and these changes are added.");
    await button(again, "Restore them").click();
    const all = `Online. In the second tab.\n\n${written} In the first tab. Offline.`;
    await expect.poll(async () => (await stored()).body).toBe(all);
    await expectBody(again, all);
    await expectBody(other, all);
  });
});
