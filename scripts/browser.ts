import { packageCommand, runChild } from "@/scripts/child";
import { step } from "@/scripts/progress";
import { findBrowser } from "@/tests/support/browser";

/** Finds a browser or installs Playwright's; `who` starts the error message. */
export async function ensureBrowser(who: string): Promise<string> {
  const found = findBrowser();
  if (found) return found;
  await step(console.log, "Installing Chromium", () =>
    runChild(packageCommand("@playwright/test/cli.js", "install", "chromium"), { env: process.env }),
  );
  const downloaded = findBrowser();
  if (downloaded) return downloaded;
  throw new Error(
    `${who} a browser: install Chromium (apt-get install chromium), or set CHROMIUM_PATH to one, or run npx playwright install chromium.`,
  );
}
