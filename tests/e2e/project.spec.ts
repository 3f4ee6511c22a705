import { expect, type Page, test } from "@playwright/test";
import { expectTold, openPage } from "@/tests/support/e2e-page";
import { personWithShowcase } from "@/tests/support/e2e-person";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("a project: one topic open at a time, words and titles edited in place, suggestions that run out", async ({
  page,
  context,
}) => {
  const { projectId } = await personWithShowcase(context, "project");
  await openPage(page, `/projects/${projectId}`);
  const seeds = button(page, /^Seed starting indoors/);
  const frost = button(page, /^Last frost/);

  await test.step("what it is called and where it leads", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Spring planting guide 2027");
    await expectTold(page, /^Everything a first-time grower needs/);
    await expect(page.getByRole("link", { name: "Back to Projects" })).toHaveAttribute("href", "/");
    const publishing = page.getByRole("link", { name: "WordPress Publishing" });
    await expect(publishing).toHaveAttribute("href", `/wp-publishing/${projectId}`);
    await expect(frost).toContainText("(Weather)");
  });

  await test.step("opening one topic closes the other, and the open one can be closed", async () => {
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
    await expectTold(page, "No content pieces yet. Click the button above to generate content ideas.");
    await button(page, "Generate Ideas").click();
    const dialog = page.getByRole("dialog", { name: "Create Content Ideas" });
    await expect(dialog.getByLabel("Topic")).toContainText("Slugs");
    await page.keyboard.press("Escape");
    await expect(button(page, "Generate Ideas")).toBeFocused();
  });

  await test.step("a keyword: Enter saves, Escape and a blank one do not", async () => {
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
    await expectTold(page, "Keyword updated successfully");
    await expect(button(page, "Edit keyword watering from below")).toHaveText("watering from below");
  });

  await test.step("a keyword is deleted after a question", async () => {
    const question = page.getByRole("alertdialog");
    await button(page, "Delete keyword leggy seedlings").click();
    await expect(question).toContainText("Are you sure you want to delete this keyword?");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(button(page, "Edit keyword leggy seedlings")).toBeVisible();
    await button(page, "Delete keyword leggy seedlings").click();
    await question.getByRole("button", { name: "Delete" }).click();
    await expectTold(page, "Keyword deleted successfully");
    await expect(button(page, "Edit keyword leggy seedlings")).toHaveCount(0);
    await expect(seeds).toContainText("6 keywords · 6 pieces");
  });

  await test.step("a title: Enter saves it trimmed, Escape and a blank one do not", async () => {
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
    await expectTold(page, "Content title updated successfully");
    await expect(page.getByRole("link", { name: "Watering from below, explained", exact: true })).toBeVisible();
  });

  await test.step("suggestions leave the list one by one; all at once closes it", async () => {
    await button(page, "Show Suggestions").click();
    const list = page.getByRole("region", { name: "Suggested keywords" });
    const each = list.getByRole("button", { name: /^Add (?!All)/ });
    await expect(each).not.toHaveCount(0);
    const before = await each.count();
    const taken = ((await each.first().getAttribute("aria-label")) ?? "").replace(/^Add /, "");
    await each.first().click();
    await expectTold(page, "Added 1 keywords");
    await expect(each).toHaveCount(before - 1);
    await expect(button(page, `Edit keyword ${taken}`)).toBeVisible();
    await button(page, "Hide Suggestions").click();
    await expect(list).toBeHidden();
    await button(page, "Show Suggestions").click();
    await expect(each).toHaveCount(before - 1);
    // Neither another topic nor another screen takes them away, or asks the provider again.
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
    await expectTold(page, `Added ${before - 1} keywords`);
    await expect(list).toBeHidden();
    await expect(button(page, "Show Suggestions")).toBeVisible();
    await expect(seeds).toContainText(`${6 + before} keywords`);
  });

  await test.step("Auto-Add saves what it finds", async () => {
    await button(page, "Auto-Add Keywords").click();
    await expectTold(page, /^\d+ keywords added automatically$/);
  });
});

test("a project with nothing in it, its persona, and what the ideas dialog asks for", async ({ page, context }) => {
  const { projectId, emptyProjectId } = await personWithShowcase(context, "persona");
  const dialog = page.getByRole("dialog");

  await openPage(page, `/projects/${emptyProjectId}`);
  await expectTold(page, "No description provided");
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
    "Herbs that need no sun",
    "Short walks",
  ]);
  await dialog.getByRole("textbox", { name: "Challenges" }).fill("Wind");
  await dialog.getByRole("button", { name: "Add challenge" }).click();
  await dialog.getByRole("button", { name: "Create Persona" }).click();
  await expectTold(page, "Buyer persona created successfully");
  await expect(page.getByRole("heading", { name: "Ines Duarte, 41" })).toBeVisible();
  await button(page, "Edit buyer persona").click();
  await dialog.getByRole("button", { name: "Remove Short walks" }).click();
  await dialog.getByRole("button", { name: "Save Persona" }).click();
  await expectTold(page, "Buyer persona updated successfully");
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
