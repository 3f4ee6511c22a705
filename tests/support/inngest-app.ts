import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Inngest } from "inngest";
import pg from "pg";
import { freePort } from "@/scripts/ports";
import { removePostgres } from "@/scripts/postgres";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { type Samples, sampleEnvironment, seedAccount } from "@/scripts/samples/start";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Balancer, startBalancer } from "@/tests/support/balancer";
import { type HttpCaller, signInOverHttp } from "@/tests/support/http-caller";
import { type StackProcess, startStackProcess } from "@/tests/support/stack-process";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";
import { type TestedEngine, testedEngine } from "@/tests/support/tested-engine";

type Ready = { url: string; databaseUrl: string; secrets: Record<string, string> };

export type InngestApp = {
  call: HttpCaller;
  port: number;
  engine: TestedEngine;
  ai: SampleAiProvider;
  site: SampleWordPress;
  /** Between the app and the engine: what the app sends. */
  toEngine: TcpProxy;
  /** Between the engine and the app: the calls that run the functions. */
  toApp: Balancer;
  /** Sends an event past the app, as if the engine delivered it again. */
  sendAgain(name: string, data: Record<string, unknown>): Promise<void>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Kills the app's processes and its database, and starts them again. */
  killAndRestart(): Promise<void>;
  close(): Promise<void>;
};

/** The production build as `npm start` runs it, with the tested engine in both directions behind a proxy that can be cut. */
export async function startInngestApp(): Promise<InngestApp> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "inngest-app-"));
  const port = await freePort();
  const toApp = await startBalancer();
  toApp.switchTo(port);
  const engine = await testedEngine(`${toApp.origin}/api/inngest`);
  const { hostname, port: enginePort } = new URL(engine.url);
  const toEngine = await startTcpProxy({ host: hostname, port: Number(enginePort || 80) });
  const engineUrl = `http://127.0.0.1:${toEngine.port}`;
  const [ai, site] = [await startSampleAiProvider(), await startSampleWordPress()];
  const samples: Samples = { ai, wordpress: site, close: async () => undefined };
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    // Left over from the tests' own environment.
    ...{ APP_URL: "", AUTH_SECRET: "", ENCRYPTION_KEYS: "", DATABASE_URL: "", TRUSTED_PROXY_HOPS: "" },
    ...{ GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "", GOOGLE_ISSUER: "" },
    LOG_LEVEL: "error",
    RATE_LIMIT_SCALE: "100",
    INNGEST_SERVE_ORIGIN: toApp.origin,
    INNGEST_SIGNING_KEY: engine.keys?.signingKey ?? "",
    INNGEST_EVENT_KEY: engine.keys?.eventKey ?? "",
    INNGEST_BASE_URL: engine.keys ? engineUrl : "",
    INNGEST_DEV: engine.keys ? "" : engineUrl,
    ...sampleEnvironment(samples),
  };
  const start = () => startStackProcess<Ready>("run-start.ts", [folder, String(port)], env);
  let running: StackProcess<Ready> = await start();
  const seedEnv = { ...env, DATABASE_URL: running.databaseUrl, ...running.secrets };
  const account = await seedAccount(samples, seedEnv, { folder });
  const sender = new Inngest({
    id: "tests",
    baseUrl: engine.url,
    isDev: engine.keys === undefined,
    eventKey: engine.keys?.eventKey ?? "tests",
  });

  const app: InngestApp = {
    call: await signInOverHttp(running.url, account),
    port,
    engine,
    ai,
    site,
    toEngine,
    toApp,
    sendAgain: async (name, data) => {
      await sender.send({ name, data });
    },
    async query(text, values = []) {
      const client = new pg.Client({ connectionString: running.databaseUrl });
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async killAndRestart() {
      await running.kill();
      running = await start();
      app.call = await signInOverHttp(running.url, account);
    },
    async close() {
      await running.kill();
      await removePostgres(path.join(folder, "postgres"));
      rmSync(folder, { recursive: true, force: true });
      await Promise.all([toEngine.close(), toApp.close(), engine.close(), ai.close(), site.close()]);
    },
  };
  return app;
}
