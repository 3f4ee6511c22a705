import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { freePort } from "@/scripts/ports";
import { removePostgres } from "@/scripts/postgres";
import { isAlive, pause, send, startTimeOf, waitForExit } from "@/scripts/processes";

/** A launcher with real processes; only the built app is a stand-in. */
type Launcher = {
  process: ChildProcess;
  pid: number;
  databaseUrl: string;
  exited: Promise<{ code: number | null; signal: string | null }>;
  printed(): string;
};
type Who = { pid: number; bootId: string };

let folder: string;
let port: number;
let running: Launcher | undefined;

// One data folder for all: that each start takes over what the test before left there is a part of it.
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gets-up-"));
  port = await freePort();
});
afterAll(async () => {
  await pause(500);
  await removePostgres(path.join(folder, "postgres"));
  rmSync(folder, { recursive: true, force: true });
});

function killLauncher(): void {
  if (running) send(running.pid, "SIGKILL");
  running = undefined;
}

async function start(): Promise<Launcher> {
  const command = ["--conditions=react-server", "--import", "tsx", "tests/support/run-stand-in.ts", folder, `${port}`];
  // Only what the test's own environment has no part in.
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, command, {
    env: { PATH, HOME, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<{ databaseUrl: string }>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (chunk: Buffer) => {
        printed += chunk;
        const line = /^Stack ready (.+)$/m.exec(printed);
        if (line?.[1]) resolve(JSON.parse(line[1]));
      });
    }
    exited.then(() => reject(new Error(`The launcher did not start:\n${printed}`)));
  });
  const { databaseUrl } = await ready;
  running = { process: child, pid: child.pid ?? 0, databaseUrl, exited, printed: () => printed };
  return running;
}

async function ask(route = "/api/ready"): Promise<Who | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${route}`, { signal: AbortSignal.timeout(5_000) });
    return answer.status === 200 ? ((await answer.json()) as Who) : undefined;
  } catch {
    return undefined;
  }
}

/** Waits until it answers and is not this one. */
async function untilAnother(before: Who | undefined, milliseconds = 30_000): Promise<Who> {
  for (const until = Date.now() + milliseconds; Date.now() < until; await pause(50)) {
    const who = await ask();
    if (who && who.pid !== before?.pid) return who;
  }
  throw new Error(`Nobody answers again.\n${running?.printed()}`);
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function postgresPid(): number {
  const { cluster } = JSON.parse(readFileSync(path.join(folder, "postgres", "connection.json"), "utf8"));
  return Number(
    readFileSync(path.join(path.resolve(folder, "postgres", cluster), "postmaster.pid"), "utf8").split("\n")[0],
  );
}

/** A piece that this process is publishing, and a queue item that it is working on. */
async function holdAll({ databaseUrl }: Launcher, { bootId }: Who): Promise<void> {
  await query(databaseUrl, "DELETE FROM users");
  await query(
    databaseUrl,
    `WITH owner AS (INSERT INTO users (username, password) VALUES ('somebody', 'x') RETURNING id),
       project AS (INSERT INTO projects (user_id, title) SELECT id, 'P' FROM owner RETURNING id, user_id),
       topic AS (INSERT INTO topics (user_id, project_id, name, description)
         SELECT user_id, id, 'T', 'D' FROM project RETURNING id, project_id, user_id),
       piece AS (INSERT INTO content_pieces (user_id, project_id, topic_id, title, body)
         SELECT user_id, project_id, id, 'A', 'b' FROM topic RETURNING id, user_id, project_id, topic_id),
       held AS (INSERT INTO leases (kind, subject, user_id, content_piece_id, token, until, boot_id)
         SELECT kind, id::text, user_id, id, gen_random_uuid(), now() + interval '2 minutes', '${bootId}'
         FROM piece, unnest(ARRAY['publishing', 'writing']) kind RETURNING kind, token),
       job AS (INSERT INTO processing_jobs (user_id, project_id, topic_id, job_type, status, total_items)
         SELECT user_id, project_id, topic_id, 'outline_generation', 'processing', 1 FROM piece RETURNING id)
     INSERT INTO processing_queue (job_type, job_id, user_id, topic_id, content_piece_id, status, claim_token)
     SELECT 'outline_generation', job.id, user_id, topic_id, piece.id, 'processing', held.token
     FROM piece, job, held WHERE held.kind = 'writing'`,
  );
}

function heldBy({ databaseUrl }: Launcher) {
  return query<{ publishing: boolean; token: boolean; item: string; leased: boolean; attempts: number }>(
    databaseUrl,
    `SELECT l.until > now() AS publishing, l.token IS NOT NULL AS token, q.status AS item,
       EXISTS (SELECT 1 FROM leases w WHERE w.kind = 'writing' AND w.until > now()) AS leased, q.retry_count AS attempts
     FROM processing_queue q LEFT JOIN leases l ON l.content_piece_id = q.content_piece_id AND l.kind = 'publishing'`,
  );
}

describe("under one launcher", () => {
  let launcher: Launcher;
  beforeAll(async () => {
    launcher = await start();
  }, 90_000);
  afterAll(killLauncher);

  it("restarts PostgreSQL after a kill, and the app keeps running", async () => {
    const before = await ask();
    const pid = postgresPid();
    send(pid, "SIGKILL");
    expect(await waitForExit(pid, 20_000)).toBe(true);
    const after = await untilAnother(undefined);
    expect(after).toEqual(before);
    expect(postgresPid()).not.toBe(pid);
    expect(launcher.printed()).toMatch(/^PostgreSQL exited \(code 1\) and is being restarted\.$/m);
  }, 90_000);

  it("restarts the app after a kill; what it held is free, and no token is lost", async () => {
    const before = (await ask()) as Who;
    await holdAll(launcher, before);
    send(before.pid, "SIGKILL");
    const after = await untilAnother(before);
    expect(after.bootId).not.toBe(before.bootId);
    expect(await heldBy(launcher)).toEqual([
      { publishing: false, token: true, item: "processing", leased: false, attempts: 0 },
    ]);
    expect(isAlive(launcher.pid)).toBe(true);
  }, 90_000);

  it("restarts the app after SIGTERM, and no queue item has lost an attempt", async () => {
    const before = (await ask()) as Who;
    await holdAll(launcher, before);
    send(before.pid, "SIGTERM");
    await untilAnother(before);
    expect(await heldBy(launcher)).toEqual([
      { publishing: false, token: true, item: "pending", leased: false, attempts: 0 },
    ]);
  }, 90_000);

  it("starts both again when both were killed", async () => {
    const before = (await ask()) as Who;
    await holdAll(launcher, before);
    send(postgresPid(), "SIGKILL");
    send(before.pid, "SIGKILL");
    await untilAnother(before);
    expect(await heldBy(launcher)).toMatchObject([{ publishing: false, token: true, leased: false }]);
  }, 90_000);
});

describe("a launcher", () => {
  afterEach(killLauncher);

  it("gives up with a sentence when the app ends again and again, and leaves nothing behind", async () => {
    const launcher = await start();
    const database = postgresPid();
    let last: Who | undefined;
    for (let time = 0; time < 5; time++) {
      last = await untilAnother(last);
      await ask("/crash");
    }
    expect(await launcher.exited).toEqual({ code: 1, signal: null });
    expect(launcher.printed()).toMatch(/^The app crashed five times within a minute; see the lines above\.$/m);
    expect(await waitForExit(database, 0)).toBe(true);
    expect(await ask()).toBeUndefined();
  }, 180_000);

  it("leaves nothing half working when the launcher itself is killed, and the next start takes over", async () => {
    const launcher = await start();
    const app = (await ask()) as Who;
    const database = postgresPid();
    await holdAll(launcher, app);
    const inFlight = await fetch(`http://127.0.0.1:${port}/slow`);
    send(launcher.pid, "SIGKILL");
    // What was asked before is still answered, with the database there for it.
    expect(await inFlight.json()).toEqual(app);
    expect(await waitForExit(app.pid, 20_000)).toBe(true);
    expect(await waitForExit(database, 20_000)).toBe(true);

    const next = await start();
    expect(await heldBy(next)).toMatchObject([{ publishing: false, token: true, leased: false }]);
    expect(next.printed()).not.toMatch(/failed|Error/);
  }, 90_000);

  it("takes over at once from a launcher and an app that were both killed", async () => {
    const launcher = await start();
    const app = (await ask()) as Who;
    await holdAll(launcher, app);
    for (const pid of [launcher.pid, app.pid]) send(pid, "SIGKILL");
    const next = await start();
    expect(await heldBy(next)).toMatchObject([{ publishing: false, token: true, leased: false }]);
  }, 90_000);

  it("ends in order at SIGTERM, and costs no queue item an attempt", async () => {
    const launcher = await start();
    const app = (await ask()) as Who;
    const database = postgresPid();
    await holdAll(launcher, app);
    send(launcher.pid, "SIGTERM");
    expect(await launcher.exited).toEqual({ code: 0, signal: null });
    expect([startTimeOf(app.pid), await waitForExit(database, 0)]).toEqual([undefined, true]);
    const next = await start();
    expect(await heldBy(next)).toEqual([
      { publishing: false, token: true, item: "pending", leased: false, attempts: 0 },
    ]);
  }, 90_000);
});
