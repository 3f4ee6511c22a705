import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Exit } from "@/scripts/child";
import { freePort } from "@/scripts/ports";
import { type Account, postgresAccount, postgresBinaries } from "@/scripts/postgres-binaries";
import {
  type ClusterInfo,
  cleanEnvironment,
  createCluster,
  readClusterInfo,
  writeClusterInfo,
} from "@/scripts/postgres-cluster";
import { commandLine, isAlive, pause, send, waitForExit as untilEnded } from "@/scripts/processes";

export type PostgresOptions = {
  /** Holds everything of this PostgreSQL; removing it removes the data. */
  dataDir: string;
  /** Preferred port; otherwise the last one used, otherwise a free one. */
  port?: number;
  /** Created if missing. */
  database: string;
  /** `app` never loses a committed write; `test` trades that for speed. */
  purpose: "app" | "test";
};

export type RunningPostgres = {
  url: string;
  /** The folder with its data and postmaster.pid. */
  cluster: string;
  /** Resolves when it has exited, by itself or through stop(). */
  ended: Promise<Exit>;
  /** Closes open connections. */
  stop(): Promise<void>;
};

/** The name of the app's database in its embedded server. */
export const APP_DATABASE = "content_planner";

const START_TIMEOUT_MS = 30_000;

/**
 * Starts the embedded PostgreSQL on 127.0.0.1. Stops one that a killed process left behind first: nobody would notice
 * its exit, and its watchdog may be about to stop it. Throws an error that says what to do.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const home = path.resolve(options.dataDir);
  const account = postgresAccount();
  const known = readClusterInfo(home);
  if (known?.made) await stopLeftover(known.cluster);
  const { entry, child, ended } = await launch(home, account, known, options);
  await createDatabaseIfMissing(entry, options.database);
  return {
    url: urlOf(entry, options.database),
    cluster: entry.cluster,
    ended,
    async stop() {
      // Wait for its exit even if nothing else keeps this process alive.
      child.ref();
      await stop(entry.cluster);
    },
  };
}

/** Stops a server still running on this folder, or removes its stale lock. */
async function stopLeftover(cluster: string): Promise<void> {
  await stop(cluster);
  const pid = lockHolder(cluster);
  if (pid === undefined) return;
  if (isAlive(pid) && servesCluster(pid, cluster))
    throw new Error(`PostgreSQL (process ${pid}) of an earlier start does not stop: kill it and start again.`);
  rmSync(path.join(cluster, "postmaster.pid"), { force: true });
}

function lockHolder(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function servesCluster(pid: number, cluster: string): boolean {
  const line = commandLine(pid);
  return process.platform === "win32" || (line.includes("postgres") && line.includes(cluster));
}

async function acceptsConnections(entry: ClusterInfo): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(entry, "postgres"), connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The address of the app's database in this folder, if its server is running. */
export async function runningPostgres(dataDir: string): Promise<string | undefined> {
  const entry = readClusterInfo(path.resolve(dataDir));
  if (!entry?.made || !(await acceptsConnections(entry))) return undefined;
  return urlOf(entry, APP_DATABASE);
}

/** Stops the server, if it runs, and removes the folder with all its data. */
export async function removePostgres(dataDir: string): Promise<void> {
  const home = path.resolve(dataDir);
  if (!existsSync(home)) return;
  const known = readClusterInfo(home);
  if (known) {
    await stop(known.cluster);
    rmSync(known.cluster, { recursive: true, force: true });
  }
  rmSync(home, { recursive: true, force: true });
}

type Started = { child: ChildProcess; ended: Promise<Exit> };

async function launch(
  home: string,
  account: Account,
  known: ClusterInfo | undefined,
  options: PostgresOptions,
): Promise<Started & { entry: ClusterInfo }> {
  const programs = postgresBinaries(account);
  let entry = known?.made ? known : createCluster(home, account, programs.initdb, { sync: options.purpose === "app" });
  if (!existsSync(path.join(entry.cluster, "PG_VERSION"))) {
    throw new Error(
      `The data in ${entry.cluster} is gone: restore it, or remove ${home} to start with an empty database.`,
    );
  }
  for (let attempt = 1; ; attempt++) {
    entry = { ...entry, port: await freePort(options.port, entry.port || undefined) };
    writeClusterInfo(home, entry);
    const started = await run(home, account, programs.postgres, entry, options.purpose);
    if (typeof started !== "string") return { entry, ...started };
    // The port may be taken between check and bind; workers of a killed server need a moment to release it.
    const isTransient = /could not bind|still in use|Address already in use/.test(started);
    if (!isTransient || attempt === 5) throw new Error(`PostgreSQL did not start: ${started}`);
    await pause(300);
  }
}

/** Runs the server until it accepts connections; otherwise returns the last lines it printed. */
async function run(
  home: string,
  account: Account,
  program: string,
  entry: ClusterInfo,
  purpose: PostgresOptions["purpose"],
): Promise<string | Started> {
  const log = path.join(home, "postgres.log");
  const output = openSync(log, "w", 0o600);
  // Detached: Ctrl+C reaches the whole process group, and the database must outlive what still writes to it.
  const child = spawn(
    program,
    ["-D", entry.cluster, "-p", String(entry.port), ...settings(purpose).flatMap((setting) => ["-c", setting])],
    { ...account, cwd: entry.cluster, env: cleanEnvironment(), stdio: ["ignore", output, output], detached: true },
  );
  closeSync(output);
  let failed: string | undefined;
  const ended = new Promise<Exit>((resolve) => {
    child.once("exit", (code) => resolve({ code: code ?? 1, lastLines: lastLines(log) }));
    child.once("error", (error) => {
      failed = String(error);
      resolve({ code: 127, lastLines: failed });
    });
  });
  child.unref();
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await acceptsConnections(entry))) {
    if (failed ?? child.exitCode !== null) return failed ?? lastLines(log);
    if (Date.now() > deadline) {
      child.kill("SIGQUIT");
      return `no response within ${START_TIMEOUT_MS / 1000} s. ${lastLines(log)}`;
    }
    await pause(30);
  }
  return { child, ended };
}

function settings(purpose: PostgresOptions["purpose"]): string[] {
  const common = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"];
  return purpose === "app"
    ? [...common, "synchronous_commit=on"]
    : [...common, "fsync=off", "synchronous_commit=off", "full_page_writes=off"];
}

function lastLines(file: string): string {
  // Whoever has stopped it may have removed its folder by now.
  if (!existsSync(file)) return "";
  return readFileSync(file, "utf8").trim().split("\n").slice(-5).join(" ");
}

async function createDatabaseIfMissing(entry: ClusterInfo, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(entry, "postgres") });
  await client.connect();
  try {
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

async function stop(cluster: string): Promise<void> {
  const pid = lockHolder(cluster);
  if (pid === undefined || !isAlive(pid) || !servesCluster(pid, cluster)) return;
  send(pid, "SIGINT");
  if (await untilEnded(pid, 5_000)) return;
  send(pid, "SIGQUIT");
  await untilEnded(pid, 5_000);
}

function urlOf(entry: ClusterInfo, database: string): string {
  return `postgresql://postgres:${entry.password}@127.0.0.1:${entry.port}/${database}?sslmode=disable`;
}
