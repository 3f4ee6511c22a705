import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installed, runChild } from "@/scripts/child";
import { type Print, step } from "@/scripts/progress";

/** What `next build` reads. Tests, scripts and the generated client (which follows the schema) are not in the build. */
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
const LEFT_OUT = path.join("lib", "db", "generated");

/** Builds the app into `.next` unless the build there is of these very sources. */
export async function buildWhenStale(root: string, print: Print): Promise<void> {
  const current = fingerprint(root);
  if (isFresh(root, current)) return;
  await step(print, "Building the app", () => build(root, current));
}

/** Is the build in `.next` complete and of the sources with this fingerprint? */
export function isFresh(root: string, current = fingerprint(root)): boolean {
  if (!existsSync(path.join(root, ".next", "BUILD_ID"))) return false;
  const stamp = stampOf(root);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === current;
}

/** One value for the names and contents of all sources. */
export function fingerprint(root: string): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of filesOf(root, source)) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

export async function build(root: string, current = fingerprint(root)): Promise<void> {
  const result = await runChild(installed("next/dist/bin/next", "build"), {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (result.code !== 0) throw new Error(`${result.lastLines}\n\nThe build failed: see the lines above.`);
  writeFileSync(stampOf(root), current);
}

function stampOf(root: string): string {
  return path.join(root, ".next", "sources.sha256");
}

function filesOf(root: string, name: string): string[] {
  if (name === LEFT_OUT) return [];
  const found = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [name];
  return readdirSync(path.join(root, name))
    .sort()
    .flatMap((entry) => filesOf(root, path.join(name, entry)));
}
