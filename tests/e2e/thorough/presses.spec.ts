import { expect, type Locator, type Page, test } from "@playwright/test";
import { callApi, confirmSiteChange, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSamples, registerUser } from "@/tests/support/e2e-user";
import { focusTo } from "@/tests/support/keyboard";

// A double click and a held key, at the pace of a hand; dialogs fade as they do for users.

test.use({ contextOptions: { reducedMotion: "no-preference" } });

const GAPS_MS = [0, 60, 150, 250, 350];
const NETWORK_MS = [0, 60];
const REPEATS = 12;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const question = (page: Page) => page.getByRole("alertdialog");
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Two clicks at the same point, whatever is there by then. */
async function clickTwice(page: Page, target: Locator, gapMs: number): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} is not on the screen`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await after(gapMs);
  await page.mouse.click(x, y);
}

/** A key that repeats as on a keyboard. */
async function holdEnter(page: Page): Promise<void> {
  for (let pressed = 0; pressed <= REPEATS; pressed++) {
    await page.keyboard.down("Enter");
    await after(30);
  }
  await page.keyboard.up("Enter");
}

/** The calls to these paths, each of which takes so much longer. */
async function slowCalls(page: Page, path: RegExp) {
  const calls: string[] = [];
  const slow = { networkMs: 0, calls };
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    calls.push(route.request().url());
    await after(slow.networkMs);
    return route.continue();
  });
  return slow;
}

test("makes one topic however a double click falls, and with a held Enter", async ({ page, context }) => {
  // Twelve topics, each with a dialog that fades in and out.
  test.slow();
  await registerUser(context, `presses.${Date.now()}`);
  const { id } = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  await openPage(page, `/projects/${id}`);
  const slow = await slowCalls(page, /\/topics$/);
  const dialog = page.getByRole("dialog");
  const names: string[] = [];

  async function fillIn(name: string) {
    names.push(name);
    await button(page, "Add Topic").first().click();
    await dialog.getByLabel("Description").fill("How deep.");
    await dialog.getByLabel("Name").fill(name);
  }

  async function expectOne() {
    await expect(button(page, new RegExp(`^${names.at(-1)}`))).toHaveCount(1);
    await expect(dialog).toHaveCount(0);
    expect(slow.calls).toHaveLength(names.length);
  }

  for (slow.networkMs of NETWORK_MS) {
    for (const gap of GAPS_MS) {
      await fillIn(`Gap ${gap} network ${slow.networkMs}`);
      await clickTwice(page, dialog.getByRole("button", { name: "Create Topic" }), gap);
      await expectOne();
    }
    await fillIn(`Held network ${slow.networkMs}`);
    await holdEnter(page);
    await expectOne();
  }
  const topics = await callApi<{ name: string }[]>(context, "GET", `/api/projects/${id}/topics`);
  expect(topics.map(({ name }) => name).sort()).toEqual(names.sort());
});

test("asks before readers are touched: a double click or a held Enter confirms nothing", async ({ page, context }) => {
  await registerUser(context, `asked.${Date.now()}`);
  await connectSamples(context);
  const make = (path: string, data: unknown) => callApi<{ id: string }>(context, "POST", path, data);
  const project = await make("/api/projects", { title: "Rain gardens" });
  const topic = await make(`/api/projects/${project.id}/topics`, { name: "Digging", description: "How deep." });
  const piece = await make(`/api/projects/${project.id}/topics/${topic.id}/content`, {
    title: "How deep",
    body: "A text.",
  });
  await openPage(page, `/content/${piece.id}`);
  const slow = await slowCalls(page, /\/(un)?publish$/);

  for (const [verb, other] of [
    ["Publish to WordPress", "Unpublish from WordPress"],
    ["Unpublish from WordPress", "Publish to WordPress"],
  ] as const) {
    await test.step(verb, async () => {
      for (const gap of GAPS_MS) {
        await clickTwice(page, button(page, verb), gap);
        await expect(question(page)).toContainText("“How deep” will be");
        await page.keyboard.press("Escape");
        await expect(question(page)).toHaveCount(0);
      }
      await focusTo(page, button(page, verb), { back: true });
      await holdEnter(page);
      await expect(question(page).getByRole("button", { name: "Cancel" })).toBeFocused();
      const calls = slow.calls.length;
      await clickTwice(page, confirmSiteChange(page), 150);
      await expect(button(page, other)).toBeVisible();
      await expect(question(page)).toHaveCount(0);
      expect(slow.calls).toHaveLength(calls + 1);
      if (verb === "Unpublish from WordPress") return;
      const post = context.waitForEvent("page");
      await expectMessage(page, "Content published to WordPress successfully");
      await button(page, "View post").click();
      await (await post).close();
    });
  }
  expect(slow.calls).toHaveLength(2);
});
