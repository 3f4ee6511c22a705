import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fingerprint, isFresh } from "@/scripts/build";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "build-"));
  put("app/page.tsx", "page");
  put("lib/db/prisma.ts", "client");
  put("lib/db/generated/client.ts", "generated");
  put("package-lock.json", "{}");
  put(".next/BUILD_ID", "1");
  put(".next/sources.sha256", fingerprint(root));
});

afterEach(() => rmSync(root, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

describe("isFresh", () => {
  it("takes a build of these very sources", () => {
    expect(isFresh(root)).toBe(true);
  });

  it.each([
    ["a page was edited", "app/page.tsx"],
    ["a file was added", "lib/features/new.ts"],
    ["the packages changed", "package-lock.json"],
    ["the schema changed", "prisma/schema.prisma"],
  ])("refuses it when %s", (_what, file) => {
    put(file, "other");
    expect(isFresh(root)).toBe(false);
  });

  it("refuses it when a file moved without changing", () => {
    rmSync(path.join(root, "app/page.tsx"));
    put("app/moved/page.tsx", "page");
    expect(isFresh(root)).toBe(false);
  });

  it("does not mind tests, scripts and the generated client", () => {
    put("tests/unit/a.test.ts", "test");
    put("scripts/start.ts", "script");
    put("lib/db/generated/client.ts", "generated anew");
    expect(isFresh(root)).toBe(true);
  });

  it("refuses a build that was interrupted", () => {
    rmSync(path.join(root, ".next/BUILD_ID"));
    expect(isFresh(root)).toBe(false);
  });
});
