import { installed, runChild } from "@/scripts/child";
import { step } from "@/scripts/progress";
import { findBrowser } from "@/tests/support/browser";

/** The browser to drive, installed by Playwright when the system has none; `who` needs it stands in the refusal. */
export async function ensureBrowser(who: string): Promise<string> {
  const found = findBrowser();
  if (found) return found;
  await step(console.log, "Installing Chromium", () =>
    runChild(installed("@playwright/test/cli.js", "install", "chromium"), { env: process.env }),
  );
  const now = findBrowser();
  if (now) return now;
  throw new Error(
    `${who} a browser: install Chromium (apt-get install chromium), or set CHROMIUM_PATH to one, or run npx playwright install chromium.`,
  );
}
