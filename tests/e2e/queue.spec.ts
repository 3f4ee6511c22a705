import { expect, test } from "@playwright/test";
import { callApi, expectMessage, openPage } from "@/tests/support/e2e-page";
import { connectSamples, registerUser, userWithShowcase } from "@/tests/support/e2e-user";

test("shows active and finished jobs with their figures, and resumes, cancels and refreshes", async ({
  page,
  context,
}) => {
  await userWithShowcase(context, "queue");
  await openPage(page, "/queue-monitor");
  const main = page.getByRole("main");
  const active = page.getByRole("region", { name: "Active Jobs" });

  await test.step("active jobs come first, each with its progress", async () => {
    await expect(active.getByRole("listitem")).toHaveText([/^Content generation Processing/, /Cancelled/]);
    await expect(active.getByRole("listitem").first()).toContainText(/Completed: 2Failed: 1Total: 6.*50%/);
    await expect(active.getByRole("listitem").first()).toContainText(/[0-9a-f]{8}/);
    const bar = active.getByRole("progressbar").first();
    await expect(bar).toHaveAttribute("aria-valuenow", "50");
  });

  await test.step("finished jobs are collapsed, completed before failed", async () => {
    const fold = main.getByRole("button", { name: "Completed Jobs (2, 1 of them with failures)" });
    await expect(fold).toHaveAttribute("aria-expanded", "false");
    await fold.click();
    const jobs = main.getByRole("listitem").filter({ hasText: "Outline generation" });
    await expect(jobs).toHaveText([
      /^Outline generation Completed.*Completed: 3Failed: 0Total: 3100%/,
      /^Outline generation Failed.*Completed: 0Failed: 2Total: 2100%/,
    ]);
    await expect(jobs.last().getByRole("button", { name: "Retry failed items" })).toBeVisible();
  });

  await test.step("both queues show retries and reasons", async () => {
    const items = main.getByRole("table", { name: "Content Generation Queue", exact: true });
    await expect(items.getByRole("columnheader")).toHaveText(["Content ID", "Status", "Retries", "Created", "Actions"]);
    await expect(items.getByRole("row").nth(1)).toContainText("Processing");
    await expect(items.getByRole("row").nth(1)).toContainText("0/3");
    await main
      .getByRole("button", { name: /^Completed Items/ })
      .last()
      .click();
    const done = main.getByRole("table", { name: "Content Generation Queue, completed items" });
    await expect(done.getByRole("row").filter({ hasText: "Failed" })).toContainText("3/3");
    await expect(done).toContainText("The AI provider gave an answer that could not be used.");
  });

  await test.step("the figures count pending and completed items", async () => {
    for (const [figure, count] of [
      ["Outline Pending", "0"],
      ["Outline Completed", "3"],
      ["Content Pending", "2"],
      ["Content Completed", "3"],
    ]) {
      await expect(main.locator("dl > div", { hasText: figure }).locator("dd")).toHaveText(count ?? "");
    }
  });

  await test.step("resume, cancel and refresh", async () => {
    await main.getByRole("button", { name: "Resume Processing" }).click();
    await expectMessage(page, "Queue processing has been resumed successfully.");
    await active.getByRole("button", { name: /^Cancel/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel job" }).click();
    await expect(active.getByText("Cancelling…")).toBeVisible();
    await expect(active.getByRole("listitem").first()).toContainText("Cancelled: 2");
    const asked = page.waitForRequest(/\/api\/queue\/status$/);
    await main.getByRole("button", { name: "Refresh" }).click();
    await asked;
    await expect(page.getByRole("link", { name: "Back to Home" })).toHaveAttribute("href", "/");
  });
});

test("reports queued work in a toast that opens the monitor in a new window", async ({ page, context }) => {
  await registerUser(context, `toast.${Date.now()}`);
  await connectSamples(context);
  const project = await callApi<{ id: number }>(context, "POST", "/api/projects", { title: "Rain gardens" });
  const about = { name: "Digging", description: "How deep." };
  const topic = await callApi<{ id: number }>(context, "POST", `/api/projects/${project.id}/topics`, about);
  const path = `/api/projects/${project.id}/topics/${topic.id}/content`;
  await callApi(context, "POST", path, { title: "How deep a rain garden is" });

  await openPage(page, "/content");
  await page.getByRole("button", { name: "Generate Topic Outline" }).click();
  const toast = page.getByRole("listitem").filter({ hasText: "Outline Generation Queued" });
  await expect(toast).toContainText(/Job [0-9a-f]{8}$|Job [0-9a-f]{8}\D/);
  const opened = context.waitForEvent("page");
  await toast.getByRole("button", { name: "Monitor Progress" }).click();
  const monitor = await opened;
  await expect(monitor.getByRole("heading", { name: "Queue Monitor" })).toBeVisible();
  await expect(page).toHaveURL(/\/content$/);
});
