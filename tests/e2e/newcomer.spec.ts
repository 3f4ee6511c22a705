import { expect, test } from "@playwright/test";
import { expectBody, fillBody } from "@/tests/support/e2e-editor";
import { clickAndConfirm, expectAccessible, expectMessage } from "@/tests/support/e2e-page";

const {
  E2E_AI_KEY = "",
  E2E_WORDPRESS_URL = "",
  E2E_WORDPRESS_USERNAME = "",
  E2E_WORDPRESS_PASSWORD = "",
} = process.env;

test("takes a newcomer from registration to a post written with AI, published and unpublished again", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const name = `maren.${Date.now()}`;

  await test.step("register", async () => {
    await page.goto("/auth");
    await expectAccessible(page, "auth");
    await page.getByRole("tab", { name: "Register" }).click();
    await page.getByLabel("Username").fill(name);
    await page.getByLabel("Password", { exact: true }).fill("password");
    await page.getByRole("button", { name: "Register" }).click();
    await expectMessage(page, "Registration failed");
    await page.getByLabel("Password", { exact: true }).fill("a calm desk for words");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByRole("heading", { name: `Welcome, ${name}` })).toBeVisible();
    await expectAccessible(page, "empty home");
  });

  await test.step("publishing asks for credentials first", async () => {
    await page.goto("/wordpress-publishing");
    await expect(page.getByText("WordPress Credentials Required")).toBeVisible();
    await page.getByRole("link", { name: "Go to Settings" }).click();
    await expect(page).toHaveURL(/\/settings$/);
  });

  await test.step("save the settings", async () => {
    await page.getByLabel("AI provider API key").fill(E2E_AI_KEY);
    await page.getByLabel("Blogging-site URL").fill(E2E_WORDPRESS_URL);
    await page.getByLabel("Blogging-site username").fill(E2E_WORDPRESS_USERNAME);
    await page.getByLabel("Blogging-site password").fill(E2E_WORDPRESS_PASSWORD);
    await page.getByRole("button", { name: "Save Settings" }).click();
    await expectMessage(page, "Your settings have been updated successfully");
    await expect(page.getByText(`Stored, ends in ${E2E_AI_KEY.slice(-4)}`)).toBeAttached();
    await expectAccessible(page, "settings");
  });

  await test.step("create a project, a topic and a piece by hand", async () => {
    await page.goto("/");
    await page.getByRole("button", { name: "New Project" }).first().click();
    await page.getByRole("dialog").getByLabel("Title").fill("Balcony herbs");
    await page.getByRole("dialog").getByRole("button", { name: "Create Project" }).click();
    await expectMessage(page, "Project created successfully");
    await page.getByRole("link", { name: "Balcony herbs" }).click();
    await expect(page.getByText("No description provided")).toBeVisible();
    await page.getByRole("button", { name: "Add Topic" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("Basil");
    await page.getByRole("dialog").getByLabel("Description").fill("Growing basil in pots without losing it by June.");
    await page.getByRole("dialog").getByRole("button", { name: "Create Topic" }).click();
    await expectMessage(page, "Topic created successfully");
    const topic = page.getByRole("button", { name: /^Basil/ });
    if ((await topic.getAttribute("aria-expanded")) === "false") await topic.click();
    await page.getByRole("button", { name: "Add Content" }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Why shop basil dies in a week");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Add Content/ })
      .click();
    await expect(page.getByRole("link", { name: "Why shop basil dies in a week" })).toBeVisible();
    await expectAccessible(page, "project");
  });

  await test.step("outline, write, publish, sync and unpublish the piece in the editor", async () => {
    await page.getByRole("link", { name: "Why shop basil dies in a week" }).click();
    await expect(page.getByText("Title-Only Content")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sync Status" })).toBeDisabled();
    await page.getByRole("button", { name: "Generate Outline" }).first().click();
    await expectMessage(page, "Outline generated");
    await page.getByRole("tab", { name: "Outline" }).click();
    await expect(page.getByRole("textbox", { name: /^Heading of section 1 of / })).not.toHaveValue("");
    await page.getByRole("button", { name: "Write Content with AI" }).click();
    await expectMessage(page, "Content generated successfully from outline");
    await page.getByRole("tab", { name: "Edit" }).click();
    await expectBody(page, /^## /m);
    await expectAccessible(page, "editor");
    await clickAndConfirm(page, page.getByRole("button", { name: "Publish to WordPress" }));
    await expectMessage(page, "Content published to WordPress successfully");
    const unpublish = page.getByRole("button", { name: "Unpublish from WordPress" });
    await expect(unpublish).toBeVisible();
    await page.getByRole("button", { name: "Sync Status" }).click();
    await expectMessage(page, "Content synced with WordPress successfully");
    await fillBody(page, "A text of my own.");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectMessage(page, "Content has been updated successfully");
    await page.getByRole("tab", { name: "SEO Assistant" }).click();
    await expect(page.getByText("why-shop-basil-dies-in-a-week").first()).toBeVisible();
    await page.getByRole("tab", { name: "Preview" }).click();
    await expect(page.getByText("A text of my own.")).toBeVisible();
    await clickAndConfirm(page, unpublish);
    await expectMessage(page, "Content unpublished from WordPress successfully");
    await expect(page.getByRole("button", { name: "Publish to WordPress" })).toBeVisible();
  });

  await test.step("the other screens work for a newcomer too", async () => {
    for (const path of ["/content", "/queue-monitor", "/wordpress-publishing"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page, path);
    }
    const missing = await page.goto("/nowhere");
    expect(missing?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
    await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
    expect((await page.goto("/projects/999999"))?.status()).toBe(404);
  });

  await test.step("sign out ends the session", async () => {
    await page.goto("/");
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL(/\/auth/);
    await page.goto("/content");
    await expect(page).toHaveURL(/\/auth\?next=%2Fcontent$/);
  });
});
