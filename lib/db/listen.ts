import "server-only";
import { randomUUID } from "node:crypto";
import { CHANGES } from "@/lib/db/announce";
import { DatabaseClient } from "@/lib/db/client";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { CALLERS, STREAMS_EACH } from "@/lib/limits/bounds";
import { log } from "@/lib/log";
import { answerWithin } from "@/lib/utils/answer-within";
import { bounded, boundedSet } from "@/lib/utils/bounded";
import { databaseConfig } from "@/lib/utils/database-address";

/** `changed`: it has changed. `lost`: from now on nobody would say so. */
export type Listener = { changed: () => void; lost: () => void };

/** A transaction pooler takes LISTEN silently, and this never arrives. */
const ECHO_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long the connection stays when nobody listens. */
const IDLE_MS = 10_000;
/** How long to wait after a connection that was lost or failed; after each further failure twice as long. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

const all = bounded<string, Set<Listener>>(
  "users and jobs with listeners",
  2 * CALLERS,
  "Each has a stream, which is a call; one that watches a job follows its user too.",
);
let connection: Promise<DatabaseClient | undefined> | undefined;
/** The client of the connection, also while it connects. */
let current: DatabaseClient | undefined;
let retryAt = 0;
let failures = 0;
let idle: NodeJS.Timeout | undefined;

/**
 * Listens for changes of a user's rows or a watched job's texts, on the one connection of this process. Call the result to stop. Undefined: there is no
 * connection now, or never, since the database's own address is not known.
 */
export async function listen(id: string, listener: Listener): Promise<(() => void) | undefined> {
  if (!env.DIRECT_DATABASE_URL) return undefined;
  if (!connection && Date.now() < retryAt) return undefined;
  clearTimeout(idle);
  connection ??= connect(env.DIRECT_DATABASE_URL);
  const client = await connection;
  if (!client || client !== current) return undefined;
  const listeners = all.get(id) ?? boundedSet("listeners of a user or a job", STREAMS_EACH, "Each is a stream.");
  all.set(id, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && all.get(id) === listeners) all.delete(id);
    if (all.size === 0) closeWhenIdle();
  };
}

async function connect(address: string): Promise<DatabaseClient | undefined> {
  const client = new DatabaseClient({
    ...databaseConfig(address, env.DATABASE_CA),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  current = client;
  client.once("end", () => lose(client, new Error("The connection has ended.")));
  client.on("error", (error) => lose(client, error));
  try {
    await client.connect();
    if (!(await isHeard(client))) throw new Error("Notifications do not arrive: is this address a pooler's?");
    await client.query(`LISTEN ${CHANGES}`);
  } catch (error) {
    lose(client, error);
    client.end().catch(() => undefined);
    return undefined;
  }
  failures = 0;
  client.on("notification", ({ channel, payload = "" }) => {
    if (channel === CHANGES) for (const { changed } of all.get(payload) ?? []) changed();
  });
  return client;
}

/** Does a notification of another connection arrive? One of its own would, even through a pooler. */
async function isHeard(client: DatabaseClient): Promise<boolean> {
  const channel = `echo_${randomUUID().replaceAll("-", "")}`;
  const heard = new Promise<boolean>((resolve) => {
    client.on("notification", (notification) => {
      if (notification.channel === channel) resolve(true);
    });
  });
  await client.query(`LISTEN ${channel}`);
  await pool.query("SELECT pg_notify($1, '')", [channel]);
  const isDirect = await answerWithin(ECHO_MS, heard, false);
  await client.query(`UNLISTEN ${channel}`);
  return isDirect;
}

function lose(client: DatabaseClient, error: unknown): void {
  if (client !== current) return;
  current = undefined;
  connection = undefined;
  retryAt = Date.now() + Math.min(RETRY_MS * 2 ** failures++, MAX_RETRY_MS);
  log.warn({ err: error }, "no notifications from the database: browsers poll");
  const lost = [...all.values()].flatMap((listeners) => [...listeners]);
  all.clear();
  for (const listener of lost) listener.lost();
}

function closeWhenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    const client = current;
    current = undefined;
    connection = undefined;
    client?.end().catch(() => undefined);
  }, IDLE_MS).unref();
}
