import pg from "pg";
import { LATEST_MIGRATION } from "@/lib/db/latest-migration";
import { createCaller } from "@/tests/support/app";
import { eventually } from "@/tests/support/backend";
import { createDatabase } from "@/tests/support/db";
import { newUser } from "@/tests/support/factories";

// What /api/ready says of the database's migrations and of the engine; tests/api/thorough/database-away.test.ts takes the database away.

let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;
const ours = process.env.DATABASE_URL;

beforeAll(async () => {
  database = await createDatabase("migrated");
  process.env.DATABASE_URL = database.url;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  const { prisma } = await import("@/lib/db/prisma");
  await prisma.$disconnect();
  process.env.DATABASE_URL = ours;
  await database.drop();
});

const READY = { ok: true, database: "up", migrations: "current", engine: "unknown" };

/** An answer is valid for a second. */
async function expectAnswer(status: number, body: object): Promise<void> {
  const ask = () => createCaller().get("/api/ready");
  const answer = await eventually(ask, (given) => JSON.stringify(given.body) === JSON.stringify({ ...READY, ...body }));
  expect(answer.status).toBe(status);
}

it("is ready on a database with the migrations of this build, and says nothing else", async () => {
  await expectAnswer(200, {});
});

it("is not ready while a migration of this build is missing, and is once it was applied", async () => {
  const change = "UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1";
  await client.query(change, [LATEST_MIGRATION, "00000000000000_other"]);
  await expectAnswer(503, { ok: false, migrations: "pending" });
  await client.query(change, ["00000000000000_other", LATEST_MIGRATION]);
  await expectAnswer(200, {});
});

it("is not ready on a database that nobody has migrated", async () => {
  await client.query("ALTER TABLE _prisma_migrations RENAME TO elsewhere");
  await expectAnswer(503, { ok: false, migrations: "pending" });
  await client.query("ALTER TABLE elsewhere RENAME TO _prisma_migrations");
  await expectAnswer(200, {});
});

it("is not ready after a migration that failed, until it was rolled back", async () => {
  const id = "failed";
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, 'x', '99990101000000_half')",
    [id],
  );
  await expectAnswer(503, { ok: false, migrations: "failed" });
  await client.query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = $1", [id]);
  await expectAnswer(200, {});
});

it("stays ready when a newer version has migrated the database: a rolling deployment is under way", async () => {
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('newer', 'x', '99990101000000_new', now())",
  );
  await expectAnswer(200, { migrations: "newer" });
  await client.query("DELETE FROM _prisma_migrations WHERE id = 'newer'");
  await expectAnswer(200, {});
});

it("reports the engine, and is ready without it", async () => {
  const { markEngineAway, markEngineBack } = await import("@/lib/events/presence");
  await markEngineAway();
  await expectAnswer(200, { engine: "away" });
  await markEngineBack();
  await expectAnswer(200, { engine: "up" });
});

it("asks the database for no session, whatever cookie comes with the question", async () => {
  const { caller } = await newUser();
  const { prisma } = await import("@/lib/db/prisma");
  const asked = jest.spyOn(prisma, "$queryRaw");
  for (const path of ["/api/health", "/api/ready"]) expect((await caller.get(path)).status).toBe(200);
  const statements = asked.mock.calls.map(([text]) => JSON.stringify(text));
  expect(statements.filter((text) => text.includes("sessions"))).toEqual([]);
});
