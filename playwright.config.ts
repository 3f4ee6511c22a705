import { defineConfig } from "@playwright/test";
import { findBrowser } from "@/tests/support/browser";

/** These lock or rename tables, measure time, or need the demo account as it began. */
const ALONE = /(edges|gone-search|hostile-preview|journey|navigation|request-id)\.spec\.ts$/;

/** See scripts/test-parts.ts. */
const OUT_OF_SCOPE: Record<string, RegExp[]> = { main: [/\/thorough\//], thorough: [/\/e2e\/[^/]+$/] };
const outOfScope = OUT_OF_SCOPE[process.env.TEST_SCOPE ?? "all"] ?? [];

// scripts/test.ts starts the app with its samples and says where (E2E_…): nothing is started from here.
export default defineConfig({
  testDir: "tests/e2e",
  workers: 2,
  fullyParallel: false,
  // scripts/e2e.ts runs one after the other.
  projects: [
    { name: "alone", testMatch: ALONE, testIgnore: outOfScope, workers: 1, outputDir: "test-results/alone" },
    { name: "together", testIgnore: [ALONE, ...outOfScope], outputDir: "test-results/together" },
  ],
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ...(process.env.E2E_REPORT ? [["json", { outputFile: process.env.E2E_REPORT }] as const] : [])],
  use: {
    baseURL: process.env.E2E_BASE_URL,
    viewport: { width: 1280, height: 800 },
    // Nothing moves or fades while a test clicks it or measures its contrast; the journey alone is made with motion.
    contextOptions: { reducedMotion: "reduce" },
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
