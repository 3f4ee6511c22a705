import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { missingPackages, startDebianPostgres } from "@/scripts/debian-postgres";
import { OLDEST_POSTGRES } from "@/scripts/migrate";
import { startPostgres } from "@/scripts/postgres";
import { postgresAccount } from "@/scripts/postgres-binaries";

export type Authority = { file: string; pem: string; sign(name: string, days?: number): Certificate };
export type Certificate = { cert: string; key: string };

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

function createAuthority(folder: string, name: string): Authority {
  const file = path.join(folder, `${name}.pem`);
  const key = path.join(folder, `${name}.key`);
  openssl(["req", "-x509", "-nodes", ...KEY, "-keyout", key, "-out", file, "-days", "2", "-subj", `/CN=${name}`]);
  return { file, pem: readFileSync(file, "utf8"), sign: (host, days = 1) => sign({ file, key }, folder, host, days) };
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
let signed = 0;

function sign(authority: { file: string; key: string }, folder: string, host: string, days: number): Certificate {
  const base = path.join(folder, `server-${++signed}`);
  const [request, extensions, cert, key] = [`${base}.csr`, `${base}.ext`, `${base}.pem`, `${base}.key`];
  openssl(["req", "-nodes", ...KEY, "-keyout", key, "-out", request, "-subj", `/CN=${host}`]);
  writeFileSync(extensions, `subjectAltName=DNS:${host}\n`);
  const by = ["-CA", authority.file, "-CAkey", authority.key, "-CAcreateserial"];
  openssl(["x509", "-req", "-in", request, ...by, "-days", String(days), "-extfile", extensions, "-out", cert]);
  const { uid, gid } = postgresAccount();
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  chmodSync(key, 0o600);
  return { cert, key };
}

function openssl(args: string[]): void {
  const made = spawnSync("openssl", args, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`openssl ${args[0]} failed: ${made.error ?? made.stderr}`);
}
