import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const SETUP = path.resolve("scripts/setup.mjs");

/** A temporary project whose npm and prisma log their calls. */
let root: string;
let fresh: string;
let installed: string;

beforeAll(() => {
  fresh = mkdtempSync(path.join(os.tmpdir(), "setup-fresh-"));
  root = fresh;
  put("package.json", "{}");
  put("prisma/schema.prisma", "model A {}");
  put("app/api/seeds/[id]/route.ts", ROUTE);
  put("npm.mjs", NPM);
  put("scripts/check.ts", "console.log(process.argv.slice(2).join(' ')); process.exit(7 as number);");
  lock({ "node_modules/left": "1.0.0", "node_modules/prisma": "7.0.0" });
  installed = copyOf(fresh);
  root = installed;
  setup("generate");
});

afterAll(() => {
  for (const folder of [fresh, installed]) rmSync(folder, { recursive: true });
});

beforeEach(() => {
  root = copyOf(installed);
});

afterEach(() => rmSync(root, { recursive: true }));

const NPM = `
import fs from "node:fs";
fs.appendFileSync("calls.log", "npm " + process.argv.slice(2).join(" ") + "\\n");
if (fs.existsSync("npm-fails")) { console.error("npm error network"); process.exit(1); }
const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
for (const [place, { dev }] of Object.entries(packages)) {
  if (dev && process.argv.includes("--omit=dev")) delete packages[place];
  if (place === "" || place.includes("elsewhere") || !packages[place]) continue;
  fs.mkdirSync(place, { recursive: true });
  fs.writeFileSync(place + "/package.json", "{}");
}
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
fs.mkdirSync("node_modules/prisma/build", { recursive: true });
fs.writeFileSync("node_modules/prisma/build/index.js", ${JSON.stringify(`
const fs = require("node:fs");
const { CHECKPOINT_DISABLE, PRISMA_SCHEMA_ENGINE_BINARY } = process.env;
fs.appendFileSync("calls.log", ["prisma", process.argv[2], CHECKPOINT_DISABLE, require("node:path").basename(PRISMA_SCHEMA_ENGINE_BINARY)].join(" ") + "\\n");
fs.mkdirSync("lib/db/generated", { recursive: true });
fs.writeFileSync("lib/db/generated/client.ts", "");
`)});
`;
const ROUTE = `
import { seedInput, NOUNS } from "@/lib/features/seeds/schema";
import { external } from "@/lib/transport/external";
import { route } from "@/lib/transport/route";
export const maxDuration = 300;
export const GET = route({ operationId: "getSeed", summary: "A seed.", body: seedInput.optional() }, () => undefined);
export const PATCH = route({ operationId: "updateSeed", summary: "Changes it.", changes: ["seed"] }, () => undefined);
export const PUT = external({ operationId: "putSeed", summary: "As others say." }, () => undefined);
`;
const INSTALLED = "npm ci --omit=dev --no-audit --no-fund";
const WITH_TOOLS = "npm ci --include=dev --no-audit --no-fund";
const TOOLS_ADDED = "npm install --no-save --include=dev --no-audit --no-fund";
const GENERATED = "prisma generate 1 no-schema-engine.sh";

function copyOf(folder: string): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), "setup-"));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function useFresh(): void {
  rmSync(root, { recursive: true });
  root = copyOf(fresh);
}

function put(file: string, text: string): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

function lock(versions: Record<string, string>): void {
  const packages = Object.fromEntries(Object.entries(versions).map(([place, version]) => [place, { version }]));
  const others = {
    "node_modules/elsewhere": { version: "1.0.0", optional: true },
    "node_modules/tool": { version: "1.0.0", dev: true },
  };
  put("package-lock.json", JSON.stringify({ packages: { "": {}, ...packages, ...others } }));
}

function setup(...args: string[]): { status: number | null; output: string; calls: string[] } {
  rmSync(path.join(root, "calls.log"), { force: true });
  const env = { ...process.env, npm_execpath: path.join(root, "npm.mjs"), npm_lifecycle_event: "" };
  const ran = spawnSync(process.execPath, [SETUP, ...args], { cwd: root, env, encoding: "utf8" });
  const log = path.join(root, "calls.log");
  const calls = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return { status: ran.status, output: ran.stdout + ran.stderr, calls };
}

describe("scripts/setup.mjs", () => {
  it("installs and generates on a fresh clone, and does nothing the second time", () => {
    useFresh();
    const first = setup("generate");
    expect(first).toMatchObject({ status: 0, calls: [INSTALLED, GENERATED] });
    expect(first.output).toMatch(/✓ Installing packages \(\d+\.\d s\)/);
    linkTsx();
    expect(setup("generate").calls).toEqual([GENERATED]);
  });

  it("installs the test tools for a test command alone, and adds them to what is there", () => {
    linkTsx();
    expect(setup("check").calls).toEqual([TOOLS_ADDED]);
    expect(setup("check").calls).toEqual([]);
    useFresh();
    expect(setup("check").calls).toEqual([WITH_TOOLS, GENERATED]);
  });

  it("repairs an installation that did not finish", () => {
    rmSync(path.join(root, "node_modules/.package-lock.json"));
    const result = setup("generate");
    expect(result.output).toContain("the last installation did not finish");
    expect(result.calls[0]).toBe(INSTALLED);
  });

  it("repairs an installation in which a package is missing", () => {
    rmSync(path.join(root, "node_modules/left"), { recursive: true });
    const result = setup("generate");
    expect(result.output).toContain("node_modules/left is missing");
    expect(result.calls[0]).toBe(INSTALLED);
  });

  it("installs again when the lock file names another version", () => {
    lock({ "node_modules/left": "1.1.0", "node_modules/prisma": "7.0.0" });
    expect(setup("generate").calls[0]).toBe(INSTALLED);
  });

  it("generates again when the schema changed, without installing", () => {
    put("prisma/schema.prisma", "model B {}");
    linkTsx();
    expect(setup("check").calls).toEqual([TOOLS_ADDED, GENERATED]);
  });

  it("generates what the routes say each time", () => {
    linkTsx();
    setup("check");
    expect(generated()).toContain(
      '"/api/seeds/[id]": {"GET":{},"PUT":{"external":true},"PATCH":{"changes":["seed"],"maxSeconds":300}},',
    );
    put("app/api/seeds/[id]/route.ts", ROUTE.replace('["seed"]', '["seed", "bed"]').replace("300", "60"));
    expect(setup("check").status).toBe(7);
    expect(generated()).toContain('"PATCH":{"changes":["seed","bed"],"maxSeconds":60}');
  });

  it.each([
    [
      "a handler without a spec",
      /route\((.*"getSeed".*), (\(\) => undefined)\)/,
      "$2",
      "GET /api/seeds/[id] has no spec",
    ],
    ["a spec without an id", 'operationId: "getSeed", ', "", "GET /api/seeds/[id] has no spec"],
    [
      "a write that does not say what it changes",
      ', changes: ["seed"]',
      "",
      "PATCH /api/seeds/[id] does not say what it",
    ],
    ["a spec that imports what it says", '["seed"]', "NOUNS", "PATCH /api/seeds/[id]: write `changes` out"],
  ])("stops at %s", (_what, said, instead, sentence) => {
    put("app/api/seeds/[id]/route.ts", ROUTE.replace(said, instead));
    linkTsx();
    const result = setup("check");
    expect(result).toMatchObject({ status: 1, output: expect.stringContaining(sentence) });
  });

  it("says to check the network when installing fails", () => {
    useFresh();
    put("npm-fails", "");
    const result = setup("check");
    expect(result.status).toBe(1);
    expect(result.output).toContain("npm error network");
    expect(result.output).toMatch(/Installing the packages failed, see above: check the network, then run npm ci\.\n$/);
  });

  it("passes its arguments to the command and returns the command's exit code", () => {
    linkTsx();
    setup("check");
    const result = setup("check", "--fast", "one two");
    expect(result).toMatchObject({ status: 7, output: "--fast one two\n" });
  });

  it("lists the commands when given an unknown one", () => {
    const result = setup("sing");
    expect(result).toMatchObject({ status: 1, calls: [] });
    expect(result.output).toContain("Commands: demo, dev, start");
  });
});

function generated(): string {
  return readFileSync(path.join(root, "lib/transport/generated/operations.ts"), "utf8");
}

function linkTsx(): void {
  symlinkSync(path.resolve("node_modules/tsx"), path.join(root, "node_modules/tsx"));
}
