import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { reasonOf, runChild } from "@/scripts/child";

export type OtherNode = { version: string; program: string };

/** Where the packages are kept, each major in a folder of its own. */
const FOLDER = path.resolve(".data/node");
/** The platforms whose current releases of Node.js are npm packages with nothing but the program in them. */
const PACKAGED = ["linux-x64", "linux-arm64"];

/**
 * Fetches the newest release of this major version of Node.js from the npm registry (about 100 MB, kept in `.data`). Returns a
 * sentence if it cannot be had here.
 */
export async function fetchNode(
  major: number,
  platform = `${process.platform}-${process.arch}`,
  folder = FOLDER,
): Promise<OtherNode | string> {
  if (!PACKAGED.includes(platform)) {
    return `Node ${major} for ${platform} is not an npm package: install it yourself and run npm test with it.`;
  }
  const name = `node-${platform}`;
  const home = path.join(folder, String(major));
  mkdirSync(home, { recursive: true });
  const flags = [
    "--prefix",
    home,
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
  ];
  const installed = await runChild(["npm", "install", `${name}@${major}`, ...flags], { env: process.env });
  const program = path.join(home, "node_modules", name, "bin", "node");
  // Offline, an earlier release will do.
  if (!existsSync(program)) return `Node ${major} cannot be fetched from the npm registry: ${reasonOf(installed)}`;
  const asked = await runChild([program, "--version"], { env: process.env });
  if (asked.code !== 0) return `Node ${major} of the npm registry does not run here: ${reasonOf(asked)}`;
  return { version: asked.lastLines.trim().replace(/^v/, ""), program };
}
