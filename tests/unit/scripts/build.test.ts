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
  it("accepts a build of the current sources", () => {
    expect(isFresh(root)).toBe(true);
  });

  it.each([
    ["a page was edited", "app/page.tsx"],
    ["a file was added", "lib/features/new.ts"],
    ["the packages changed", "package-lock.json"],
    ["the schema changed", "prisma/schema.prisma"],
  ])("rejects a build when %s", (_what, file) => {
    put(file, "other");
    expect(isFresh(root)).toBe(false);
  });

  it("rejects a build when a file was moved unchanged", () => {
    rmSync(path.join(root, "app/page.tsx"));
    put("app/moved/page.tsx", "page");
    expect(isFresh(root)).toBe(false);
  });

  it("ignores tests, scripts and the generated client", () => {
    put("tests/unit/a.test.ts", "test");
    put("scripts/start.ts", "script");
    put("lib/db/generated/client.ts", "generated again");
    expect(isFresh(root)).toBe(true);
  });

  it("rejects an interrupted build", () => {
    rmSync(path.join(root, ".next/BUILD_ID"));
    expect(isFresh(root)).toBe(false);
  });
});
