import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { startLocalInngest } from "@/inngest/local-server/server";
import { startApp, waitUntilReady } from "@/scripts/app";
import type { Child } from "@/scripts/child";
import { applyMigrations } from "@/scripts/migrate";
import { freePort } from "@/scripts/ports";
import { removePostgres, startPostgres } from "@/scripts/postgres";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { type Samples, sampleEnvironment, seedAccount } from "@/scripts/samples/start";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Balancer, startBalancer } from "@/tests/support/balancer";
import { type HttpCaller, signInOverHttp } from "@/tests/support/http-caller";

export type AppProcess = { app: Child; port: number };

export type OwnDeployment = {
  ai: SampleAiProvider;
  site: SampleWordPress;
  /** Of the engine. */
  keys: { signingKey: string; eventKey: string };
  /** Where people and the engine find the app. */
  balancer: Balancer;
  /** Starts a process of the production build, without the launcher that would clear up after it. */
  startProcess(onLine?: (line: string) => void): Promise<AppProcess>;
  /** As the demo account, connected to the sample provider and site. */
  signIn(): Promise<HttpCaller>;
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  close(): Promise<void>;
};

/** A database, an engine, a provider and a site of a test's own, for processes of the app that it starts and stops itself. */
export async function startOwnDeployment(more: Record<string, string> = {}): Promise<OwnDeployment> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "own-deployment-"));
  const database = await startPostgres({
    dataDir: path.join(folder, "postgres"),
    database: "planner",
    purpose: "test",
  });
  await applyMigrations(database.url);
  const [balancer, ai, site] = [await startBalancer(), await startSampleAiProvider(), await startSampleWordPress()];
  const keys = { signingKey: `signkey-test-${randomBytes(32).toString("hex")}`, eventKey: randomUUID() };
  const engine = await startLocalInngest({ appUrl: `${balancer.origin}/api/inngest`, syncEveryMs: "never", ...keys });
  const samples: Samples = { ai, wordpress: site, close: async () => undefined };
  const environment = {
    ...process.env,
    DATABASE_URL: database.url,
    DIRECT_DATABASE_URL: database.url,
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    INNGEST_BASE_URL: engine.url,
    INNGEST_SIGNING_KEY: keys.signingKey,
    INNGEST_EVENT_KEY: keys.eventKey,
    INNGEST_SERVE_ORIGIN: balancer.origin,
    LOG_LEVEL: "error",
    RATE_LIMIT_SCALE: "100",
    ...sampleEnvironment(samples),
    ...more,
  };
  const running: AppProcess[] = [];

  return {
    ai,
    site,
    keys,
    balancer,
    async startProcess(onLine = () => undefined) {
      const [host, port] = ["127.0.0.1", await freePort()];
      const bootId = randomUUID();
      const app = startApp({ mode: "start", host, port, environment, bootId, keepsOpen: undefined, onLine });
      running.push({ app, port });
      await waitUntilReady(app, host, port);
      return { app, port };
    },
    signIn: async () => signInOverHttp(balancer.origin, await seedAccount(samples, environment, { folder })),
    async query(text) {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
    async close() {
      await Promise.all(running.map(({ app }) => app.stop(0)));
      await engine.close();
      await Promise.all([balancer.close(), ai.close(), site.close(), database.stop()]);
      await removePostgres(path.join(folder, "postgres"));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
