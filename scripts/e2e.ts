import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBrowser } from "@/scripts/browser";
import { installed, runChild } from "@/scripts/child";
import { appendTo } from "@/scripts/log-file";
import { freePort } from "@/scripts/ports";
import type { Shutdown } from "@/scripts/shutdown";
import { type Stack, startStack } from "@/scripts/stack";
import { type Counts, playwrightCounts } from "@/scripts/test-counts";
import { openIdEnvironment } from "@/tests/support/openid-environment";

const FOLDER = ".data/e2e";

/** Runs the journeys in a real browser against the product with its samples, on an empty database. */
export async function runE2e(args: string[], shutdown: Shutdown): Promise<Counts> {
  const browser = await ensureBrowser("The e2e tests need");
  const log = path.join(FOLDER, "app.log");
  const google = openIdEnvironment(await freePort());
  const stack = await startStack(
    {
      mode: "demo",
      folder: FOLDER,
      fresh: true,
      // Many accounts come from one address here.
      environment: {
        ...process.env,
        PORT: String(await freePort()),
        HOST: "",
        LOG_LEVEL: "info",
        RATE_LIMIT_SCALE: "100",
      },
      services: google,
      latencyMs: 20,
      print: console.log,
      output: appendTo(log),
    },
    shutdown,
  );
  const counts = await runPlaywright(
    { ...addresses(stack), E2E_GOOGLE_ISSUER: google.GOOGLE_ISSUER ?? "" },
    browser,
    args,
    log,
  );
  if (counts.failed > 0) console.log(`The app's own lines are in ${log}.`);
  return counts;
}

async function runPlaywright(
  known: Record<string, string>,
  browser: string,
  args: string[],
  log: string,
): Promise<Counts> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "e2e-"));
  const report = path.join(folder, "report.json");
  try {
    const ran = await runChild(installed("@playwright/test/cli.js", "test", ...args), {
      env: {
        ...process.env,
        ...known,
        E2E_LOG: path.resolve(log),
        E2E_REPORT: report,
        CHROMIUM_PATH: browser,
        FORCE_COLOR: "0",
      },
      onLine: console.log,
    });
    const counts = playwrightCounts(readReport(report));
    return ran.code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the tests need to know of the stack. */
function addresses(stack: Stack): Record<string, string> {
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

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
