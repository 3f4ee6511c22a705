import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { findBrowser } from "@/tests/support/browser";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "browser-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, exitCode: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexit ${exitCode}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe("findBrowser", () => {
  it("takes the one that CHROMIUM_PATH names before the system's", () => {
    program("chromium", 0);
    const named = program("my-browser", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder, CHROMIUM_PATH: named })).toBe(named);
  });

  it("takes Chromium before Chrome, its headless shell before both, and passes over one that does not start", () => {
    program("chromium", 1);
    const chrome = program("google-chrome", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder, CHROMIUM_PATH: "" })).toBe(chrome);
    const chromium = program("chromium", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder })).toBe(chromium);
    const shell = program("chromium-headless-shell", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder })).toBe(shell);
  });

  it("says so when CHROMIUM_PATH names none", () => {
    expect(() => findBrowser({ NODE_ENV: "test", CHROMIUM_PATH: "/no/browser" })).toThrow(
      "CHROMIUM_PATH (/no/browser) is not a browser that starts",
    );
  });
});
