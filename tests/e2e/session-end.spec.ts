import { expect, type Page, test } from "@playwright/test";
import { callApi, expectAccessible, expectTold, openPage } from "@/tests/support/e2e-page";
import { e2eQuery, PASSWORD, personWithShowcase, registerPerson } from "@/tests/support/e2e-person";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const ended = (page: Page) => page.getByRole("alertdialog", { name: "Your session has ended" });

type Person = { id: string; username: string };

const endSessions = ({ id }: Person) => e2eQuery("DELETE FROM sessions WHERE user_id = $1", [id]);

async function signIn(page: Page, username: string) {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Login").click();
}

test("what is typed in the editor when the session ends is there after signing in again", async ({ page, context }) => {
  const { pieces } = await personWithShowcase(context, "ended");
  const person = await callApi<Person>(context, "GET", "/api/user");
  const path = `/content/${pieces.titleOnly}`;
  const body = "Written in the last minute of a session.";
  // The browser's own question would come instead of ours.
  const questions: string[] = [];
  page.on("dialog", (question) => {
    questions.push(question.type());
    void question.accept();
  });

  await test.step("a save that finds it out says so, and leads to the sign-in page", async () => {
    await openPage(page, path);
    await field(page, "Body").fill(body);
    await page.getByLabel("Status").click();
    await page.getByRole("option", { name: "Under Review" }).click();
    await endSessions(person);
    // A poll of the queues may find it out first.
    await button(page, "Save Changes")
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await expect(ended(page)).toContainText("It is kept in this browser");
    await expectAccessible(page);
    await expect(ended(page).getByRole("button", { name: "Sign In" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(path)}`);
    await expectTold(page, "What you typed is kept in this browser.");
    expect(questions).toEqual([]);
  });

  await test.step("somebody else does not find it", async () => {
    const other = await page.context().browser()?.newContext();
    if (!other) throw new Error("The browser is gone.");
    const name = `ended.other.${Date.now()}`;
    await registerPerson(other, name);
    await other.close();
    await signIn(page, name);
    await expect(page.getByRole("heading", { name: "Content not found" })).toBeVisible();
    await context.clearCookies();
    await openPage(page, `/auth?next=${encodeURIComponent(path)}`);
  });

  await test.step("its owner does, and saves it", async () => {
    await signIn(page, person.username);
    await expect(page).toHaveURL(path);
    await expectTold(page, "Your text is back");
    await expectTold(page, "Unsaved changes");
    await expect(field(page, "Body")).toHaveValue(body);
    await expect(page.getByLabel("Status")).toHaveText("Under Review");
    await button(page, "Save Changes").click();
    await expectTold(page, "Content has been updated successfully");
    expect(await callApi(context, "GET", `/api/content/${pieces.titleOnly}`)).toMatchObject({ body, status: "review" });
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept-text:")));
    expect(kept).toEqual([]);
  });
});

test("a form that is open when the session ends is filled in when it is opened again", async ({ page, context }) => {
  const { projectId } = await personWithShowcase(context, "ended.form");
  const person = await callApi<Person>(context, "GET", "/api/user");
  const dialog = page.getByRole("dialog", { name: "Add Topic" });
  await openPage(page, `/projects/${projectId}`);
  await button(page, "Add Topic").click();
  await dialog.getByLabel("Name").fill("Rain barrels");
  await dialog.getByLabel("Description").fill("Where to put them.");
  await endSessions(person);
  await dialog.getByRole("button", { name: "Create Topic" }).click();
  await ended(page).getByRole("button", { name: "Sign In" }).click();
  await signIn(page, person.username);
  await expect(page).toHaveURL(`/projects/${projectId}`);
  await expectTold(page, /^Open “Add Topic” again/);
  await button(page, "Add Topic").click();
  await expect(dialog.getByLabel("Name")).toHaveValue("Rain barrels");
  await dialog.getByRole("button", { name: "Create Topic" }).click();
  await expectTold(page, "Topic created successfully");
});

test("without unsaved text the sign-in page itself says that the session has ended", async ({ page, context }) => {
  await personWithShowcase(context, "ended.nothing");
  const person = await callApi<Person>(context, "GET", "/api/user");
  await openPage(page, "/queue-monitor");
  await endSessions(person);
  // The monitor's own poll may find it out first.
  const press = button(page, "Refresh").click({ timeout: 5_000 });
  await Promise.all([page.waitForURL("/auth?next=%2Fqueue-monitor"), press.catch(() => undefined)]);
  await expectTold(page, "Your session has ended");
});
