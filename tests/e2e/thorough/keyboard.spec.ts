import { expect, type Page, test } from "@playwright/test";
import { bodyField, expectBody, expectChangeSeen } from "@/tests/support/e2e-editor";
import { expectMessage, hydrated } from "@/tests/support/e2e-page";
import { connectSamples, PASSWORD, registerUser } from "@/tests/support/e2e-user";
import { choose, expectFocusOn, focusTo, press, pressAndConfirm, write } from "@/tests/support/keyboard";

// No pointer, no click and no fill() in this file, and the focus must always be visible.

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("completes the main journey by keyboard alone, the focus always visible", async ({ page, context, browser }) => {
  test.setTimeout(120_000);
  const other = await browser.newContext({ baseURL: process.env.E2E_BASE_URL });
  const username = `keys.only.${Date.now()}`;
  await registerUser(other, username);
  await connectSamples(other);
  await other.close();

  await test.step("sign in", async () => {
    await page.goto("/auth");
    await hydrated(page);
    await write(page, page.getByLabel("Username"), username);
    await write(page, page.getByLabel("Password", { exact: true }), PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: `Welcome, ${username}` })).toBeVisible();
  });

  await test.step("toggle the sidebar with Ctrl+B and skip it with the page's first link", async () => {
    await hydrated(page);
    const shell = page.locator("[data-sidebar]");
    await expect(shell).toHaveAttribute("data-sidebar", "auto");
    await page.keyboard.press("Control+b");
    await expect(shell).toHaveAttribute("data-sidebar", "collapsed");
    await page.keyboard.press("Control+b");
    await expect(shell).toHaveAttribute("data-sidebar", "open");
    await page.reload();
    await hydrated(page);
    await page.keyboard.press("Tab");
    await expectFocusOn(page, page.getByRole("link", { name: "Skip to content" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("Tab");
    await expectFocusOn(page, button(page, "Logout"));
  });

  await test.step("create a project", async () => {
    const opener = button(page, "New Project");
    await press(page, opener);
    await expectFocusOn(page, page.getByRole("dialog").getByLabel("Title"));
    await page.keyboard.press("Escape");
    await expectFocusOn(page, opener);
    await page.keyboard.press("Space");
    await page.keyboard.type("Rain gardens");
    await page.keyboard.press("Enter");
    await expectMessage(page, "Project created successfully");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
    await press(page, page.getByRole("link", { name: "Rain gardens" }));
    await expect(page.getByText("No description provided")).toBeVisible();
  });

  await test.step("create a topic", async () => {
    const opener = button(page, "Add Topic").first();
    await press(page, opener);
    const dialog = page.getByRole("dialog");
    await expectFocusOn(page, dialog.getByLabel("Name"));
    await page.keyboard.press("Escape");
    await expectFocusOn(page, opener);
    await page.keyboard.press("Enter");
    await page.keyboard.type("Digging the basin");
    await write(page, dialog.getByLabel("Description"), "How deep, how wide, and where the water goes.");
    await press(page, dialog.getByRole("button", { name: "Create Topic" }));
    await expectMessage(page, "Topic created successfully");
    await expect(dialog).toBeHidden();
    await expectFocusOn(page, button(page, "Add Topic"));
  });

  await test.step("add keywords by hand and from suggestions", async () => {
    const topic = button(page, /^Digging the basin/);
    await focusTo(page, topic);
    if ((await topic.getAttribute("aria-expanded")) === "false") await page.keyboard.press("Enter");
    await write(page, page.getByPlaceholder("Add a keyword"), "percolation test");
    await page.keyboard.press("Enter");
    await expect(button(page, "Edit keyword percolation test")).toBeVisible();
    await expectFocusOn(page, page.getByPlaceholder("Add a keyword"));

    const shown = button(page, "Show Suggestions");
    await press(page, shown, "Enter", { back: true });
    await expectFocusOn(page, button(page, "Hide Suggestions"));
    const first = page
      .getByRole("region", { name: "Suggested keywords" })
      .getByRole("button", { name: /^Add (?!All)/ });
    await expect(first).not.toHaveCount(0);
    const before = await first.count();
    await press(page, first.first());
    await expect(first).toHaveCount(before - 1);
    await expectFocusOn(page, first.first());
    await press(page, button(page, "Add All"), "Enter", { back: true });
    await expect(page.getByRole("region", { name: "Suggested keywords" })).toBeHidden();
    await expectFocusOn(page, shown);
  });

  await test.step("edit a keyword in place and delete it", async () => {
    const chip = button(page, "Edit keyword percolation test");
    await press(page, chip);
    await expectFocusOn(page, page.getByLabel("Edit keyword percolation test"));
    await page.keyboard.press("Escape");
    await expectFocusOn(page, chip);
    await page.keyboard.press("Enter");
    await page.keyboard.type("percolation test at home");
    await page.keyboard.press("Enter");
    await expectFocusOn(page, button(page, "Edit keyword percolation test at home"));

    const remove = button(page, "Delete keyword percolation test at home");
    await press(page, remove);
    await expectFocusOn(page, page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Enter");
    await expectFocusOn(page, remove);
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expect(remove).toHaveCount(0);
    await expectFocusOn(
      page,
      button(page, /^Edit keyword|^Delete keyword/)
        .or(page.getByPlaceholder("Add a keyword"))
        .and(page.locator(":focus")),
    );
  });

  await test.step("create ideas", async () => {
    const opener = button(page, "Create Content Ideas");
    await press(page, opener, "Enter", { back: true });
    const dialog = page.getByRole("dialog");
    await choose(page, dialog.getByRole("combobox"), "Digging the basin");
    const count = dialog.getByLabel("Ideas per keyword");
    await focusTo(page, count);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("1");
    await press(page, dialog.getByRole("button", { name: "Create Content Ideas" }));
    await expect(dialog).toBeHidden();
    await expectFocusOn(page, opener);
  });

  await test.step("outline, write, correct and publish a piece", async () => {
    const piece = page.getByRole("region", { name: "Content of Digging the basin" }).getByRole("link").first();
    await press(page, piece);
    await expect(page.getByText("Title-Only Content")).toBeVisible();
    await press(page, button(page, "Generate Outline").first());
    await expectMessage(page, "Outline generated");
    await expect(page.getByRole("textbox", { name: /^Heading of section 1 of / })).not.toHaveValue("");
    await expect(page.locator(":focus")).toBeVisible();
    await press(page, button(page, "Skip the sections"));
    await expectFocusOn(page, button(page, "Add a section"));
    await press(page, button(page, "Write Content with AI"));
    await expectMessage(page, "Content generated successfully from outline");
    const body = bodyField(page);
    await expectBody(page, /^## /m);
    await expect(page.locator(":focus")).toBeVisible();

    await focusTo(page, page.getByRole("tab", { name: "Edit" }));
    await page.keyboard.press("ArrowRight");
    await expectFocusOn(page, page.getByRole("tab", { name: "Preview" }));
    await page.keyboard.press("ArrowLeft");
    await focusTo(page, body);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\nMind the pipes.");
    await expectChangeSeen(page);
    await page.keyboard.press("Control+s");
    await expectMessage(page, "Content has been updated successfully");
    await expect(page.getByText("Unsaved changes")).toBeHidden();
    await expectFocusOn(page, body);

    await pressAndConfirm(page, button(page, "Publish to WordPress"), { back: true });
    await expectMessage(page, "Content published to WordPress successfully");
    await expectFocusOn(page, button(page, "Unpublish from WordPress"));
  });

  await test.step("filter the library, unpublish and delete a piece", async () => {
    await press(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Content" }), "Enter", {
      back: true,
    });
    await expect(page.getByRole("heading", { name: "Content Library" })).toBeVisible();
    await hydrated(page);
    await choose(page, page.getByLabel("Status", { exact: true }), "WordPress Published");
    await expect(libraryRows(page)).toHaveCount(1);
    await press(page, button(page, "Reset Filters"));
    await expect(button(page, /^Delete: /)).not.toHaveCount(1);
    const take = button(page, /^Unpublish from WordPress: /);
    await pressAndConfirm(page, take);
    await expectMessage(page, "Content unpublished from WordPress successfully");
    await expect(take).toHaveCount(0);
    await expectFocusOn(page, button(page, /^Publish to WordPress: /).and(page.locator(":focus")));
    const remove = button(page, /^Delete: /).first();
    await press(page, remove);
    await expectFocusOn(page, page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Escape");
    await expectFocusOn(page, remove);
    const left = (await libraryRows(page).count()) - 1;
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await expect(libraryRows(page)).toHaveCount(left);
    await expect(page.locator(":focus")).toBeVisible();
  });

  await test.step("refresh and resume the queue", async () => {
    await press(
      page,
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Queue Monitor" }),
      "Enter",
      { back: true },
    );
    await expect(page.getByText("No processing jobs found")).toBeVisible();
    await hydrated(page);
    await press(page, button(page, "Refresh"));
    await press(page, button(page, "Resume Processing"));
    await expectMessage(page, "Queue processing has been resumed successfully");
    await expectFocusOn(page, button(page, "Resume Processing"));
  });

  await test.step("log out from the account menu", async () => {
    const account = button(page, /^Account of/);
    await press(page, account, "Enter", { back: true });
    await expectFocusOn(page, page.getByRole("menuitemradio", { name: "System" }));
    await page.keyboard.press("Escape");
    await expectFocusOn(page, account);
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await expectFocusOn(page, page.getByRole("menuitem", { name: "Logout" }));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/auth/);
    await expect
      .poll(async () => (await context.cookies()).map((cookie) => cookie.name))
      .toEqual(["device", "sidebar_state"]);
  });
});

/** The library's rows, without the headings of projects and topics. */
function libraryRows(page: Page) {
  return page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("link") });
}
