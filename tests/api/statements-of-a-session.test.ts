import { databaseUrl, query } from "@/tests/support/db";
import { registerUser } from "@/tests/support/factories";
import { countStatements } from "@/tests/support/statements";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

let direct: string;
let proxy: TcpProxy;
/** How often the product has had PostgreSQL execute something, counted on the wire. */
let executed = 0;

// Before the first route is loaded, which reads the environment.
beforeAll(async () => {
  direct = databaseUrl();
  const url = new URL(direct);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  proxy.watch(executions(() => executed++));
  url.port = String(proxy.port);
  process.env.DATABASE_URL = url.href;
  // Load the modules that read the environment.
  await registerUser();
  process.env.DATABASE_URL = direct;
});
afterAll(() => proxy.close());

/** PostgreSQL's protocol 3: a startup message without a type, then type and length; E executes, Q is a simple query. */
function executions(found: () => void): (chunk: Buffer, connection: number) => void {
  const rests = new Map<number, Buffer>();
  return (chunk, connection) => {
    const known = rests.get(connection);
    let rest = Buffer.concat([known ?? Buffer.alloc(0), chunk]);
    if (!known) rest = rest.subarray(rest.readInt32BE(0));
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      if (rest[0] === 0x45 || rest[0] === 0x51) found();
      rest = rest.subarray(1 + rest.readInt32BE(1));
    }
    rests.set(connection, rest);
  };
}

async function counted(work: () => Promise<unknown>): Promise<{ statements: string[]; wire: number }> {
  const before = executed;
  const { statements } = await countStatements(work);
  return { statements, wire: executed - before };
}

/** How often rows of `sessions` were written. */
async function countWrites(work: () => Promise<void>): Promise<number> {
  await query("CREATE TABLE session_writes (one int)");
  await query(`CREATE FUNCTION note_session_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO session_writes VALUES (1); RETURN NEW; END $$`);
  await query(`CREATE TRIGGER note_session_write AFTER UPDATE ON sessions
    FOR EACH ROW EXECUTE FUNCTION note_session_write()`);
  try {
    await work();
    return (await query("SELECT one FROM session_writes")).length;
  } finally {
    await query("DROP TRIGGER note_session_write ON sessions");
    await query("DROP FUNCTION note_session_write");
    await query("DROP TABLE session_writes");
  }
}

const SESSION_AND_USER = /^SELECT .+ FROM sessions s JOIN users u ON u\.id = s\.user_id WHERE .+$/;
const SLIDE = /^UPDATE "public"\."sessions" SET "expires" = /;

describe("GET /api/user", () => {
  it("runs one statement, joining session and user, whether idle or busy", async () => {
    const { caller, username } = await registerUser();
    const idle = await counted(() => caller.get("/api/user"));
    expect(idle).toEqual({ statements: [expect.stringMatching(SESSION_AND_USER)], wire: 1 });

    const answers: unknown[] = [];
    const busy = await counted(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 16 }, () => caller.get("/api/user")))));
    });
    const me = expect.objectContaining({ status: 200, body: expect.objectContaining({ username }) });
    expect(answers).toEqual(Array(16).fill(me));
    expect(busy).toEqual({ statements: Array(16).fill(idle.statements[0]), wire: 16 });
    process.stdout.write(`GET /api/user: ${idle.wire} statement idle, ${busy.wire} for 16 at once\n`);
  });

  it("extends the session at most once a day, also under concurrent requests", async () => {
    const { caller, id } = await registerUser();
    const ends = (hours: number) =>
      query(`UPDATE sessions SET expires = now() + make_interval(hours => $1) WHERE user_id = $2`, [hours, id]);
    const rewritten = async () =>
      (await query<{ xmin: string }>("SELECT xmin::text FROM sessions WHERE user_id = $1", [id]))[0]?.xmin;

    await ends(30 * 24 - 23);
    const before = await rewritten();
    expect((await counted(() => caller.get("/api/user"))).statements).toHaveLength(1);
    expect(await rewritten()).toBe(before);

    await ends(30 * 24 - 25);
    const once = await counted(() => caller.get("/api/user"));
    expect(once).toEqual({
      statements: [expect.stringMatching(SESSION_AND_USER), expect.stringMatching(SLIDE)],
      wire: 2,
    });
    expect((await counted(() => caller.get("/api/user"))).statements).toHaveLength(1);

    await ends(30 * 24 - 25);
    const written = await countWrites(async () => {
      await Promise.all(Array.from({ length: 16 }, () => caller.get("/api/user")));
    });
    expect(written).toBe(1);
    expect((await counted(() => caller.get("/api/user"))).statements).toHaveLength(1);
  });

  it("makes no statement without a cookie", async () => {
    const { createCaller } = await import("@/tests/support/app");
    expect((await counted(() => createCaller().get("/api/user"))).statements).toEqual([]);
  });
});
