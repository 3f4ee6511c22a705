import { expect, test } from "@playwright/test";
import { bodyEditor, fillBody } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, openPage } from "@/tests/support/e2e-page";
import { registerUser } from "@/tests/support/e2e-user";

const LONG =
  "A rain garden is a shallow bed into which the water of a roof or a street runs, where it stays for some hours at most, so that the plants and the soil can take it up, whatever the weather was like in the week before.";
const BODY = [
  "Dig where the water already goes.",
  "## How deep",
  LONG,
  "#### Depth of clay",
  "It was measured by my aunt.",
].join("\n\n");

test("the rules say what to mend, lead to its place and judge again while the user types", async ({
  page,
  context,
}) => {
  await registerUser(context, `seo.${Date.now()}`);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const { id } = await callApi<{ id: string }>(context, "POST", at, { title: "How deep a rain garden is", body: BODY });
  await openPage(page, `/content/${id}`);
  const rule = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });

  await test.step("without a focus keyword its rules say so", async () => {
    await page.getByRole("tab", { name: "SEO Assistant" }).click();
    await expect(page.getByText("of 100")).toBeVisible();
    await expect(rule("Focus keyword in the SEO title")).toContainText("No focus keyword is chosen.");
    await expectAccessible(page);
  });

  await test.step("a keyword is judged as soon as it is typed", async () => {
    await page.getByLabel("Focus keyword").fill("rain gardens");
    await page.getByText("Good", { exact: false }).first().click();
    await expect(rule("Focus keyword in the SEO title")).toContainText("The SEO title has the focus keyword.");
    await expect(rule("Focus keyword in the SEO title")).toContainText("8 of 8");
  });

  await test.step("a finding leads to its words", async () => {
    await rule("Order of the headings").getByRole("button", { name: "Show in the text" }).click();
    const editor = await bodyEditor(page);
    await expect(editor).toBeFocused();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain("Depth of clay");
  });

  await test.step("the AI is asked about the place", async () => {
    await page.getByRole("tab", { name: "SEO Assistant" }).click();
    await rule("Length of the sentences").getByRole("button", { name: "Mend with AI" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("A rain garden is a shallow bed");
    await expect(dialog.getByLabel("What should the AI do?")).toHaveValue(/Divide this into shorter sentences/);
    await page.keyboard.press("Escape");
  });

  await test.step("the question before a publish leads to what holds it, from the open text too", async () => {
    await fillBody(page, `${BODY}\n\nOld clay holds water [source needed: clay].`);
    await page.getByRole("button", { name: "Publish to WordPress" }).click();
    const question = page.getByRole("alertdialog", { name: "Publish this piece?" });
    await expect(question.getByRole("button", { name: "Publish anyway" })).toBeVisible();
    await expectAccessible(page);
    await question.getByRole("button", { name: "A claim needs a source: clay." }).click();
    await expect(await bodyEditor(page)).toBeFocused();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain("source needed: clay");
  });
});
