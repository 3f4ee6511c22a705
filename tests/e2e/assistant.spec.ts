import { expect, test } from "@playwright/test";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSamples, registerUser } from "@/tests/support/e2e-user";

test("asks for a key, creates a project and a topic on request, and resends a message that failed", async ({
  page,
  context,
}) => {
  await registerUser(context, `assistant.${Date.now()}`);
  const send = page.getByRole("button", { name: "Send message" });
  const field = page.getByPlaceholder("Type your message...");
  const log = page.getByRole("log");

  await test.step("without a key, the assistant links to the settings and keeps what was typed", async () => {
    await openPage(page, "/assistant");
    const needsKey = log.getByText("Please add your OpenAI API key in the settings page to use the AI assistant.");
    await expect(needsKey).toBeVisible();
    await expect(page.getByText("Failed to start chat session")).toHaveCount(0);
    await field.fill("Is anybody there?");
    await expect(send).toBeDisabled();
    await page.getByRole("link", { name: "Go to Settings" }).click();
    await page.getByLabel("AI provider API key").fill(process.env.E2E_AI_KEY ?? "");
    await page.getByRole("button", { name: "Save Settings" }).first().click();
    await expectMessage(page, "Your settings have been updated successfully");
    await page.goBack();
    await expect(send).toBeEnabled();
    await expect(needsKey).toHaveCount(0);
    await expect(field).toHaveValue("Is anybody there?");
    await send.click();
    await expect(log.getByText("Is anybody there?")).toBeVisible();
    await expect(page.getByText("The assistant is answering")).toHaveCount(0);
    await expect(log.getByText("Assistant: ")).toHaveCount(2);
    await expect(page.getByText("Failed to send message")).toHaveCount(0);
    await page.getByRole("button", { name: "New conversation" }).click();
    await expect(send).toBeEnabled();
  });

  await test.step("a key saved in another window is found on return", async () => {
    await callApi(context, "PATCH", "/api/user/settings", { openaiApiKey: null });
    // The tab would keep its conversation.
    await page.evaluate(() => sessionStorage.clear());
    await openPage(page, "/assistant");
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    await connectSamples(context);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(send).toBeEnabled();
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  });

  await test.step("a conversation that is gone starts again, and the failed message can be resent", async () => {
    await page.route("**/api/chat/message", (route) =>
      route.fulfill({ status: 404, json: { error: "This conversation was not found.", type: "NOT_FOUND" } }),
    );
    await field.fill("List my projects.");
    await send.click();
    const toast = page.locator("[data-toast-area] .toast-destructive");
    await expect(toast).toContainText("ErrorThis conversation was not found.");
    await expect(log.getByText("Failed to send message")).toBeVisible();
    await field.fill("Not sent yet");
    await expect(send).toBeEnabled();
    // The notification must not cover the button.
    await send.click({ trial: true });
    await page.unroute("**/api/chat/message");
    const leaving = page.evaluate(pointerEventsOfLeavingToast);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("Failed to send message")).toHaveCount(0);
    await expect(page.getByText("The assistant is answering")).toHaveCount(0);
    await expect(log.getByText("List my projects.")).toHaveCount(1);
    await expect(field).toHaveValue("Not sent yet");
    // The notification slides over the button as it leaves, and must not take its click.
    expect(await leaving).toBe("none");
    await page.getByRole("button", { name: "New conversation" }).click();
    await expect(log.getByText("You: ")).toHaveCount(0);
    await expect(send).toBeEnabled();
  });

  await test.step("blank messages are not sent", async () => {
    await field.fill("  \n ");
    await field.press("Enter");
    await send.click();
    await expect(log.getByText("You: ")).toHaveCount(0);
  });

  await test.step("a project is created on request and gets a card", async () => {
    await field.fill("Create a project called Balcony herbs.");
    await field.press("Enter");
    await expect(log.getByText("Create a project called Balcony herbs.")).toBeVisible();
    await expect(log.getByText("Project created")).toBeVisible();
    await expect(field).toHaveValue("");
    await log.getByRole("link", { name: "Open project" }).click();
    await expect(page.getByRole("heading", { name: "Balcony herbs", level: 1 })).toBeVisible();
  });

  await test.step("a suggestion is sent by its click, and the conversation outlives a reload", async () => {
    await page.getByRole("link", { name: "Plan with the assistant" }).click();
    await expect(page.getByRole("navigation", { name: "Main" }).locator("[aria-current]")).toHaveCount(0);
    await page.getByRole("list", { name: "Ideas to begin with" }).getByRole("button").first().click();
    await expect(field).toBeFocused();
    await expect(log.getByText("Assistant: ")).toHaveCount(2);
    // What draws Markdown is loaded with the first text that needs it.
    await expect(log.getByText("Assistant: ").last().locator("..")).not.toHaveText(/^Assistant:\s*$/);
    const shown = (await log.textContent()) ?? "";
    const starts: string[] = [];
    page.on("request", (request) => request.url().endsWith("/api/chat/start") && starts.push(request.url()));
    await page.reload();
    await expect(log.getByText("Assistant: ")).toHaveCount(2);
    await expect(log).toHaveText(shown);
    await field.fill("Thank you.");
    await send.click();
    await expect(log.getByText("Assistant: ")).toHaveCount(3);
    expect(starts).toEqual([]);
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.getByRole("link", { name: "Balcony herbs" }).click();
  });

  await test.step("a topic with keywords is created in the project, with their cards", async () => {
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

  await test.step("a message that failed is kept, marked and sent again", async () => {
    await callApi(context, "PATCH", "/api/user/settings", { openaiApiKey: "sk-of-another-provider" });
    await page.goBack();
    await expect(send).toBeEnabled();
    await field.fill("Create a topic “Mulch”.");
    await field.press("Enter");
    await expectMessage(page, "Failed to send message");
    await expectMessage(page, "Your message is kept.");
    await connectSamples(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(log.getByText("Topic created")).toHaveCount(2);
    await expect(page.getByText("Failed to send message")).toHaveCount(0);
    await expect(log.getByText("Create a topic “Mulch”.")).toHaveCount(1);
  });
});

/** Runs in the page. */
function pointerEventsOfLeavingToast(): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const toast = document.querySelector(".toast[data-removed='true']");
      if (toast) resolve(getComputedStyle(toast).pointerEvents);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}
