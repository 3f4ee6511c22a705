import { expect, type Page, test } from "@playwright/test";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSite, registerUser } from "@/tests/support/e2e-user";

let shop: SampleWordPress;
test.beforeAll(async () => {
  shop = await startSampleWordPress();
});
test.afterAll(() => shop.close());

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const siteRow = (page: Page, name: string) =>
  page.getByRole("list", { name: "Sites" }).getByRole("listitem").filter({ hasText: name });

async function chooseAction(page: Page, site: string, action: string): Promise<void> {
  await button(page, `Actions for ${site}`).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function chooseSite(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Site" }).click();
  await page.getByRole("option", { name }).click();
}

async function askToRemove(page: Page, site: string): Promise<void> {
  await chooseAction(page, site, "Remove");
  await page.getByRole("alertdialog", { name: "Remove this site?" }).getByRole("button", { name: "Remove" }).click();
}

test("adds a second site, publishes a project there, moves the project and removes the site", async ({
  page,
  context,
}) => {
  await registerUser(context, `sites.${Date.now()}`);
  await connectSite(context);
  const blog = new URL(process.env.E2E_WORDPRESS_URL ?? "").host;
  const make = <T>(path: string, data: unknown) => callApi<T & { id: number }>(context, "POST", path, data);
  await make("/api/projects", { title: "Rain gardens" });

  await test.step("with one site nothing asks for a site", async () => {
    await openPage(page, "/");
    await button(page, "New Project").click();
    await expect(page.getByLabel("Title")).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Site" })).toHaveCount(0);
  });

  await test.step("a site that does not let us in is refused, and added with the right password", async () => {
    await openPage(page, "/settings");
    await expect(siteRow(page, blog)).toContainText("Default");
    await button(page, "Add site").click();
    const dialog = page.getByRole("dialog", { name: "Add Site" });
    await dialog.getByLabel("Name", { exact: true }).fill("Seed shop");
    await dialog.getByLabel("Address").fill(shop.url);
    await dialog.getByLabel("WordPress username").fill(shop.username);
    await dialog.getByLabel("Application password").fill("not the password");
    await dialog.getByRole("button", { name: "Add Site" }).click();
    await expect(dialog.getByRole("alert")).toContainText("The site was not added");
    await dialog.getByLabel("Application password").fill(shop.applicationPassword);
    await dialog.getByRole("button", { name: "Add Site" }).click();
    await expectMessage(page, "Seed shop is connected.");
    await expect(dialog).toHaveCount(0);
    await expect(siteRow(page, "Seed shop")).toContainText(/Role: editor.*No projects.*Last contact just now/);
    await chooseAction(page, "Seed shop", "Test connection");
    await expect(siteRow(page, "Seed shop")).toContainText(/Connected to .* as editor/);
  });

  await test.step("a new project is made on it", async () => {
    await openPage(page, "/");
    await button(page, "New Project").click();
    await page.getByLabel("Title").fill("Balcony");
    await expect(page.getByRole("combobox", { name: "Site" })).toHaveText(blog);
    await chooseSite(page, "Seed shop");
    await button(page, "Create Project").click();
    await expect(page.getByRole("heading", { name: "Balcony", level: 1 })).toBeVisible();
    await expect(page.getByText("Published on Seed shop")).toBeVisible();
  });

  const projectId = Number(/\d+$/.exec(page.url())?.[0]);
  const topic = await make(`/api/projects/${projectId}/topics`, { name: "Pots", description: "All about pots." });
  await make(`/api/projects/${projectId}/topics/${topic.id}/content`, { title: "Terracotta", body: "It breathes." });

  await test.step("its pieces are published there, into a category of that site", async () => {
    await openPage(page, "/wordpress-publishing");
    const group = page.getByRole("region", { name: "Seed shop" });
    await expect(group.getByRole("row", { name: /Balcony/ })).toBeVisible();
    await expect(group.getByRole("row", { name: /Rain gardens/ })).toHaveCount(0);
    await group.getByRole("link", { name: "Manage Publishing" }).click();
    await expect(page.getByText("WordPress Publishing to Seed shop")).toBeVisible();
    const asked = page.waitForRequest((request) => request.url().includes("/api/wordpress/categories?siteId="));
    await button(page, "Publish with Category").click();
    await asked;
    await button(page, "Publish")
      .and(page.getByText("Publish", { exact: true }))
      .click();
    await expectMessage(page, "Content published to WordPress successfully (Seed shop)");
    expect(shop.posts().map(({ status }) => status)).toEqual(["publish"]);
  });

  await test.step("a site with a project is not removed", async () => {
    await openPage(page, "/settings");
    await askToRemove(page, "Seed shop");
    await expectMessage(page, "1 project is on this site. Move it to another site first.");
    await expect(siteRow(page, "Seed shop")).toContainText("1 project");
  });

  await test.step("moving the project asks first, and leaves its post where it is", async () => {
    await openPage(page, `/projects/${projectId}`);
    await button(page, "Edit project").click();
    await chooseSite(page, blog);
    await button(page, "Save Project").click();
    const question = page.getByRole("alertdialog", { name: "Move this project to another site?" });
    await expect(question).toContainText("Its live post stays on Seed shop, unmanaged from here until it moves back.");
    await question.getByRole("button", { name: "Move Project" }).click();
    await expectMessage(page, "Project updated successfully");
    await expect(page.getByText(`Published on ${blog}`)).toBeVisible();
    await page.getByRole("link", { name: "WordPress Publishing" }).first().click();
    await expect(page.getByRole("row", { name: /Terracotta/ })).toContainText("Not Published");
    expect(shop.posts().map(({ status }) => status)).toEqual(["publish"]);
  });

  await test.step("then the site can be removed, and nothing is deleted there", async () => {
    await openPage(page, "/settings");
    await askToRemove(page, "Seed shop");
    await expectMessage(page, "Nothing was deleted on Seed shop.");
    await expect(siteRow(page, "Seed shop")).toHaveCount(0);
    await expect(siteRow(page, blog)).toBeVisible();
    expect(shop.posts().map(({ status }) => status)).toEqual(["publish"]);
  });

  const longName = "The seed shop of the Lower Valley Gardeners' Association, founded in 1887";
  await test.step("it can be added by its own page too, under the name typed here", async () => {
    await button(page, "Add site").click();
    const dialog = page.getByRole("dialog", { name: "Add Site" });
    await dialog.getByLabel("Name", { exact: true }).fill(longName);
    await dialog.getByLabel("Address").fill(shop.url);
    await dialog.getByRole("button", { name: "Connect with WordPress" }).click();
    await page.getByRole("button", { name: "Yes, I approve of this connection" }).click();
    await expectMessage(page, "Your site is connected. Test the connection to see what your account may do there.");
    await expect(siteRow(page, longName)).toContainText("Role: editor");
    await expect(siteRow(page, blog)).toContainText("Default");
  });

  await test.step("a long name stays within the form that chooses it", async () => {
    await openPage(page, "/");
    await button(page, "New Project").click();
    await chooseSite(page, longName);
    const dialog = page.getByRole("dialog", { name: "Create New Project" });
    expect(await dialog.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  });
});
