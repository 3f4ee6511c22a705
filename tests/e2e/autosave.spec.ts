import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { expectCopied, expectCopies } from "@/tests/support/e2e-copies";
import { bodyEditor, expectBody, typeAtEnd } from "@/tests/support/e2e-editor";
import { callApi, crash, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, userWithShowcase } from "@/tests/support/e2e-user";

const BEGUN = "It began like this.\n\nThe end.";

/** A piece with a body, open in the editor. */
async function openPiece(page: Page, context: BrowserContext, name: string) {
  const { pieces } = await userWithShowcase(context, name);
  const path = `/api/content/${pieces.titleOnly}`;
  await callApi(context, "PATCH", path, { body: BEGUN });
  const open = async (tab: Page) => {
    await openPage(tab, `/content/${pieces.titleOnly}`);
    await bodyEditor(tab);
  };
  await open(page);
  const stored = () => callApi<{ title: string; body: string; version: number }>(context, "GET", path);
  return { open, stored };
}

test("saves what was typed without a button, in the first body of an idea too", async ({ page, context }) => {
  const { stored, open } = await openPiece(page, context, "autosave");
  await typeAtEnd(page, " And more.");
  await expect(page.locator(".editor-head").getByText(/^Saved/)).toBeVisible();
  await expect(page.getByText("Unsaved changes")).toBeHidden();
  expect((await stored()).body).toBe(`${BEGUN} And more.`);
  await page.reload();
  await expectBody(page, `${BEGUN} And more.`);

  await test.step("a blank title holds up no other field", async () => {
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("");
    await typeAtEnd(page, " And this.");
    await expect.poll(async () => (await stored()).body).toBe(`${BEGUN} And more. And this.`);
    await expectMessage(page, "Unsaved changes");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("A title again");
    await expect.poll(async () => (await stored()).title).toBe("A title again");
    await expect(page.getByText("Unsaved changes")).toBeHidden();
  });

  await test.step("a link inside the app saves first, and does not ask", async () => {
    await typeAtEnd(page, " Last words.");
    await page.getByRole("link", { name: "Content", exact: true }).first().click();
    await expect(page).toHaveURL(/\/content$/);
    expect((await stored()).body).toBe(`${BEGUN} And more. And this. Last words.`);
  });

  await test.step("so does a reload right after the last key", async () => {
    await open(page);
    await typeAtEnd(page, " Very last.");
    await page.reload();
    await expect.poll(async () => (await stored()).body).toBe(`${BEGUN} And more. And this. Last words. Very last.`);
    await expectBody(page, /Very last\.$/);
    await expect(page.getByText("Unsaved changes were found")).toBeHidden();
    await expectCopies(page, 0);
  });
});

test("offers what was typed without a network after the tab was killed", async ({ page, context }) => {
  const { stored, open } = await openPiece(page, context, "offline");
  await context.setOffline(true);
  await typeAtEnd(page, " Typed offline.");
  await expectMessage(page, "Not saved yet");
  await typeAtEnd(page, " And after.");
  await expectCopied(page, "Typed offline. And after.");
  await crash(page);
  await context.setOffline(false);
  expect((await stored()).body).toBe(BEGUN);

  const again = await context.newPage();
  await open(again);
  await expectMessage(again, "Unsaved changes were found");
  await again.getByRole("button", { name: "Review changes" }).click();
  const dialog = again.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(again);
  await expect(dialog.locator("ins", { hasText: "Typed offline. And after." })).toBeVisible();
  await dialog.getByRole("button", { name: "Restore them" }).click();
  await expect(dialog).toBeHidden();
  await expectBody(again, `${BEGUN} Typed offline. And after.`);
  await expect.poll(async () => (await stored()).body).toBe(`${BEGUN} Typed offline. And after.`);
  await again.reload();
  await bodyEditor(again);
  await expectCopies(again, 0);
  await expect(again.getByText("Unsaved changes were found")).toBeHidden();
});

test("knows its own words when the answer to a save was lost", async ({ page, context }) => {
  const { stored, open } = await openPiece(page, context, "lost-answer");
  /** The server carries saves out; the page never hears of it. */
  const loseAnswers = () =>
    page.route("**/api/content/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      await route.fetch();
      await route.abort();
    });

  await test.step("typing on in the same line asks nothing", async () => {
    await loseAnswers();
    await typeAtEnd(page, " One.");
    await expectMessage(page, "Not saved yet");
    expect((await stored()).body).toBe(`${BEGUN} One.`);
    await page.unroute("**/api/content/*");
    await typeAtEnd(page, " Two.");
    await expect.poll(async () => (await stored()).body).toBe(`${BEGUN} One. Two.`);
    await expect(page.getByText("This piece was changed elsewhere")).toHaveCount(0);
    // The page hears of it a moment after the server has it.
    await expect(page.getByText("Not saved yet")).toHaveCount(0);
  });

  await test.step("nor does what the browser kept of it when the tab was killed", async () => {
    await loseAnswers();
    await typeAtEnd(page, " Three.");
    await expectMessage(page, "Not saved yet");
    await page.route("**/api/**", (route) => route.abort());
    await typeAtEnd(page, " Four.");
    await expectCopied(page, "Three. Four.");
    await crash(page);
    expect((await stored()).body).toBe(`${BEGUN} One. Two. Three.`);
    const again = await context.newPage();
    await open(again);
    await again.getByRole("button", { name: "Review changes" }).click();
    await again.getByRole("button", { name: "Restore them" }).click();
    await expect.poll(async () => (await stored()).body).toBe(`${BEGUN} One. Two. Three. Four.`);
    await expect(again.getByText("This piece was changed elsewhere")).toHaveCount(0);
  });
});

test("saves by itself once the network is back", async ({ page, context }) => {
  const { stored } = await openPiece(page, context, "back-online");
  await context.setOffline(true);
  await typeAtEnd(page, " Typed offline.");
  await expectMessage(page, "Not saved yet");
  await context.setOffline(false);
  await expect.poll(async () => (await stored()).body).toBe(`${BEGUN} Typed offline.`);
  // The toast says it too, and goes a moment later.
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
});

test("asks where both tabs have changed the same line, and saves a choice for each place", async ({
  page,
  context,
}) => {
  const { stored, open } = await openPiece(page, context, "clash");
  const other = await context.newPage();
  await open(other);
  await context.setOffline(true);
  await typeAtEnd(page, " Mine.");
  await expectMessage(page, "Not saved yet");
  await context.setOffline(false);
  await callApi(context, "PATCH", new URL(page.url()).pathname.replace("/content", "/api/content"), {
    body: "It began otherwise.\n\nThe end. Theirs.",
  });
  await typeAtEnd(page, "!");
  await expectMessage(page, "This piece was changed elsewhere");
  await page.getByRole("button", { name: "Compare and choose" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("radio", { name: "Both, yours first" }).click();
  await dialog.getByRole("button", { name: "Save these choices" }).click();
  await expect(dialog).toBeHidden();
  const both = "It began otherwise.\n\nThe end. Mine.!\nThe end. Theirs.";
  await expect.poll(async () => (await stored()).body).toBe(both);
  await expectBody(page, both);
});

test("keeps what was typed after a clash as a revision when the other version is taken", async ({ page, context }) => {
  const { stored } = await openPiece(page, context, "clash-taken");
  const path = new URL(page.url()).pathname.replace("/content", "/api/content");
  await context.setOffline(true);
  await typeAtEnd(page, " Mine.");
  await expectMessage(page, "Not saved yet");
  await callApi(context, "PATCH", path, { body: "It began like this.\n\nThe end. Theirs." });
  await context.setOffline(false);
  await expectMessage(page, "This piece was changed elsewhere");
  await typeAtEnd(page, " And a whole evening more.");
  await page.getByRole("button", { name: "Compare and choose" }).click();
  await page.getByRole("button", { name: "Take the other version" }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expectBody(page, "It began like this.\n\nThe end. Theirs.");
  expect((await stored()).body).toBe("It began like this.\n\nThe end. Theirs.");
  await page.getByRole("button", { name: "Revision history" }).click();
  await expect(page.getByText("And a whole evening more.").first()).toBeVisible();
});

test("sends what only this browser has before a sign-out, asks about the rest, and erases it", async ({
  page,
  context,
}) => {
  await openPiece(page, context, "sign-out");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.route("**/api/content/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue(),
  );
  await typeAtEnd(page, " Never sent.");
  await expectMessage(page, "Not saved yet");
  await expectCopied(page, "Never sent.");
  await expectCopies(page, 1);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Log out and lose unsaved text?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expectCopies(page, 1);

  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await openPage(again, "/projects");
  await again.getByRole("button", { name: /^Account of/ }).click();
  await again.getByRole("menuitem", { name: "Logout" }).click();
  await expect(again).toHaveURL(/\/auth/);
  await expectCopies(again, 0);
  const [piece] = await e2eQuery<{ body: string }>("SELECT body FROM content_pieces WHERE id = $1", [id]);
  expect(piece?.body).toBe(`${BEGUN} Never sent.`);
});
