import { Inngest } from "inngest";
import { serve } from "inngest/next";
import { NextRequest } from "next/server";
import type { AppFetch } from "@/inngest/local-server/app-client";
import { createEngine, type EngineOptions } from "@/inngest/local-server/engine";

type Options = Parameters<Inngest["createFunction"]>[0];
type Seen = { name: string; data: Record<string, unknown>; minute: number };

/**
 * An engine in front of one function, without HTTP: it calls the route handlers directly. With a custom clock it does
 * not sign, because the SDK uses the real one.
 */
export function createOffline(
  engineOptions: Partial<EngineOptions>,
  options: Partial<Record<keyof Options, unknown>> = {},
  work: (event: Seen) => void | Promise<void> = () => {},
) {
  const signingKey = engineOptions.now ? undefined : `signkey-test-${"5e".repeat(32)}`;
  const app = { up: true };

  function handlers() {
    const inngest = new Inngest({
      id: "offline",
      isDev: !signingKey,
      signingKey,
      checkpointing: false,
      logger: SILENT,
    });
    const trigger = { triggers: [{ event: "go" }] };
    const fn = inngest.createFunction({ id: "fn", ...trigger, ...options } as Options, async ({ event }) => {
      await work({ name: event.name, data: event.data, minute: Math.floor(Number(event.ts) / 60_000) % 1440 });
    });
    return serve({ client: inngest, functions: [fn] });
  }

  let served = handlers();
  const fetch: AppFetch = async (url, request) => {
    if (!app.up) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    if (request.method === "PUT") served = handlers();
    return served[request.method](new NextRequest(url, request), undefined);
  };
  const all = { appUrl: "http://app.test/api/inngest", fetch, backoff: () => 5, signingKey, ...engineOptions };
  return { app, all, engine: createEngine(all) };
}

const SILENT = { info() {}, warn() {}, error() {}, debug() {} };
