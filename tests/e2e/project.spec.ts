import { expect, type Page, test } from "@playwright/test";
import { expectMessage, openPage } from "@/tests/support/e2e-page";
import { userWithShowcase } from "@/tests/support/e2e-user";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("opens one topic at a time, edits keywords and titles in place and adds suggestions", async ({
  page,
  context,
}) => {
  const { projectId } = await userWithShowcase(context, "project");
  await openPage(page, `/projects/${projectId}`);
  const seeds = button(page, /^Seed starting indoors/);
  const frost = button(page, /^Last frost/);

  await test.step("title, description and links are there", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Spring planting guide 2027");
    await expectMessage(page, /^Everything a first-time grower needs/);
    await expect(page.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/");
    const publishing = page.getByRole("link", { name: "WordPress Publishing" });
    await expect(publishing).toHaveAttribute("href", `/wp-publishing/${projectId}`);
    await expect(frost).toContainText("(Weather)");
  });

  await test.step("opening a topic closes the other one, and it can be closed again", async () => {
    await seeds.click();
    await expect(seeds).toHaveAttribute("aria-expanded", "true");
    await frost.click();
    await expect(frost).toHaveAttribute("aria-expanded", "true");
    await expect(seeds).toHaveAttribute("aria-expanded", "false");
    await expect(page).toHaveURL(/\?topic=\d+$/);
    await page.reload();
    await expect(frost).toHaveAttribute("aria-expanded", "true");
    await openPage(page, page.url());
    await frost.click();
    await expect(frost).toHaveAttribute("aria-expanded", "false");
    await expect(page).not.toHaveURL(/topic=/);
    await button(page, /^Slugs/).click();
    await expectMessage(page, "No content pieces yet. Click the button above to generate content ideas.");
    await button(page, "Create Ideas").click();
    const dialog = page.getByRole("dialog", { name: "Create Content Ideas" });
    await expect(dialog.getByLabel("Topic")).toContainText("Slugs");
    await page.keyboard.press("Escape");
    await expect(button(page, "Create Ideas")).toBeFocused();
  });

  await test.step("a keyword is saved on Enter, but not on Escape or when blank", async () => {
    await seeds.click();
    await button(page, "Edit keyword bottom watering").click();
    const field = page.getByLabel("Edit keyword bottom watering");
    await field.fill("watering from below");
    await field.press("Escape");
    await expect(button(page, "Edit keyword bottom watering")).toBeVisible();
    await button(page, "Edit keyword bottom watering").click();
    await field.fill("   ");
    await field.press("Enter");
    await expect(field).toBeVisible();
    await expect(button(page, "Save keyword")).toBeDisabled();
    await field.fill("  watering from below  ");
    await field.press("Enter");
    await expectMessage(page, "Keyword updated successfully");
    await expect(button(page, "Edit keyword watering from below")).toHaveText("watering from below");
  });

  await test.step("a keyword is deleted after confirmation", async () => {
    const question = page.getByRole("alertdialog");
    await button(page, "Delete keyword leggy seedlings").click();
    await expect(question).toContainText("Are you sure you want to delete this keyword?");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(button(page, "Edit keyword leggy seedlings")).toBeVisible();
    await button(page, "Delete keyword leggy seedlings").click();
    await question.getByRole("button", { name: "Delete" }).click();
    await expectMessage(page, "Keyword deleted successfully");
    await expect(button(page, "Edit keyword leggy seedlings")).toHaveCount(0);
    await expect(seeds).toContainText("6 keywords · 6 pieces");
  });

  await test.step("a title is saved trimmed on Enter, but not on Escape or when blank", async () => {
    const edit = button(page, "Edit title: Bottom watering, explained");
    const field = page.getByLabel("Content title");
    await edit.click();
    await field.fill("Something else");
    await field.press("Escape");
    await expect(page.getByRole("link", { name: "Bottom watering, explained" })).toBeVisible();
    await edit.click();
    await field.fill(" ");
    await field.press("Enter");
    await expect(field).toBeVisible();
    await field.fill("  Watering from below, explained  ");
    await field.press("Enter");
    await expectMessage(page, "Content title updated successfully");
    await expect(page.getByRole("link", { name: "Watering from below, explained", exact: true })).toBeVisible();
  });

  await test.step("added suggestions leave the list, and Add All closes it", async () => {
    await button(page, "Show Suggestions").click();
    const list = page.getByRole("region", { name: "Suggested keywords" });
    const each = list.getByRole("button", { name: /^Add (?!All)/ });
    await expect(each).not.toHaveCount(0);
    const before = await each.count();
    const taken = ((await each.first().getAttribute("aria-label")) ?? "").replace(/^Add /, "");
    await each.first().click();
    await expectMessage(page, "Added 1 keywords");
    await expect(each).toHaveCount(before - 1);
    await expect(button(page, `Edit keyword ${taken}`)).toBeVisible();
    await button(page, "Hide Suggestions").click();
    await expect(list).toBeHidden();
    // A second click at once would count as one half of a double click.
    await button(page, "Show Suggestions").press("Enter");
    await expect(each).toHaveCount(before - 1);
    // They survive another topic and another screen, without another request to the provider.
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/suggest-keywords")) asked += 1;
    });
    await frost.click();
    await expect(list).toBeHidden();
    await seeds.click();
    await expect(each).toHaveCount(before - 1);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
    await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();
    await page.goBack();
    await expect(each).toHaveCount(before - 1);
    expect(asked).toBe(0);
    await list.getByRole("button", { name: "Add All" }).click();
    await expectMessage(page, `Added ${before - 1} keywords`);
    await expect(list).toBeHidden();
    await expect(button(page, "Show Suggestions")).toBeVisible();
    await expect(seeds).toContainText(`${6 + before} keywords`);
  });

  await test.step("Auto-Add saves what it finds", async () => {
    await button(page, "Auto-Add Keywords").click();
    await expectMessage(page, /^\d+ keywords added automatically$/);
  });
});

test("handles an empty project, saves its persona and validates the ideas dialog", async ({ page, context }) => {
  const { projectId, emptyProjectId } = await userWithShowcase(context, "persona");
  const dialog = page.getByRole("dialog");

  await openPage(page, `/projects/${emptyProjectId}`);
  await expectMessage(page, "No description provided");
  await expect(button(page, "Create Content Ideas")).toHaveCount(0);
  await button(page, "Add Buyer Persona").click();
  await dialog.getByLabel("Name").fill("Ines Duarte");
  await dialog.getByLabel("Age").fill("41");
  await dialog.getByLabel("Description").fill("Has a balcony to the north.");
  for (const interest of ["  Herbs that need no sun ", "   ", "Short walks"]) {
    await dialog.getByRole("textbox", { name: "Interests" }).fill(interest);
    await dialog.getByRole("textbox", { name: "Interests" }).press("Enter");
  }
  await expect(dialog.getByRole("list", { name: "Interests" }).getByRole("listitem")).toHaveText([
    /^Herbs that need no sun/,
    /^Short walks/,
  ]);
  await dialog.getByRole("textbox", { name: "Challenges" }).fill("Wind");
  await dialog.getByRole("button", { name: "Add challenge" }).click();
  await dialog.getByRole("button", { name: "Create Persona" }).click();
  await expectMessage(page, "Buyer persona created successfully");
  await expect(page.getByRole("heading", { name: "Ines Duarte, 41" })).toBeVisible();
  await button(page, "Edit buyer persona").click();
  await dialog.getByRole("button", { name: "Remove Short walks" }).click();
  await dialog.getByRole("button", { name: "Save Persona" }).click();
  await expectMessage(page, "Buyer persona updated successfully");
  await expect(page.getByText("Short walks")).toHaveCount(0);

  await openPage(page, `/projects/${projectId}`);
  await button(page, "Create Content Ideas").click();
  await expect(dialog.getByLabel("Ideas per keyword")).toHaveValue("3");
  await dialog.getByLabel("Ideas per keyword").fill("");
  await dialog.getByRole("button", { name: "Create Content Ideas" }).click();
  await expect(dialog).toContainText("Please select a topic");
  await expect(dialog).toContainText("Please select how many ideas per keyword");
  for (const count of ["0", "11"]) {
    await dialog.getByLabel("Ideas per keyword").fill(count);
    await dialog.getByRole("button", { name: "Create Content Ideas" }).click();
    await expect(dialog.getByLabel("Ideas per keyword")).toHaveAttribute("aria-invalid", "true");
  }
});
