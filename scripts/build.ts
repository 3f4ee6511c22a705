import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { packageCommand, runChild } from "@/scripts/child";
import { type Print, step } from "@/scripts/progress";

/** The inputs of `next build`. The generated client is left out because it follows the schema. */
const SOURCES = [
  ...["app", "components", "inngest/functions", "lib", "public", "prisma/schema.prisma"],
  ...[
    "next.config.mjs",
    "postcss.config.mjs",
    "package-lock.json",
    "tsconfig.json",
    "instrumentation.ts",
    "instrumentation-client.ts",
    "proxy.ts",
  ],
];
const EXCLUDED = path.join("lib", "db", "generated");

/** Builds the app into `.next` unless that build is up to date. */
export async function buildWhenStale(root: string, print: Print): Promise<void> {
  const current = fingerprint(root);
  if (isFresh(root, current)) return;
  await step(print, "Building the app", () => build(root, current));
}

/** True if `.next` holds a complete build of the sources with this fingerprint. */
export function isFresh(root: string, current = fingerprint(root)): boolean {
  if (!existsSync(path.join(root, ".next", "BUILD_ID"))) return false;
  const stamp = stampFile(root);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === current;
}

/** A hash of the names and contents of all sources. */
export function fingerprint(root: string): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of filesOf(root, source)) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

export async function build(root: string, current = fingerprint(root)): Promise<void> {
  await runNextBuild(root);
  writeFileSync(stampFile(root), current);
}

/** Runs `next build`, whose result `npm start` takes for stale unless it is stamped. */
export async function runNextBuild(root: string, environment: Record<string, string> = {}): Promise<void> {
  rmSync(stampFile(root), { force: true });
  const result = await runChild(packageCommand("next/dist/bin/next", "build"), {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...environment },
  });
  if (result.code !== 0) throw new Error(`${result.lastLines}\n\nThe build failed; see the lines above.`);
}

function stampFile(root: string): string {
  return path.join(root, ".next", "sources.sha256");
}

function filesOf(root: string, name: string): string[] {
  if (name === EXCLUDED) return [];
  const found = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [name];
  return readdirSync(path.join(root, name))
    .sort()
    .flatMap((entry) => filesOf(root, path.join(name, entry)));
}
