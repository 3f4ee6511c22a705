import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Ended } from "@/scripts/child";
import { freePort } from "@/scripts/ports";
import { type Account, postgresAccount, postgresBinaries } from "@/scripts/postgres-binaries";
import { cleanEnvironment, createCluster, type Remembered, recall, remember } from "@/scripts/postgres-cluster";
import { commandLine, isAlive, pause, send, ended as untilEnded } from "@/scripts/processes";

export type PostgresOptions = {
  /** Everything of this PostgreSQL lies in here; removing the folder removes the data. */
  dataDir: string;
  /** Preferred port; otherwise the one used last time, otherwise a free one. */
  port?: number;
  /** Made when it does not exist. */
  database: string;
  /** `app` never loses a committed write; `test` trades that for speed. */
  purpose: "app" | "test";
};

export type RunningPostgres = {
  url: string;
  /** The folder that holds its data and its postmaster.pid. */
  cluster: string;
  /** Settles when it has ended, by itself or by stop(). */
  ended: Promise<Ended>;
  /** Ends it; open connections are closed. */
  stop(): Promise<void>;
};

const START_TIMEOUT_MS = 30_000;

/**
 * Starts the embedded PostgreSQL on 127.0.0.1. One that a killed process left behind is ended first: nobody would see it
 * end, and its own guard may be about to end it. Throws an Error of one sentence with the way out.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const home = path.resolve(options.dataDir);
  const account = postgresAccount();
  const known = recall(home);
  if (known?.made) await endLeftBehind(known.cluster);
  const { entry, child, ended } = await launch(home, account, known, options);
  await createMissing(entry, options.database);
  return {
    url: urlOf(entry, options.database),
    cluster: entry.cluster,
    ended,
    async stop() {
      // Its end is waited for, and may be the last thing that keeps us alive.
      child.ref();
      await stop(entry.cluster);
    },
  };
}

/** Ends the server that still serves this folder, and removes the lock of one that is gone. */
async function endLeftBehind(cluster: string): Promise<void> {
  await stop(cluster);
  const pid = lockHolder(cluster);
  if (pid === undefined) return;
  if (isAlive(pid) && isPostgresOf(pid, cluster))
    throw new Error(`PostgreSQL (process ${pid}) of an earlier start does not end: end it and start again.`);
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

function isPostgresOf(pid: number, cluster: string): boolean {
  const line = commandLine(pid);
  return process.platform === "win32" || (line.includes("postgres") && line.includes(cluster));
}

async function answers(entry: Remembered): Promise<boolean> {
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

/** Ends the server of a data folder, if it runs, and removes the folder with all data. */
export async function removePostgres(dataDir: string): Promise<void> {
  const home = path.resolve(dataDir);
  if (!existsSync(home)) return;
  const known = recall(home);
  if (known) {
    await stop(known.cluster);
    rmSync(known.cluster, { recursive: true, force: true });
  }
  rmSync(home, { recursive: true, force: true });
}

type Started = { child: ChildProcess; ended: Promise<Ended> };

async function launch(
  home: string,
  account: Account,
  known: Remembered | undefined,
  options: PostgresOptions,
): Promise<Started & { entry: Remembered }> {
  const programs = postgresBinaries(account);
  let entry = known?.made ? known : createCluster(home, account, programs.initdb, { sync: options.purpose === "app" });
  if (!existsSync(path.join(entry.cluster, "PG_VERSION"))) {
    throw new Error(
      `The data in ${entry.cluster} is gone: restore it, or remove ${home} to begin with an empty database.`,
    );
  }
  for (let attempt = 1; ; attempt++) {
    entry = { ...entry, port: await freePort(options.port, entry.port || undefined) };
    remember(home, entry);
    const started = await run(home, account, programs.postgres, entry, options.purpose);
    if (typeof started !== "string") return { entry, ...started };
    // The port may be taken between our look and its bind; the killed server's workers need a moment to let go.
    const passing = /could not bind|still in use|Address already in use/.test(started);
    if (!passing || attempt === 5) throw new Error(`PostgreSQL did not start: ${started}`);
    await pause(300);
  }
}

/** Runs the server until it answers; otherwise the last lines it printed. */
async function run(
  home: string,
  account: Account,
  program: string,
  entry: Remembered,
  purpose: PostgresOptions["purpose"],
): Promise<string | Started> {
  const log = path.join(home, "postgres.log");
  const output = openSync(log, "w", 0o600);
  // Detached: Ctrl+C reaches the process group, and the database must outlive what is still writing to it.
  const child = spawn(
    program,
    ["-D", entry.cluster, "-p", String(entry.port), ...settings(purpose).flatMap((setting) => ["-c", setting])],
    { ...account, cwd: entry.cluster, env: cleanEnvironment(), stdio: ["ignore", output, output], detached: true },
  );
  closeSync(output);
  let failed: string | undefined;
  const ended = new Promise<Ended>((resolve) => {
    child.once("exit", (code) => resolve({ code: code ?? 1, lastLines: lastLines(log) }));
    child.once("error", (error) => {
      failed = String(error);
      resolve({ code: 127, lastLines: failed });
    });
  });
  child.unref();
  const until = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(entry))) {
    if (failed ?? child.exitCode !== null) return failed ?? lastLines(log);
    if (Date.now() > until) {
      child.kill("SIGQUIT");
      return `no answer within ${START_TIMEOUT_MS / 1000} s. ${lastLines(log)}`;
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
  return readFileSync(file, "utf8").trim().split("\n").slice(-5).join(" ");
}

async function createMissing(entry: Remembered, database: string): Promise<void> {
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
  if (pid === undefined || !isAlive(pid) || !isPostgresOf(pid, cluster)) return;
  send(pid, "SIGINT");
  if (await untilEnded(pid, 5_000)) return;
  send(pid, "SIGQUIT");
  await untilEnded(pid, 5_000);
}

function urlOf(entry: Remembered, database: string): string {
  return `postgresql://postgres:${entry.password}@127.0.0.1:${entry.port}/${database}?sslmode=disable`;
}
