import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { type Child, startChild } from "@/scripts/child";
import { freePort } from "@/scripts/ports";
import { type Account, ownFolder, postgresAccount } from "@/scripts/postgres-binaries";
import { cleanEnvironment } from "@/scripts/postgres-cluster";
import { pause } from "@/scripts/processes";

/** A PostgreSQL of Debian's packages, and PgBouncer in front of it, for a test run. Stopping it removes everything. */
export type DebianPostgres = {
  /** Address of PostgreSQL itself, past the pooler, as superuser. */
  url: string;
  poolerPort: number | undefined;
  stop(): Promise<void>;
};

const READY_MS = 20_000;

/** Returns the packages to install for what is missing. */
export function missingPackages(version: number, pooled: boolean): string[] {
  return [
    ...(existsSync(debianBinary(version, "postgres")) ? [] : [`postgresql-${version}`]),
    ...(pooled && !pgbouncer() ? ["pgbouncer"] : []),
  ];
}

export async function startDebianPostgres(version: number, pooled: boolean): Promise<DebianPostgres> {
  const account = postgresAccount();
  const folder = mkdtempSync(path.join(os.tmpdir(), "debian-postgres-"));
  // The unprivileged account has to reach its folder in it.
  chmodSync(folder, 0o755);
  const started: Child[] = [];
  const stop = async () => {
    for (const child of started.reverse()) await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = await freePort();
    started.push(startServer(version, path.join(folder, "data"), port, account));
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres?sslmode=disable`;
    await untilReady(url);
    if (!pooled) return { url, poolerPort: undefined, stop };
    const poolerPort = await freePort();
    started.push(startPooler(path.join(folder, "pooler"), url, poolerPort, account));
    await untilReady(url.replace(`:${port}/`, `:${poolerPort}/`));
    return { url, poolerPort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startServer(version: number, data: string, port: number, account: Account): Child {
  ownFolder(data, account);
  const locale = ["-E", "UTF8", "--locale=C.UTF-8"];
  const made = spawnSync(
    debianBinary(version, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--no-instructions", ...locale],
    { ...account, cwd: data, env: cleanEnvironment(), encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`PostgreSQL ${version} could not create its data folder: ${made.stderr}`);
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
  const fast = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
  const options = [...settings, ...fast].flatMap((setting) => ["-c", setting]);
  return runAs(account, data, [debianBinary(version, "postgres"), "-D", data, "-p", String(port), ...options]);
}

/** The pooler is in transaction mode, as for hosted databases: a client without a transaction has no connection of its own. */
export function startPooler(folder: string, server: string, port: number, account: Account): Child {
  ownFolder(folder, account);
  const { hostname, port: serverPort, username, password } = new URL(server);
  const file = path.join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort} user=${username}${password && ` password=${password}`}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 20",
    "max_client_conn = 1000",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 });
  return runAs(account, folder, [pgbouncer() ?? "pgbouncer", file]);
}

function runAs(account: Account, cwd: string, command: string[]): Child {
  return startChild(command, { ...account, cwd, env: cleanEnvironment() });
}

export async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; await pause(100)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("SELECT 1");
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The path of a program of Debian's PostgreSQL. */
export function debianBinary(version: number, name: string): string {
  return `/usr/lib/postgresql/${version}/bin/${name}`;
}

export function pgbouncer(): string | undefined {
  return ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((file) => existsSync(file));
}
