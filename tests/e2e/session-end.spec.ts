import { expect, type Page, test } from "@playwright/test";
import { expectBody, expectChangeSeen, fillBody } from "@/tests/support/e2e-editor";
import { callApi, expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, PASSWORD, registerUser, userWithShowcase } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const ended = (page: Page) => page.getByRole("alertdialog", { name: "Your session has ended" });

type User = { id: string; username: string };

const endSessions = ({ id }: User) => e2eQuery("DELETE FROM sessions WHERE user_id = $1", [id]);

async function signIn(page: Page, username: string) {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Login").click();
}

test("restores what was typed in the editor when the session ended, after signing in again", async ({
  page,
  context,
}) => {
  const { pieces } = await userWithShowcase(context, "ended");
  const user = await callApi<User>(context, "GET", "/api/user");
  const path = `/content/${pieces.titleOnly}`;
  const body = "Written in the last minute of a session.";
  // The browser's own dialog must not appear in place of ours.
  const questions: string[] = [];
  page.on("dialog", (question) => {
    questions.push(question.type());
    void question.accept();
  });

  await test.step("a save after the session ended says so and leads to the sign-in page", async () => {
    await openPage(page, path);
    await fillBody(page, body);
    await page.getByLabel("Status").click();
    await page.getByRole("option", { name: "Under Review" }).click();
    await endSessions(user);
    // A poll may notice the end first.
    await button(page, "Save Changes")
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await expect(ended(page)).toContainText("It is kept in this browser");
    await expectAccessible(page);
    await expect(ended(page).getByRole("button", { name: "Sign In" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(path)}`);
    await expectMessage(page, "What you typed is kept in this browser.");
    expect(questions).toEqual([]);
  });

  await test.step("another user does not get the text", async () => {
    const other = await page.context().browser()?.newContext();
    if (!other) throw new Error("The browser is gone.");
    const name = `ended.other.${Date.now()}`;
    await registerUser(other, name);
    await other.close();
    await signIn(page, name);
    await expect(page.getByRole("heading", { name: "Content not found" })).toBeVisible();
    await context.clearCookies();
    await openPage(page, `/auth?next=${encodeURIComponent(path)}`);
  });

  await test.step("the same user gets the text back and saves it", async () => {
    await signIn(page, user.username);
    await expect(page).toHaveURL(path);
    await expectMessage(page, "Your text is back");
    await expectChangeSeen(page);
    await expectBody(page, body);
    await expect(page.getByLabel("Status")).toHaveText("Under Review");
    await button(page, "Save Changes").click();
    await expectMessage(page, "Content has been updated successfully");
    expect(await callApi(context, "GET", `/api/content/${pieces.titleOnly}`)).toMatchObject({ body, status: "review" });
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept-text:")));
    await expect.poll(kept).toEqual([]);
  });
});

test("fills in a form that was open when the session ended, once it is opened again", async ({ page, context }) => {
  const { projectId } = await userWithShowcase(context, "ended.form");
  const user = await callApi<User>(context, "GET", "/api/user");
  const dialog = page.getByRole("dialog", { name: "Add Topic" });
  await openPage(page, `/projects/${projectId}`);
  await button(page, "Add Topic").click();
  await dialog.getByLabel("Name").fill("Rain barrels");
  await dialog.getByLabel("Description").fill("Where to put them.");
  await endSessions(user);
  await dialog.getByRole("button", { name: "Create Topic" }).click();
  await ended(page).getByRole("button", { name: "Sign In" }).click();
  await signIn(page, user.username);
  await expect(page).toHaveURL(`/projects/${projectId}`);
  await expectMessage(page, /^Open “Add Topic” again/);
  await button(page, "Add Topic").click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Rain barrels");
  await dialog.getByRole("button", { name: "Create Topic" }).click();
  await expectMessage(page, "Topic created successfully");
});

test("reports the end of the session on the sign-in page when nothing is unsaved", async ({ page, context }) => {
  await userWithShowcase(context, "ended.nothing");
  const user = await callApi<User>(context, "GET", "/api/user");
  await openPage(page, "/queue-monitor");
  await endSessions(user);
  // A poll may notice the end first.
  const press = button(page, "Refresh").click({ timeout: 5_000 });
  await Promise.all([page.waitForURL("/auth?next=%2Fqueue-monitor"), press.catch(() => undefined)]);
  await expectMessage(page, "Your session has ended");
});
