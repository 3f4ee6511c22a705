import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import { expectBody, fillBody } from "@/tests/support/e2e-editor";
import { expectAccessible, expectMessage, openPage } from "@/tests/support/e2e-page";
import { PASSWORD } from "@/tests/support/e2e-user";
import { type OwnDeployment, startOwnDeployment } from "@/tests/support/own-deployment";

// A stream that breaks off in the middle of a section, as its user meets it. The provider is the test's own.

const OUTLINE = "## Alpha\nFirst.\n\n## Beta\nSecond.";
const LONG = "A sentence of a section that is long enough to count. ".repeat(30).trim();
const OTHER = "Another sentence of a section that is long enough. ".repeat(40).trim();
const BEGUN = "Water from below. It stays damp longer.";
const WHOLE = `## Alpha\n\n${LONG}\n\n## Beta\n\n${BEGUN} ${OTHER}`;
const NOTICE = "The AI did not finish “Beta”";

let own: OwnDeployment;
let origin: string;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  own = await startOwnDeployment();
  const { port } = await own.startProcess();
  origin = `http://127.0.0.1:${port}`;
});
test.afterAll(() => own.close());
test.beforeEach(() => {
  own.ai.faults.clear();
  own.ai.texts.length = 0;
  own.ai.requests.length = 0;
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const notice = (page: Page) => page.getByText(NOTICE);
/** Of the provider's requests, those that go on from what was begun. */
const goingOn = () => own.ai.requests.filter(({ body }) => JSON.stringify(body.messages).includes("section-begun"));

async function callApi<T>({ request }: BrowserContext, method: string, path: string, data?: unknown): Promise<T> {
  const headers = { origin };
  const answer = await request.fetch(path, { method, headers, ...(data ? { data } : {}) });
  expect([method, path, answer.ok()]).toEqual([method, path, true]);
  return (answer.status() === 204 ? undefined : await answer.json()) as T;
}

/** A new user's piece with an outline, in a window of its own. */
async function openPiece(browser: Browser) {
  const context = await browser.newContext({ baseURL: origin });
  const call = <T>(method: string, path: string, data?: unknown) => callApi<T>(context, method, path, data);
  await call("POST", "/api/register", { username: `unfinished.${Date.now()}`, password: PASSWORD });
  await call("PATCH", "/api/user/settings", { openaiApiKey: own.ai.apiKey });
  const project = await call<{ id: number }>("POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await call<{ id: number }>("POST", `/api/projects/${project.id}/topics`, about);
  const title = "How deep a rain garden is";
  const at = `/api/projects/${project.id}/topics/${topic.id}/content`;
  const { id } = await call<{ id: string }>("POST", at, { title });
  await call("PATCH", `/api/content/${id}`, { outline: OUTLINE });
  const page = await context.newPage();
  await openPage(page, `/content/${id}`);
  const body = async () => (await call<{ body: string }>("GET", `/api/content/${id}`)).body;
  return { context, page, call, body, path: `/content/${id}`, close: () => context.close() };
}

/** The next answer breaks off after BEGUN, in the middle of a word. */
function breakOff(): void {
  const text = `${BEGUN} And the ro`;
  own.ai.texts.push(`${text} ${"x ".repeat(text.split(" ").length)}`);
  own.ai.faults.next(["truncated"]);
}

/** Writes the first section, and the beginning of the second. */
async function writeHalf(page: Page): Promise<void> {
  own.ai.texts.push(LONG);
  own.ai.faults.next([null]);
  breakOff();
  await button(page, "Write Content with AI").first().click();
  await expect(notice(page)).toBeVisible();
}

test("keeps what a broken stream has brought, over a reload, and writes on from it", async ({ browser }) => {
  const { page, body, close } = await openPiece(browser);
  await writeHalf(page);
  await expect(page.getByText("What it wrote so far is kept: 7 words.")).toBeVisible();
  await page.getByText("Show the unfinished text").click();
  await expect(page.getByRole("region", { name: "Unfinished text" })).toHaveText(BEGUN);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }

  await page.reload();
  await expect(notice(page)).toBeVisible();
  own.ai.texts.push(OTHER);
  await button(page, "Continue").focus();
  await page.keyboard.press("Enter");
  await expectMessage(page, "Content generated successfully from outline");
  await expectBody(page, WHOLE);
  await expect(notice(page)).toBeHidden();
  expect([await body(), own.ai.requests.length]).toEqual([WHOLE, 3]);
  await close();
});

test("drops it once asked, and the next text starts the section over", async ({ browser }) => {
  const { page, body, close } = await openPiece(browser);
  await writeHalf(page);
  const question = page.getByRole("alertdialog", { name: "Drop the unfinished section?" });
  await button(page, "Drop").focus();
  await test.step("a held Enter drops nothing", async () => {
    for (let pressed = 0; pressed < 12; pressed++) {
      await page.keyboard.down("Enter");
      await page.waitForTimeout(30);
    }
    await page.keyboard.up("Enter");
    await expect(notice(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
  });
  await button(page, "Drop").click();
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(button(page, "Drop")).toBeFocused();
  await page.keyboard.press("Enter");
  await button(page, "Drop").last().click();
  await expect(notice(page)).toBeHidden();
  await expect(page.locator("body")).not.toBeFocused();

  await page.reload();
  await expect(button(page, "Write Content with AI").first()).toBeVisible();
  await expect(notice(page)).toBeHidden();
  own.ai.texts.push(OTHER);
  await button(page, "Write Content with AI").first().click();
  await expectMessage(page, "Content generated successfully from outline");
  expect(await body()).toBe(`## Alpha\n\n${LONG}\n\n## Beta\n\n${OTHER}`);
  expect(goingOn()).toEqual([]);
  await close();
});

test("keeps what was begun and what is new when its user stops it", async ({ browser }) => {
  const { page, call, body, close } = await openPiece(browser);
  await writeHalf(page);
  // The answer takes twenty seconds.
  await call("PATCH", "/api/user/settings", { openaiApiKey: `${own.ai.apiKey}-20000` });
  own.ai.texts.push(OTHER);
  await button(page, "Continue").click();
  await expect(page.getByText(/Another sentence/).first()).toBeVisible();
  await button(page, "Stop").click();
  await expectMessage(page, "Stopped. What was written until then is kept.");
  const text = await body();
  expect(text.startsWith(`## Alpha\n\n${LONG}\n\n## Beta\n\n${BEGUN}`)).toBe(true);
  expect(WHOLE.startsWith(text)).toBe(true);
  await expectBody(page, text);
  await expect(notice(page)).toBeHidden();
  await close();
});

test("is there after Back, and in a second tab, whose Continue brings the text to the first", async ({ browser }) => {
  const { context, page, path, close } = await openPiece(browser);
  const second = await context.newPage();
  await openPage(second, path);
  await writeHalf(page);
  await page.getByRole("link", { name: "Content", exact: true }).first().click();
  await expect(page).toHaveURL(/\/content$/);
  await page.goBack();
  await expect(notice(page)).toBeVisible();
  await expect(notice(second)).toBeVisible();
  own.ai.texts.push(OTHER);
  await button(second, "Continue").click();
  await expectBody(second, WHOLE);
  await expect(notice(page)).toBeHidden();
  await page.getByRole("tab", { name: "Edit" }).click();
  await expectBody(page, WHOLE);
  await close();
});

test("pays once when both tabs continue at the same time, and loses nothing when one drops meanwhile", async ({
  browser,
}) => {
  const { context, page, call, path, body, close } = await openPiece(browser);
  await writeHalf(page);
  const second = await context.newPage();
  await openPage(second, path);
  await expect(notice(second)).toBeVisible();
  let answer = () => {};
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  own.ai.faults.next([{ kind: "held", until }]);
  own.ai.texts.push(OTHER);
  await Promise.all([page, second].map((tab) => button(tab, "Continue").dblclick()));
  const refused = (tab: Page) => tab.getByText(/^This piece is being worked on already/).isVisible();
  await expect.poll(async () => [await refused(page), await refused(second)].filter(Boolean).length).toBe(1);
  // As from a window that does not know yet that the AI is writing.
  await call("DELETE", `/api${path}/unfinished`);
  answer();
  await expect.poll(body).toBe(WHOLE);
  expect(own.ai.requests).toHaveLength(3);
  await close();
});

test("loses nothing that was typed before Continue was pressed", async ({ browser }) => {
  const { page, body, call, path, close } = await openPiece(browser);
  await writeHalf(page);
  await page.getByRole("tab", { name: "Edit" }).click();
  await fillBody(page, "Typed by hand.");
  await button(page, "Continue").click();
  const question = page.getByRole("alertdialog", { name: "Replace the body?" });
  await expect(question).toBeVisible();
  expect(await body()).toBe("Typed by hand.");
  await page.keyboard.press("Escape");
  await expect(button(page, "Continue")).toBeFocused();

  await test.step("an outline that was edited has nothing to go on from, and nothing is paid", async () => {
    const asked = own.ai.requests.length;
    await call("PATCH", `/api${path}`, { outline: `${OUTLINE}\n\n## Gamma\nThird.` });
    await button(page, "Continue").click();
    await expect(page.getByText(/so the AI cannot continue from there/)).toBeVisible();
    await expect(button(page, "Continue")).toBeHidden();
    await expect(page.locator("body")).not.toBeFocused();
    expect([await body(), own.ai.requests.length]).toEqual(["Typed by hand.", asked]);
  });
  await close();
});

test("stays when it cannot be continued now: offline, signed out, or with the piece gone", async ({ browser }) => {
  const { context, page, call, body, path, close } = await openPiece(browser);
  await writeHalf(page);
  await test.step("offline", async () => {
    await context.setOffline(true);
    await button(page, "Continue").click();
    await expectMessage(page, /You seem to be offline/);
    await context.setOffline(false);
    await expect(button(page, "Continue")).toBeEnabled();
  });
  await test.step("signed out", async () => {
    const cookies = await context.cookies();
    await context.clearCookies();
    await button(page, "Continue").click();
    await expectMessage(page, /session/);
    await context.addCookies(cookies);
    await page.reload();
    await expect(notice(page)).toBeVisible();
    expect(await body()).toBe("");
  });
  await test.step("deleted", async () => {
    await call("DELETE", `/api${path}`);
    await button(page, "Continue").click();
    await expectMessage(page, /not found|was deleted|does not exist/);
  });
  expect(own.ai.requests).toHaveLength(2);
  await close();
});
