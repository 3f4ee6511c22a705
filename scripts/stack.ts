import path from "node:path";
import { type Env, readEnv, requireDeployable } from "@/lib/env";
import { reachableHost, requireFreePort, startApp, untilReady } from "@/scripts/app";
import { buildWhenStale } from "@/scripts/build";
import type { Child, Ended } from "@/scripts/child";
import { type Database, openDatabase, releaseLostWork } from "@/scripts/database";
import { type Engine, openEngine } from "@/scripts/engine";
import { type Print, step } from "@/scripts/progress";
import { type Claim, claimFolder, emptyFolder } from "@/scripts/running";
import { type Account, type Samples, sampleEnvironment, seedAccount, startSamples } from "@/scripts/samples";
import { keptSecrets, type Secrets } from "@/scripts/secrets";
import type { Shutdown } from "@/scripts/shutdown";

export type StackOptions = {
  mode: "dev" | "start" | "demo";
  /** Where data, secrets and the note of the running process lie. */
  folder: string;
  /** Begin with an empty folder. */
  fresh?: boolean;
  /** What the person set; blank counts as unset. */
  environment: NodeJS.ProcessEnv;
  /** Given to the app besides what the person set, and in the demo, which takes no services from them. */
  services?: Record<string, string>;
  /** How long the sample AI provider takes over an answer. */
  latencyMs?: number;
  print: Print;
  /** The app's own lines. */
  output?: (line: string) => void;
};

export type Stack = {
  url: string;
  /** What the app was given: database, secrets, engine. */
  environment: NodeJS.ProcessEnv;
  databaseUrl: string;
  samples?: Samples;
  account?: Account;
  appPid: number;
  /** Settles when the app ends, by itself or by the shutdown. */
  appEnded: Promise<Ended>;
};

/**
 * Starts the whole product: database, engine, samples (demo), app. Settles when the app is ready.
 * Whatever it starts is ended by `shutdown.run()`, also when it throws half way.
 */
export async function startStack(options: StackOptions, shutdown: Shutdown): Promise<Stack> {
  const { mode, print } = options;
  const state = { ready: false };
  const folder = path.resolve(options.folder);
  const own = mode === "demo" ? withoutServices(options.environment) : options.environment;
  const values = readEnv(own);
  requireDeployable(values);

  const claim = await claimFolder(folder, `http://localhost:${values.PORT}`);
  await shutdown.add(claim.release);
  if (options.fresh) await emptyFolder(folder);
  await requireFreePort(values.PORT, values.HOST, mode);
  if (mode !== "dev") await buildWhenStale(process.cwd(), print);

  const database = await openDatabase(values, folder, print);
  await shutdown.add(database.stop);
  const samples = mode === "demo" ? await startSamples(folder, options) : undefined;
  if (samples) await shutdown.add(samples.close);
  const engine = await openEngine(values, {
    appUrl: `http://${reachableHost(values.HOST)}:${values.PORT}`,
    secrets: () => keptSecrets(folder),
    embeddedOnly: mode === "demo",
    log: (line) => state.ready && !shutdown.begun && options.output?.(line),
  });
  await shutdown.add(engine.close);
  if (database.embedded && engine.kind === "embedded") await releaseLostWork(database.url);

  const environment = {
    ...own,
    ...(values.deployed ? {} : missingSecrets(values, keptSecrets(folder))),
    ...engine.environment,
    ...(samples ? sampleEnvironment(samples) : {}),
    ...options.services,
    DATABASE_URL: database.url,
  };
  return runApp(options, shutdown, { state, values, claim, database, engine, samples, environment });
}

type Parts = {
  /** Before the app is ready its lines are only noise, unless it fails, which shows them. */
  state: { ready: boolean };
  values: Env;
  claim: Claim;
  database: Database;
  engine: Engine;
  samples: Samples | undefined;
  environment: NodeJS.ProcessEnv;
};

async function runApp(options: StackOptions, shutdown: Shutdown, parts: Parts): Promise<Stack> {
  const { state, values, claim, database, engine, samples, environment } = parts;
  const app = startApp({
    command: options.mode === "dev" ? "dev" : "start",
    host: values.HOST,
    port: values.PORT,
    environment,
    onLine: (line) => (state.ready || options.mode === "dev") && options.output?.(line),
  });
  claim.remember(app.pid);
  await shutdown.add(app.stop);
  const [account] = await step(options.print, "The app", () =>
    Promise.all([samples && seedAccount(samples, environment), readyApp(app, values, engine)]),
  );
  state.ready = true;
  return {
    url: `http://localhost:${values.PORT}`,
    environment,
    databaseUrl: database.url,
    samples,
    account,
    appPid: app.pid,
    appEnded: app.ended,
  };
}

async function readyApp(app: Child, values: Env, engine: Engine): Promise<void> {
  await untilReady(app, values.HOST, values.PORT);
  await engine.announce(`http://${reachableHost(values.HOST)}:${values.PORT}`);
}

/**
 * The demo stands alone: it never touches the database, the provider or the engine that .env names. Blank rather than
 * absent, because Next.js reads .env again for what is absent.
 */
function withoutServices(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const service =
    /^(APP_URL|DATABASE_URL|DIRECT_DATABASE_URL|AUTH_SECRET|ENCRYPTION_KEYS|SMTP_URL|MAIL_FROM|(VERCEL|INNGEST|OPENAI|GOOGLE|FIREBASE).*)$/;
  const named = Object.keys(environment).filter((name) => service.test(name));
  return { ...environment, ...Object.fromEntries(named.map((name) => [name, ""])) };
}

function missingSecrets(values: Env, kept: Secrets): Record<string, string> {
  return {
    AUTH_SECRET: values.AUTH_SECRET ?? kept.AUTH_SECRET,
    ENCRYPTION_KEYS: values.ENCRYPTION_KEYS ?? kept.ENCRYPTION_KEYS,
  };
}
