import { exec } from "node:child_process";
import { promisify } from "node:util";
import { freePort } from "@/scripts/ports";
import { startStackProcess } from "@/tests/support/stack-process";

export type TestedEngine = {
  url: string;
  /** None: a dev server, which signs nothing. */
  keys: { signingKey: string; eventKey: string } | undefined;
  /** Kills the server and starts it again; undefined if nobody said how. */
  restart: (() => Promise<void>) | undefined;
  close(): Promise<void>;
};

/**
 * The server that `npm run test:inngest` was told of (scripts/test-inngest.ts), or the embedded engine in a process of its own.
 * `appUrl` is the app's endpoint.
 */
export async function testedEngine(appUrl: string): Promise<TestedEngine> {
  const { INNGEST_CONTRACT_URL: url, INNGEST_CONTRACT_RESTART: command } = process.env;
  const { INNGEST_CONTRACT_SIGNING_KEY: signingKey, INNGEST_CONTRACT_EVENT_KEY: eventKey = "" } = process.env;
  if (!url) return embeddedEngine(appUrl);
  const restart = async () => {
    await promisify(exec)(command ?? "");
    await untilAnswers(url);
  };
  return {
    url,
    keys: signingKey ? { signingKey, eventKey } : undefined,
    restart: command ? restart : undefined,
    close: async () => undefined,
  };
}

async function embeddedEngine(appUrl: string): Promise<TestedEngine> {
  const keys = { signingKey: `signkey-test-${"7a".repeat(32)}`, eventKey: "tested-event-key" };
  const port = String(await freePort());
  const env = { ...process.env, INNGEST_SIGNING_KEY: keys.signingKey, INNGEST_EVENT_KEY: keys.eventKey };
  const start = () => startStackProcess<{ url: string }>("run-engine.ts", [port, appUrl], env);
  let running = await start();
  return {
    url: running.url,
    keys,
    restart: async () => {
      await running.kill();
      running = await start();
    },
    close: () => running.kill(),
  };
}

async function untilAnswers(url: string): Promise<void> {
  for (
    const until = Date.now() + 60_000;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 200))
  ) {
    if (
      await fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  }
  throw new Error("The Inngest server did not come back within a minute.");
}
