import { expect, type Page, test } from "@playwright/test";
import { openPage } from "@/tests/support/e2e-page";
import { e2eQuery, userWithShowcase } from "@/tests/support/e2e-user";

const PLACES = [
  // Half past midnight in UTC is the evening before in New York.
  { timezoneId: "America/New_York", at: "2026-01-05T00:30:00Z", long: "January 4, 2026", short: "Jan 4, 2026" },
  // Half an hour before midnight in UTC is past noon the next day in Auckland.
  { timezoneId: "Pacific/Auckland", at: "2026-01-05T23:30:00Z", long: "January 6, 2026", short: "Jan 6, 2026" },
];

for (const { timezoneId, at, long, short } of PLACES) {
  test.describe(() => {
    test.use({ timezoneId });

    test(`shows 'Created' as the user's own day on every screen, in ${timezoneId}`, async ({ page, context }) => {
      const { projectId, pieces } = await userWithShowcase(context, "own-day");
      await e2eQuery("UPDATE projects SET created_at = $1 WHERE id = $2", [at, projectId]);
      await e2eQuery("UPDATE content_pieces SET created_at = $1 WHERE id = $2", [at, pieces.full]);
      const errors = errorsOf(page);

      await openPage(page, "/");
      const card = page.getByRole("listitem").filter({ has: page.locator(`a[href='/projects/${projectId}']`) });
      await expect(card).toContainText(`Created: ${long}`);

      await openPage(page, `/content?projectId=${projectId}`);
      const row = page.getByRole("listitem").filter({ has: page.locator(`a[href='/content/${pieces.full}']`) });
      await expect(row.getByText(`Created: ${short}`).filter({ visible: true })).toBeVisible();

      await openPage(page, `/content/${pieces.full}`);
      await expect(page.getByRole("complementary", { name: "Details" })).toContainText(`Created${long}`);
      expect(errors).toEqual([]);
    });
  });
}

/** Errors in the console, such as React's about a hydration mismatch. */
function errorsOf(page: Page): string[] {
  const found: string[] = [];
  page.on("console", (message) => message.type() === "error" && found.push(message.text()));
  page.on("pageerror", (error) => found.push(error.message));
  return found;
}
