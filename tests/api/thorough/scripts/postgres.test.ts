import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { removePostgres, startPostgres } from "@/scripts/postgres";
import { isAlive, send, waitForExit } from "@/scripts/processes";

let parent: string;
let dataDir: string;

beforeAll(() => {
  // Private on purpose: under root, PostgreSQL runs as another account, which cannot enter this folder.
  parent = mkdtempSync(path.join(os.tmpdir(), "postgres-test-"));
  dataDir = path.join(parent, "postgres");
});

afterAll(async () => {
  await removePostgres(dataDir);
  rmSync(parent, { recursive: true });
});

const start = () => startPostgres({ dataDir, database: "app", purpose: "app" });

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

function cluster(): string {
  const { cluster } = JSON.parse(readFileSync(path.join(dataDir, "connection.json"), "utf8"));
  return path.resolve(dataDir, cluster);
}

function serverPid(): number {
  return Number(readFileSync(path.join(cluster(), "postmaster.pid"), "utf8").split("\n")[0]);
}

describe("startPostgres", () => {
  it("creates a database reachable only from this machine and with its password", async () => {
    const server = await start();
    const [settings] = await ask(
      server.url,
      `SELECT current_setting('listen_addresses') AS listens, current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS commits, current_database() AS name`,
    );
    expect(settings).toEqual({ listens: "127.0.0.1", fsync: "on", commits: "on", name: "app" });
    const stranger = new URL(server.url);
    stranger.password = "guessed";
    await expect(ask(stranger.href, "SELECT 1")).rejects.toThrow("password authentication failed");
    expect(statSync(path.join(dataDir, "connection.json")).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it("folds the case of letters beyond ASCII", async () => {
    const server = await start();
    const [row] = await ask(server.url, "SELECT lower('ÄЖ') AS lower, 'GÄRTEN' ILIKE '%ärt%' AS found");
    expect(row).toEqual({ lower: "äж", found: true });
    await ask(server.url, "CREATE TABLE kept AS SELECT 1 AS id");
    await server.stop();
  });

  it("keeps data and port across a restart", async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, "SELECT id FROM kept")).toEqual([{ id: 1 }]);
    await second.stop();
  });

  it("stops a server left running by a killed process, and starts its own on the same port", async () => {
    // A killed process never calls stop(); the next one sees no other difference.
    const left = await start();
    const pid = serverPid();
    const next = await start();
    expect(await waitForExit(pid, 0)).toBe(true);
    expect(next.url).toBe(left.url);
    expect(serverPid()).not.toBe(pid);
    await next.stop();
    expect((await next.ended).code).toBe(0);
  });

  it("starts again after the server itself was killed, with every committed row", async () => {
    const first = await start();
    await ask(first.url, "INSERT INTO kept VALUES (2)");
    const pid = serverPid();
    send(pid, "SIGKILL");
    expect(await waitForExit(pid, 5_000)).toBe(true);
    expect(existsSync(path.join(cluster(), "postmaster.pid"))).toBe(true);
    expect((await first.ended).code).not.toBe(0);
    const second = await start();
    expect(await ask(second.url, "SELECT id FROM kept ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
    await second.stop();
  });

  it("does not mistake another program with the same process id for its server", async () => {
    const lock = path.join(cluster(), "postmaster.pid");
    writeFileSync(lock, `${process.pid}\n${cluster()}\n`);
    const server = await start();
    expect(isAlive(process.pid)).toBe(true);
    await server.stop();
  });

  it("never creates an empty database over data whose key is lost", async () => {
    const file = path.join(dataDir, "connection.json");
    const kept = readFileSync(file, "utf8");
    writeFileSync(file, "{");
    await expect(start()).rejects.toThrow("connection.json is missing or damaged: restore it");
    writeFileSync(file, kept);
    const server = await start();
    expect(await ask(server.url, "SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 2 }]);
    await server.stop();
  });
});
