import { expect, test } from "@playwright/test";
import { expectBody, fillBody } from "@/tests/support/e2e-editor";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

const { E2E_BASE_URL = "", E2E_USERNAME = "", E2E_PASSWORD = "" } = process.env;

test("keeps both texts when a second tab saves a stale one", async ({ context, page }) => {
  const headers = { origin: E2E_BASE_URL };
  await page.request.post("/api/login", { headers, data: { username: E2E_USERNAME, password: E2E_PASSWORD } });
  // The oldest is the demo's own; other tests add theirs on top.
  const project = ((await (await page.request.get("/api/projects")).json()) as { id: number }[]).at(-1);
  const [topic] = (await (await page.request.get(`/api/projects/${project?.id}/topics`)).json()) as { id: number }[];
  const made = await page.request.post(`/api/projects/${project?.id}/topics/${topic?.id}/content`, {
    headers,
    data: { title: "Edited in two tabs", body: "How it began." },
  });
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: string };

  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`/content/${id}`);
    await tab.getByRole("tab", { name: "Edit" }).click();
  }
  await fillBody(other, "Written in the second tab.");
  await fillBody(page, "Written in the first tab.");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Content has been updated successfully")).toBeVisible();
  // The second tab knows of the save by now, and keeps what was typed there.
  await expectBody(other, "Written in the second tab.");
  await other.getByRole("button", { name: "Save Changes" }).click();
  const dialog = other.getByRole("dialog").or(other.getByRole("alertdialog"));
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText("changed");
  const texts = async () => {
    const list = (await (await page.request.get(`/api/content/${id}/revisions`)).json()) as {
      excerpt: { text: string };
    }[];
    return list.map(({ excerpt }) => excerpt.text);
  };
  const both = ["How it began.", "Written in the first tab.", "Written in the second tab."];
  // Both are kept even before the user decides.
  expect(await texts()).toEqual(expect.arrayContaining(both));

  await dialog.getByRole("button", { name: /mine|my/i }).click();
  await expect(dialog).toBeHidden();
  await expectBody(other, "Written in the second tab.");
  await expect
    .poll(async () => ((await (await page.request.get(`/api/content/${id}`)).json()) as { body: string }).body)
    .toBe("Written in the second tab.");
  expect(await texts()).toEqual(expect.arrayContaining(both));
});

test("merges what two tabs have changed in different paragraphs", async ({ page, context }) => {
  const { pieces } = await userWithShowcase(context, "merge");
  const path = `/api/content/${pieces.titleOnly}`;
  await callApi(context, "PATCH", path, { body: "First.\n\nSecond." });
  const other = await context.newPage();
  for (const each of [page, other]) await openPage(each, `/content/${pieces.titleOnly}`);
  await fillBody(page, "First, in this tab.\n\nSecond.");
  await fillBody(other, "First.\n\nSecond, in the other.");
  await other.getByRole("button", { name: "Save Changes" }).click();
  await expectMessage(other, "Content has been updated successfully");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expectMessage(page, "What was changed elsewhere is in it too.");
  const merged = "First, in this tab.\n\nSecond, in the other.";
  await expectBody(page, merged);
  expect(await callApi(context, "GET", path)).toMatchObject({ body: merged });
});
