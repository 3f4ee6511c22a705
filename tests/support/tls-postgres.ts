import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { missingPackages, startDebianPostgres } from "@/scripts/debian-postgres";
import { OLDEST_POSTGRES } from "@/scripts/migrate";
import { startPostgres } from "@/scripts/postgres";
import { type Authority, type Certificate, createAuthority } from "@/tests/support/certificates";

export type TlsPostgres = {
  /** Its address at `localhost`, without parameters and with a password. */
  url: string;
  /** A folder for the test's files, removed with the server. */
  folder: string;
  createAuthority(name: string): Authority;
  /** From now on new connections get this certificate, or no TLS. */
  present(certificate: Certificate | undefined): Promise<void>;
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
};

/** Starts a server that can speak TLS: the oldest supported one of Debian's packages, or else the embedded one. */
export async function startTlsPostgres(): Promise<TlsPostgres> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tls-postgres-"));
  // The account of the server has to reach its key in it.
  chmodSync(folder, 0o755);
  const server =
    missingPackages(OLDEST_POSTGRES, false).length === 0
      ? await startDebianPostgres(OLDEST_POSTGRES, false)
      : await startPostgres({ dataDir: path.join(folder, "postgres"), database: "postgres", purpose: "test" });
  const plain = new pg.Client({ connectionString: server.url });
  await plain.connect();
  const address = new URL(server.url);
  address.hostname = "localhost";
  address.search = "";
  if (!address.password) address.password = "anything";
  return {
    url: address.href,
    folder,
    createAuthority: (name) => createAuthority(folder, name),
    async present(certificate) {
      await plain.query(`ALTER SYSTEM SET ssl = ${certificate ? "on" : "off"}`);
      if (certificate) {
        await plain.query(`ALTER SYSTEM SET ssl_cert_file = '${certificate.cert}'`);
        await plain.query(`ALTER SYSTEM SET ssl_key_file = '${certificate.key}'`);
      }
      await reload(plain, certificate ? certificate.cert : "off");
    },
    query: async <Row extends pg.QueryResultRow>(sql: string) => (await plain.query<Row>(sql)).rows,
    async stop() {
      await plain.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A session sees the new settings a moment after the server has begun to use them. */
async function reload(client: pg.Client, expected: string): Promise<void> {
  await client.query("SELECT pg_reload_conf()");
  const setting =
    "SELECT CASE current_setting('ssl') WHEN 'on' THEN current_setting('ssl_cert_file') ELSE 'off' END AS now";
  for (;;) {
    const { rows } = await client.query<{ now: string }>(setting);
    if (rows[0]?.now === expected) return;
  }
}
