import path from "node:path";
import { type Env, reachableHost, readEnv, requireDeployable, startupWarnings } from "@/lib/env";
import { requireFreePort, startApp, waitUntilReady } from "@/scripts/app";
import { buildWhenStale } from "@/scripts/build";
import type { Child } from "@/scripts/child";
import { openDatabase, releaseLostWork } from "@/scripts/database";
import { connectEngine } from "@/scripts/engine";
import { clearFolder, lockFolder } from "@/scripts/folder-lock";
import { databaseLine, engineLine } from "@/scripts/found";
import { expireLeases } from "@/scripts/leases";
import { startWatchdog } from "@/scripts/postgres-watchdog";
import { pause } from "@/scripts/processes";
import { type Print, step } from "@/scripts/progress";
import { type Account, type Samples, sampleEnvironment, seedAccount, startSamples } from "@/scripts/samples/start";
import { loadSecrets, type Secrets } from "@/scripts/secrets";
import { appService, launchApp, postgresService } from "@/scripts/services";
import type { Shutdown } from "@/scripts/shutdown";
import { supervise } from "@/scripts/supervise";

export type StackOptions = {
  mode: "dev" | "start" | "demo";
  /** Where data, secrets and the note of the running process lie. */
  folder: string;
  /** Begins with an empty folder. */
  fresh?: boolean;
  /** Deletes the demo account first, and begins with a new one. */
  freshAccount?: boolean;
  /** What the user set; blank counts as unset. */
  environment: NodeJS.ProcessEnv;
  /** Given to the app besides what the user set, and in the demo, which takes no services from them. */
  services?: Record<string, string>;
  /** The command that starts the app; by default Next.js, built first if needed. */
  app?: string[];
  /** How long the sample AI provider takes over an answer. */
  latencyMs?: number;
  print: Print;
  /** Called with the app's own lines. */
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
  /** Settles with a sentence when a part ended too often to be started again. */
  gaveUp: Promise<Error>;
};

/**
 * Starts the whole product: database, engine, samples (demo), app. Settles when the app is ready. `shutdown.run()` ends
 * whatever it has started, even if it throws half way.
 */
export async function startStack(options: StackOptions, shutdown: Shutdown): Promise<Stack> {
  const { mode, print } = options;
  const state = { ready: false };
  const folder = path.resolve(options.folder);
  const own = mode === "demo" ? withoutServices(options.environment) : options.environment;
  const values = readEnv(own);
  requireDeployable(values);
  for (const warning of startupWarnings(values)) print(`Warning: ${warning}`);

  const lock = await lockFolder(folder, `http://localhost:${values.PORT}`, print);
  await shutdown.add(lock.release);
  if (options.fresh) await clearFolder(folder);
  await requireFreePort(values.PORT, values.HOST, mode);
  if (mode !== "dev" && !options.app) await buildWhenStale(process.cwd(), print);

  const supervision = { clock: { now: Date.now, pause }, print, isEnding: () => shutdown.begun };
  const database = await openDatabase(values, folder, print);
  print(databaseLine(database, folder));
  const server = database.embedded && supervise(postgresService(folder, database.url), database.embedded, supervision);
  await shutdown.add(server?.stop ?? database.stop);
  const watchdog = database.embedded && startWatchdog(database.embedded.cluster);
  if (lock.orphanBootId) await expireLeases(database.url, lock.orphanBootId, false);
  const samples = mode === "demo" ? await startSamples(folder, options) : undefined;
  if (samples) await shutdown.add(samples.close);
  const appUrl = `http://${reachableHost(values.HOST)}:${values.PORT}`;
  const engine = await connectEngine(values, {
    appUrl,
    secrets: () => loadSecrets(folder),
    embeddedOnly: mode === "demo",
    log: (line) => state.ready && !shutdown.begun && options.output?.(line),
  });
  await shutdown.add(engine.close);
  print(engineLine(engine, values));
  if (database.embedded && engine.kind === "embedded") await releaseLostWork(database.url);

  const environment = {
    ...own,
    ...(values.deployed ? {} : missingSecrets(values, loadSecrets(folder))),
    ...engine.environment,
    ...(samples ? sampleEnvironment(samples) : {}),
    ...options.services,
    DATABASE_URL: database.url,
    ...(database.embedded && { DIRECT_DATABASE_URL: database.directUrl }),
  };
  const part = {
    launch: (bootId: string) =>
      startApp({
        mode: mode === "dev" ? "dev" : "start",
        command: options.app,
        host: values.HOST,
        port: values.PORT,
        environment,
        bootId,
        keepsOpen: watchdog?.pipe,
        onLine: (line) => (state.ready || mode === "dev") && options.output?.(line),
      }),
    untilReady: (app: Child) => waitUntilReady(app, values.HOST, values.PORT),
    lock,
    databaseUrl: database.url,
    isEnding: supervision.isEnding,
  };
  if (options.freshAccount) {
    print("Deleting the demo account with all that is in it and its posts on the sample site. Other accounts stay.");
  }
  const first = launchApp(part);
  await shutdown.add(first.stop);
  const [account] = await step(print, "The app", () =>
    Promise.all([samples && seedAccount(samples, environment, { ...options, folder }), part.untilReady(first)]),
  );
  state.ready = true;
  const app = supervise(appService(part), first, supervision);
  await shutdown.add(app.stop);
  return {
    url: `http://localhost:${values.PORT}`,
    environment,
    databaseUrl: database.url,
    samples,
    account,
    appPid: first.pid,
    gaveUp: Promise.race([app.gaveUp, ...(server ? [server.gaveUp] : [])]),
  };
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
