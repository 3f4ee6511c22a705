import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runChild } from "@/scripts/child";

/** A scratch copy of the checkout, so that its own build and its link to a Vercel project stay as they are. */
const FOLDER = path.resolve(".data/vercel");
const APP = path.join(FOLDER, "app");

export type VercelOutput = {
  /** The Build Output API's folder (https://vercel.com/docs/build-output-api). */
  folder: string;
  config: { routes: VercelRoute[] };
  /** Copies a function with all its files to a place outside the checkout. Returns its launcher and its size in bytes. */
  unpack(name: string): { launcher: string; bytes: number };
};

export type VercelRoute = {
  src?: string;
  dest?: string;
  headers?: Record<string, string>;
  status?: number;
  continue?: boolean;
  override?: boolean;
  check?: boolean;
  handle?: string;
  middlewarePath?: string;
  has?: Condition[];
  missing?: Condition[];
};
type Condition = { type: string; key?: string; value?: string };

/** Builds what Vercel would build for production, with the CLI that package.json names. */
export async function buildForVercel(environment: Record<string, string>, unpackedTo: string): Promise<VercelOutput> {
  rmSync(APP, { recursive: true, force: true });
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  for (const file of files.trim().split("\n")) cpSync(file, path.join(APP, file));
  mkdirSync(path.join(APP, ".vercel"));
  // What `vercel pull` would write.
  const project = { projectId: "prj_test", orgId: "team_test", settings: {} };
  writeFileSync(path.join(APP, ".vercel", "project.json"), JSON.stringify(project));
  const built = await runChild(["npm", "run", "vercel", "--", "build", "--prod", "--yes"], {
    cwd: APP,
    env: {
      ...process.env,
      ...environment,
      NODE_ENV: "" as "production",
      CI: "1",
      VERCEL: "1",
      VERCEL_ENV: "production",
      VERCEL_TELEMETRY_DISABLED: "1",
      PRISMA_SCHEMA_ENGINE_BINARY: path.resolve("tests/support/schema-engine.mjs"),
    },
    keepLines: 60,
  });
  if (built.code !== 0) throw new Error(`${built.lastLines}\n\nvercel build failed; see the lines above.`);
  const folder = path.join(APP, ".vercel", "output");
  return {
    folder,
    config: JSON.parse(readFileSync(path.join(folder, "config.json"), "utf8")),
    unpack: (name) =>
      unpack(path.join(folder, "functions", `${name}.func`), path.join(unpackedTo, name.replaceAll("/", "_"))),
  };
}

function unpack(from: string, to: string): { launcher: string; bytes: number } {
  const source = realpathSync(from);
  const { handler, filePathMap = {} } = JSON.parse(readFileSync(path.join(source, ".vc-config.json"), "utf8")) as {
    handler: string;
    filePathMap?: Record<string, string>;
  };
  cpSync(source, to, { recursive: true });
  for (const [place, file] of Object.entries(filePathMap)) {
    // Links stay links: they lead to packages that are listed file by file.
    cpSync(path.join(APP, file), path.join(to, place), { verbatimSymlinks: true, recursive: true });
  }
  return { launcher: path.join(to, handler), bytes: sizeOf(to) };
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + readFileSync(path.join(entry.parentPath, entry.name)).length, 0);
}
