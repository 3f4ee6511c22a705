import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

/** Debian's headless shell first: it is what Playwright runs headless, and smaller than the full browser. */
const SYSTEM_NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const MAC_APPS = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/**
 * The browser for the e2e tests: CHROMIUM_PATH, the system's Chromium or Chrome, or Playwright's own. Undefined if none
 * of them starts; throws if CHROMIUM_PATH does not.
 */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment.CHROMIUM_PATH?.trim();
  if (named) {
    if (starts(named)) return named;
    throw new Error(`CHROMIUM_PATH (${named}) is not a browser that starts: correct it, or unset it to look for one.`);
  }
  const folders = (environment.PATH ?? "").split(path.delimiter).filter(Boolean);
  const onPath = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...MAC_APPS, chromium.executablePath()].find(starts);
}

/** Filters out stubs that only explain how to install a browser, and browsers with missing libraries. */
function starts(file: string): boolean {
  return existsSync(file) && spawnSync(file, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}
