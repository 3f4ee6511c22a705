import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBrowser } from "@/scripts/browser";
import { packageCommand, runChild } from "@/scripts/child";
import { readJson } from "@/scripts/json-file";
import { logTo } from "@/scripts/log-file";
import { freePort } from "@/scripts/ports";
import type { Shutdown } from "@/scripts/shutdown";
import { type Stack, startStack } from "@/scripts/stack";
import { type Counts, playwrightCounts, sum } from "@/scripts/test-counts";
import { openIdEnvironment } from "@/tests/support/openid-environment";

const FOLDER = ".data/e2e";
/** The projects of playwright.config.ts; the second adds to the demo account, which the first needs as it began. */
const PROJECTS = ["alone", "together"];

/** Runs the Playwright tests against the demo stack on an empty database. */
export async function runE2e(args: string[], shutdown: Shutdown): Promise<Counts> {
  const browser = await ensureBrowser("The e2e tests need");
  const log = path.join(FOLDER, "app.log");
  const google = openIdEnvironment(await freePort());
  const stack = await startStack(
    {
      mode: "demo",
      folder: FOLDER,
      fresh: true,
      // All accounts share one address here.
      environment: {
        ...process.env,
        PORT: String(await freePort()),
        HOST: "",
        LOG_LEVEL: "info",
        RATE_LIMIT_SCALE: "100",
      },
      // Tests start more sample sites.
      services: { ...google, WORDPRESS_ALLOWED_HOSTS: "127.0.0.0/8" },
      latencyMs: 20,
      print: console.log,
      output: logTo(log),
    },
    shutdown,
  );
  const environment = {
    ...testEnvironment(stack),
    E2E_GOOGLE_ISSUER: google.GOOGLE_ISSUER ?? "",
    E2E_LOG: path.resolve(log),
  };
  const counts: Counts[] = [];
  for (const project of PROJECTS) {
    counts.push(await runPlaywright(environment, browser, [`--project=${project}`, "--pass-with-no-tests", ...args]));
  }
  const total = sum(counts);
  if (total.failed > 0) console.log(`The app's log is ${log}.`);
  return total;
}

async function runPlaywright(environment: Record<string, string>, browser: string, args: string[]): Promise<Counts> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "e2e-"));
  const report = path.join(folder, "report.json");
  try {
    const ran = await runChild(packageCommand("@playwright/test/cli.js", "test", ...args), {
      env: {
        ...process.env,
        ...environment,
        E2E_REPORT: report,
        CHROMIUM_PATH: browser,
        FORCE_COLOR: "0",
      },
      onLine: console.log,
    });
    const counts = playwrightCounts(readJson(report));
    return ran.code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment variables the tests read. */
function testEnvironment(stack: Stack): Record<string, string> {
  const { account, samples } = stack;
  if (!account || !samples) throw new Error("The e2e tests need the samples and the demo account.");
  return {
    E2E_BASE_URL: stack.url,
    E2E_DATABASE_URL: stack.databaseUrl,
    E2E_USERNAME: account.username,
    E2E_PASSWORD: account.password,
    E2E_AI_URL: samples.ai.url,
    E2E_AI_KEY: samples.ai.apiKey,
    E2E_WORDPRESS_URL: samples.wordpress.url,
    E2E_WORDPRESS_USERNAME: samples.wordpress.username,
    E2E_WORDPRESS_PASSWORD: samples.wordpress.applicationPassword,
  };
}
