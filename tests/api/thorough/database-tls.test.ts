import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { makeBackup } from "@/scripts/backup/backup";
import { restoreBackup } from "@/scripts/backup/restore";
import { findUnreadable } from "@/scripts/backup/unreadable";
import { openDatabase } from "@/scripts/database";
import { rotateKeys } from "@/scripts/keys-rotate";
import { expireLeases } from "@/scripts/leases";
import { applyMigrations } from "@/scripts/migrate";
import type { Authority, Certificate } from "@/tests/support/certificates";
import { startTlsPostgres, type TlsPostgres } from "@/tests/support/tls-postgres";

// A PostgreSQL whose certificate is signed by an authority of its own, for everything that connects to one.

const ours = { DATABASE_URL: process.env.DATABASE_URL, DATABASE_CA: process.env.DATABASE_CA };

let server: TlsPostgres;
let authority: Authority;
let other: Authority;
let certificate: Certificate;
let backup: string;

beforeAll(async () => {
  server = await startTlsPostgres();
  authority = server.createAuthority("ours");
  other = server.createAuthority("other");
  certificate = authority.sign("localhost");
  backup = path.join(server.folder, "planner.backup");
  await server.query("CREATE DATABASE migrated");
  await applyMigrations(addressOf("migrated", "sslmode=disable"));
  await makeBackup(addressOf("migrated", "sslmode=disable"), backup);
}, 60_000);
beforeEach(() => server.present(certificate));
afterEach(() => setEnvironment(ours));
afterAll(() => server.stop());

function setEnvironment(values: { DATABASE_URL?: string; DATABASE_CA?: string }): void {
  for (const name of ["DATABASE_URL", "DATABASE_CA"] as const) {
    if (values[name] === undefined) delete process.env[name];
    else process.env[name] = values[name];
  }
}

function addressOf(database: string, parameters: string): string {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  url.search = parameters;
  return url.href;
}

let created = 0;

async function createEmpty(): Promise<string> {
  const name = `empty_${++created}`;
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  return name;
}

const { ENCRYPTION_KEYS: KEYS = "" } = process.env;

/** Everything that connects, each given the parameters of its address. */
const PROGRAMS: Record<string, (parameters: string) => Promise<unknown>> = {
  "the app": async (parameters) => {
    setEnvironment({ ...process.env, DATABASE_URL: addressOf("migrated", parameters) });
    await jest.isolateModulesAsync(async () => {
      const { prisma } = await import("@/lib/db/prisma");
      try {
        await prisma.$queryRaw`SELECT 1`;
      } finally {
        await prisma.$disconnect();
      }
    });
  },
  "npm start": async (parameters) =>
    openDatabase({ DATABASE_URL: addressOf("migrated", parameters) }, "/nowhere", () => undefined),
  "npm run migrate": async (parameters) => applyMigrations(addressOf(await createEmpty(), parameters)),
  "npm run backup": async (parameters) =>
    makeBackup(addressOf("migrated", parameters), path.join(server.folder, `${++created}.backup`)),
  "npm run restore": async (parameters) => {
    const url = addressOf(await createEmpty(), parameters);
    await restoreBackup(url, backup);
    await findUnreadable(url, KEYS);
  },
  "npm run keys:rotate": async (parameters) => rotateKeys(addressOf("migrated", parameters), KEYS),
  "the launcher, for the leases of an app that ended,": async (parameters) =>
    expireLeases(addressOf("migrated", parameters), randomUUID(), true),
};

/** Runs `prisma migrate deploy` with Prisma's own engine; see tests/support/schema-engine.mjs. */
async function migrateDeploy(parameters: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, ["node_modules/prisma/build/index.js", "migrate", "deploy"], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      DIRECT_DATABASE_URL: addressOf(await createEmpty(), parameters),
      DATABASE_CA: process.env.DATABASE_CA ?? "",
      CHECKPOINT_DISABLE: "1",
      PRISMA_SCHEMA_ENGINE_BINARY: path.resolve("tests/support/schema-engine.mjs"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (printed += chunk));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, printed })));
}

/** Ways to make the authority known, or to do without. */
const WAYS: [string, () => { parameters: string; ca?: string }][] = [
  ["sslrootcert", () => ({ parameters: `sslmode=require&sslrootcert=${authority.file}` })],
  ["sslrootcert alone", () => ({ parameters: `sslrootcert=${authority.file}` })],
  ["DATABASE_CA", () => ({ parameters: "sslmode=require", ca: authority.pem })],
  ["DATABASE_CA alone", () => ({ parameters: "", ca: authority.pem })],
  ["DATABASE_CA on one line", () => ({ parameters: "sslmode=verify-full", ca: authority.pem.replaceAll("\n", "\\n") })],
  ["several authorities", () => ({ parameters: "sslmode=require", ca: other.pem + authority.pem })],
  ["sslmode=no-verify", () => ({ parameters: "sslmode=no-verify" })],
];

describe.each(WAYS)("with %s", (_way, given) => {
  it.each(Object.keys(PROGRAMS))("%s connects", async (program) => {
    const { parameters, ca } = given();
    setEnvironment({ DATABASE_CA: ca });
    await PROGRAMS[program]?.(parameters);
  });

  it("prisma migrate deploy connects", async () => {
    const { parameters, ca } = given();
    setEnvironment({ DATABASE_CA: ca });
    expect(await migrateDeploy(parameters)).toMatchObject({ code: 0 });
  }, 30_000);
});

const UNKNOWN_AUTHORITY =
  "its certificate is signed by an authority that is not known here: set DATABASE_CA or sslrootcert to that authority's certificate.";

type Failing = {
  presents?: () => Certificate | undefined;
  parameters: () => string;
  ca?: () => string;
  sentence: string;
};
const FAILURES: [string, Failing][] = [
  ["no authority is given", { parameters: () => "sslmode=require", sentence: UNKNOWN_AUTHORITY }],
  [
    "another authority is given",
    { parameters: () => "sslmode=verify-ca", ca: () => other.pem, sentence: UNKNOWN_AUTHORITY },
  ],
  [
    "sslrootcert names another authority than DATABASE_CA",
    {
      parameters: () => `sslmode=require&sslrootcert=${other.file}`,
      ca: () => authority.pem,
      sentence: UNKNOWN_AUTHORITY,
    },
  ],
  [
    "the certificate is for another name",
    {
      presents: () => authority.sign("db.example.com"),
      parameters: () => "sslmode=require",
      ca: () => authority.pem,
      sentence:
        "its certificate is for DNS:db.example.com: use a name of the certificate in the address, or renew it with this one.",
    },
  ],
  [
    "the certificate has expired",
    {
      presents: () => authority.sign("localhost", -1),
      parameters: () => "sslmode=require",
      ca: () => authority.pem,
      sentence: "its certificate, or that of its authority, has expired: renew it.",
    },
  ],
  [
    "the server speaks no TLS",
    {
      presents: () => undefined,
      parameters: () => "sslmode=require",
      ca: () => authority.pem,
      sentence: "it speaks no TLS: turn TLS on there (ssl = on), or set sslmode=disable in the address.",
    },
  ],
];

describe.each(FAILURES)("when %s", (_what, { presents, parameters, ca, sentence }) => {
  beforeEach(async () => {
    if (presents) await server.present(presents());
    setEnvironment({ DATABASE_CA: ca?.() });
  });
  const expected = () => `PostgreSQL at localhost:${new URL(server.url).port} cannot be reached over TLS: ${sentence}`;

  it.each(Object.keys(PROGRAMS))("%s says so, without the password", async (program) => {
    const error = await Promise.resolve(PROGRAMS[program]?.(parameters())).catch((failure: unknown) => failure);
    // Prisma puts the name of the call before it.
    expect((error as Error).message.slice(-expected().length)).toBe(expected());
    expect(String((error as Error).stack)).not.toContain(new URL(server.url).password);
  });

  it("the log of /api/ready says so, without the password", async () => {
    setEnvironment({ ...process.env, DATABASE_URL: addressOf("migrated", parameters()) });
    await jest.isolateModulesAsync(async () => {
      const { log } = await import("@/lib/log");
      const logged = jest.spyOn(log, "error");
      const { readiness } = await import("@/lib/transport/readiness");
      expect(await readiness()).toMatchObject({ ok: false, database: "down" });
      expect(logged.mock.calls).toEqual([
        [
          { err: expect.objectContaining({ message: expect.stringContaining(expected()) }) },
          "the database does not answer",
        ],
      ]);
      const { prisma } = await import("@/lib/db/prisma");
      await prisma.$disconnect();
    });
  });

  it("prisma migrate deploy does not connect", async () => {
    expect(await migrateDeploy(parameters())).toMatchObject({
      code: 1,
      printed: expect.stringContaining("Error opening a TLS connection"),
    });
  }, 30_000);
});

it("verify-ca takes a certificate of the given authority for any name", async () => {
  await server.present(authority.sign("db.example.com"));
  setEnvironment({ DATABASE_CA: authority.pem });
  for (const program of Object.values(PROGRAMS)) await program("sslmode=verify-ca");
});

it("the app answers 503 while the certificate does not fit", async () => {
  setEnvironment({ DATABASE_URL: addressOf("migrated", "sslmode=require") });
  await jest.isolateModulesAsync(async () => {
    const { createCaller } = await import("@/tests/support/app");
    const answer = await createCaller().post("/api/login", { username: "somebody", password: "something" });
    expect(answer).toMatchObject({ status: 503, body: { type: "SERVICE_UNAVAILABLE" } });
    const { prisma } = await import("@/lib/db/prisma");
    await prisma.$disconnect();
  });
});

it("a long statement is cancelled over TLS too", async () => {
  setEnvironment({ DATABASE_URL: addressOf("migrated", `sslrootcert=${authority.file}`) });
  await jest.isolateModulesAsync(async () => {
    const { pool } = await import("@/lib/db/pool");
    const { cancelStatement } = await import("@/lib/db/cancel");
    const client = await pool.connect();
    const { rows } = await client.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    expect(rows).toEqual([{ ssl: true }]);
    const asleep = client.query("SELECT pg_sleep(20)");
    cancelStatement(client);
    await expect(asleep).rejects.toMatchObject({ code: "57014" });
    client.release();
    await pool.end();
  });
});

it("a file that cannot be read is named before anything connects", async () => {
  await expect(applyMigrations(addressOf("migrated", "sslrootcert=/nowhere/ca.pem"))).rejects.toThrow(
    "sslrootcert in the address of the database names /nowhere/ca.pem, which cannot be read (ENOENT).",
  );
});
