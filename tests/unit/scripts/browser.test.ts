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
  it("prefers the browser that CHROMIUM_PATH names", () => {
    program("chromium", 0);
    const named = program("my-browser", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder, CHROMIUM_PATH: named })).toBe(named);
  });

  it("prefers the headless shell to Chromium and Chromium to Chrome, and skips a browser that does not start", () => {
    program("chromium", 1);
    const chrome = program("google-chrome", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder, CHROMIUM_PATH: "" })).toBe(chrome);
    const chromium = program("chromium", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder })).toBe(chromium);
    const shell = program("chromium-headless-shell", 0);
    expect(findBrowser({ NODE_ENV: "test", PATH: folder })).toBe(shell);
  });

  it("reports a CHROMIUM_PATH that is not a browser", () => {
    expect(() => findBrowser({ NODE_ENV: "test", CHROMIUM_PATH: "/no/browser" })).toThrow(
      "CHROMIUM_PATH (/no/browser) is not a browser that starts",
    );
  });
});
