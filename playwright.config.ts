import { defineConfig } from "@playwright/test";
import { findBrowser } from "@/tests/support/browser";

// scripts/test.ts starts the app with its samples and says where (E2E_…): nothing is started from here.
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ...(process.env.E2E_REPORT ? [["json", { outputFile: process.env.E2E_REPORT }] as const] : [])],
  use: {
    baseURL: process.env.E2E_BASE_URL,
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
    // Recording every step costs a good part of the run, and where CI runs nobody opens the recording.
    trace: process.env.CI ? "off" : "retain-on-failure",
    launchOptions: {
      executablePath: findBrowser(),
      // The last two: small /dev/shm in containers, and no calls home.
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
    },
  },
});
