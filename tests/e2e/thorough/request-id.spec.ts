import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { e2eQuery } from "@/tests/support/e2e-user";

const { E2E_LOG = "", E2E_USERNAME = "", E2E_PASSWORD = "" } = process.env;

/** The app's log lines about this request. They may follow its response. */
function linesOf(requestId: string): { msg: string; requestId: string; err?: { message: string } }[] {
  return readFileSync(E2E_LOG, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes(requestId))
    .map((line) => JSON.parse(line));
}

test("an error on screen names the request that stands in the log, and goes away with its cause", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("Username").fill(E2E_USERNAME);
  await page.getByLabel("Password", { exact: true }).fill(E2E_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();

  // An unexpected failure: every read and write of projects fails from here on.
  await e2eQuery("ALTER TABLE projects RENAME TO projects_away");
  try {
    await test.step("a failed call shows its reference", async () => {
      await page.getByRole("button", { name: "New Project" }).first().click();
      await page.getByLabel("Title", { exact: true }).fill("Never saved");
      await page.getByRole("button", { name: "Create Project" }).click();
      const reference = (await page.getByText(/^Reference: [0-9a-f]{8}$/).textContent()) ?? "";
      const lines = () => linesOf(reference.replace("Reference: ", ""));
      await expect.poll(() => lines().map(({ msg }) => msg)).toContain("unexpected failure");
      expect(lines()[0]?.err?.message).toContain("projects");
      await expect(page.getByText("Something went wrong on our side.")).toBeVisible();
      await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Never saved");
    });

    await test.step("a failed page shows the request's id and no internals", async () => {
      const response = await page.goto("/");
      await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
      const requestId = (await page.locator("main code").textContent()) ?? "";
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(response?.headers()["x-request-id"]).toBe(requestId);
      await expect.poll(() => linesOf(requestId).map(({ msg }) => msg)).toContain("a page failed");
      const nonce = /'nonce-([^']+)'/.exec(response?.headers()["content-security-policy"] ?? "")?.[1] ?? "none";
      for (const script of (await response?.text())?.match(/<script\b[^>]*>/g) ?? []) expect(script).toContain(nonce);
      expect(await page.content()).not.toMatch(/projects_away|relation|prisma/i);
    });
  } finally {
    await e2eQuery("ALTER TABLE projects_away RENAME TO projects");
  }

  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();
});
