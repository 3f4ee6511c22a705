import { expect, test } from "@playwright/test";
import { callApi, expectTold, openPage } from "@/tests/support/e2e-page";
import { connectSamples, registerPerson } from "@/tests/support/e2e-person";

test("the assistant: no key, a project and a topic made by asking, a message that fails and is sent again", async ({
  page,
  context,
}) => {
  await registerPerson(context, `assistant.${Date.now()}`);
  const send = page.getByRole("button", { name: "Send message" });
  const field = page.getByPlaceholder("Type your message...");
  const log = page.getByRole("log");

  await test.step("without a key there is no conversation, and the way to one", async () => {
    await openPage(page, "/assistant");
    await expectTold(page, "Failed to start chat session");
    await expectTold(page, "Please add your OpenAI API key in the settings page to use the AI assistant.");
    await expect(page.getByRole("link", { name: "Go to Settings" })).toHaveAttribute("href", "/settings");
    await field.fill("Is anybody there?");
    await expect(send).toBeDisabled();
    await connectSamples(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(send).toBeEnabled();
    await expect(field).toHaveValue("Is anybody there?");
  });

  await test.step("blank messages are not sent", async () => {
    await field.fill("  \n ");
    await field.press("Enter");
    await send.click();
    await expect(log.getByText("You: ")).toHaveCount(0);
  });

  await test.step("a project made by asking, with its card", async () => {
    await field.fill("Create a project called Balcony herbs.");
    await field.press("Enter");
    await expect(log.getByText("Create a project called Balcony herbs.")).toBeVisible();
    await expect(log.getByText("Project created")).toBeVisible();
    await expect(field).toHaveValue("");
    await log.getByRole("link", { name: "Open project" }).click();
    await expect(page.getByRole("heading", { name: "Balcony herbs", level: 1 })).toBeVisible();
  });

  await test.step("in the project: a topic with keywords, with their cards", async () => {
    await page.getByRole("link", { name: "Plan with the assistant" }).click();
    await expect(page).toHaveURL(/\/assistant\/\d+$/);
    await expect(send).toBeEnabled();
    await field.fill("Create a topic “Watering” with keywords: rain barrels, drip lines.");
    await send.click();
    await expect(log.getByText("Topic created")).toBeVisible();
    await expect(log.getByRole("list", { name: "Keywords added" }).getByRole("listitem")).toHaveText([
      "rain barrels",
      "drip lines",
    ]);
    await log.getByRole("link", { name: "Open topic" }).click();
    await expect(page.getByRole("button", { name: /^Watering/ })).toHaveAttribute("aria-expanded", "true");
    await expect(page.getByRole("button", { name: "Edit keyword drip lines" })).toBeVisible();
  });

  await test.step("a message that fails is kept, marked and sent again", async () => {
    await callApi(context, "PATCH", "/api/user/settings", { openaiApiKey: "sk-of-another-provider" });
    await page.goBack();
    await expect(send).toBeEnabled();
    await field.fill("Create a topic “Mulch”.");
    await field.press("Enter");
    await expectTold(page, "Failed to send message");
    await expectTold(page, "Your message is kept.");
    await connectSamples(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(log.getByText("Topic created")).toHaveCount(2);
    await expect(page.getByText("Failed to send message")).toHaveCount(0);
    await expect(log.getByText("Create a topic “Mulch”.")).toHaveCount(1);
  });
});
