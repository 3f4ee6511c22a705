import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Account, ownFolder, reachableFolder } from "@/scripts/postgres-binaries";

/** The record of a data folder, readable only by its owner; `made` is false until the cluster is complete. */
export type ClusterInfo = { cluster: string; port: number; password: string; made: boolean };

/** The record of a data folder; undefined if the folder is new. */
export function readClusterInfo(home: string): ClusterInfo | undefined {
  const file = path.join(home, "connection.json");
  try {
    const entry = JSON.parse(readFileSync(file, "utf8")) as ClusterInfo;
    return { ...entry, cluster: path.resolve(home, entry.cluster) };
  } catch (cause) {
    // Never recreate it over data that may still be wanted.
    if (!existsSync(file) && !existsSync(path.join(home, "cluster"))) return undefined;
    throw new Error(
      `${file} is missing or damaged: restore it, or move ${home} away to start with an empty database.`,
      {
        cause,
      },
    );
  }
}

/** Writes the record atomically, with a relative path so that a checkout can be moved. */
export function writeClusterInfo(home: string, entry: ClusterInfo): void {
  const file = path.join(home, "connection.json");
  const inside = path.relative(home, entry.cluster);
  const cluster = inside.startsWith("..") ? entry.cluster : inside;
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...entry, cluster }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Creates an empty cluster, replacing one that an interrupted start left incomplete. */
export function createCluster(home: string, account: Account, initdb: string, options: { sync: boolean }): ClusterInfo {
  mkdirSync(home, { recursive: true });
  if (account.uid !== undefined) chmodSync(home, 0o711);
  let cluster = path.join(home, "cluster");
  rmSync(cluster, { recursive: true, force: true });
  const password = randomBytes(24).toString("base64url");
  writeClusterInfo(home, { cluster, port: 0, password, made: false });
  if (!ownFolder(cluster, account)) {
    rmSync(cluster, { recursive: true });
    cluster = reachableFolder("data-");
    ownFolder(cluster, account);
  }
  initialise(initdb, cluster, password, account, options);
  const entry = { cluster, port: 0, password, made: true };
  writeClusterInfo(home, entry);
  return entry;
}

function initialise(
  initdb: string,
  cluster: string,
  password: string,
  account: Account,
  options: { sync: boolean },
): void {
  const secret = mkdtempSync(path.join(os.tmpdir(), "content-planner-init-"));
  try {
    ownFolder(secret, account);
    const file = path.join(secret, "password");
    writeFileSync(file, password, { mode: 0o644 });
    // The built-in C.UTF-8 sorts and folds non-ASCII letters the same on every machine.
    const locale = ["-E", "UTF8", "--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const made = spawnSync(
      initdb,
      [
        "-D",
        cluster,
        "-U",
        "postgres",
        "-A",
        "scram-sha-256",
        `--pwfile=${file}`,
        "--no-instructions",
        ...locale,
      ].concat(options.sync ? [] : ["--no-sync"]),
      { ...account, cwd: cluster, env: cleanEnvironment(), encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(`PostgreSQL could not create its data folder: ${made.error ?? made.stderr}`);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
}

/** Returns the environment without the user's own PG… variables, which would affect our server and clients. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("PG") && !name.startsWith("LC_"));
  return { ...Object.fromEntries(kept), NODE_ENV: process.env.NODE_ENV ?? "production", LC_MESSAGES: "C", TZ: "UTC" };
}
