import "server-only";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { type Env, reachableHost } from "@/lib/env";
import { inngest } from "@/lib/events/client";
import { markEngineAway, markEngineBack, readPresence } from "@/lib/events/presence";
import { log } from "@/lib/log";

export type RegistrationOptions = {
  /** The app's Inngest endpoint, as this process reaches itself. */
  url: string;
  /** Signs the request to our own endpoint; an app in dev mode needs none. */
  signingKey: string | undefined;
  /** Inngest Cloud remembers an app; other engines may restart empty, so the app keeps registering. */
  engine: "remembers" | "may forget";
  /**
   * Sends waiting work once the engine is back or knows the app again; `hasForgotten`: it no longer knew the app, and may have lost more. It is
   * retried until it succeeds.
   */
  onEngineBack: (engine: { hasForgotten: boolean }) => Promise<unknown>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  clock?: { now: () => number; pause: (ms: number) => Promise<void> };
};

/** `not ready`: this app does not answer yet. `refused`: by the engine. `isNew`: the engine did not know the app. */
type RegistrationOutcome =
  | { kind: "not ready" }
  | { kind: "away" }
  | { kind: "refused"; why: string; isNew: false }
  | { kind: "known"; isNew: boolean };

const STILL_KNOWN: RegistrationOutcome = { kind: "known", isNew: false };

const ASK_EVERY_MS = 10_000;
/** We ask more often while the engine is away, so that waiting work is sent within ten seconds of its return. */
const AWAY_EVERY_MS = 5_000;
const NOT_READY_EVERY_MS = 500;
/** Attempts before a warning: two minutes, as long as the launcher waits. */
const MAX_NOT_READY = 240;
const TIMEOUT_MS = 4_000;

const registered = z.object({ message: z.string().optional(), modified: z.boolean().optional() });

/** Keeps this app registered until the process ends. Does nothing in cloud mode without a signing key. */
export function keepRegistered(values: Env, onEngineBack: RegistrationOptions["onEngineBack"]): void {
  if (inngest.mode === "cloud" && !inngest.signingKey) return;
  const { stop } = startRegistration({
    url: `http://${reachableHost(values.HOST)}:${values.PORT}/api/inngest`,
    signingKey: inngest.mode === "dev" ? undefined : inngest.signingKey,
    engine: new URL(inngest.apiBaseUrl).hostname === "api.inngest.com" ? "remembers" : "may forget",
    onEngineBack,
  });
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stop);
}

/** Registers the app at once and then regularly, until `stop`. Waiting work is also sent when the engine is first found. */
export function startRegistration(options: RegistrationOptions): { stop: () => void } {
  const { engine, onEngineBack, clock = systemClock } = options;
  let isStopped = false;
  let isKnown = false;
  let isWorkWaiting = true;
  let hasForgotten = false;
  let lastBack: number | undefined;
  let lastRefusal = "";
  let notReadyCount = 0;

  async function register(): Promise<RegistrationOutcome["kind"]> {
    const isQuiet = engine === "remembers" && isKnown && !(await readPresence()).awaySince;
    const outcome = isQuiet ? STILL_KNOWN : await callOwnEndpoint(options, clock.now());
    report(outcome);
    if (outcome.kind === "away") await markEngineAway();
    if (outcome.kind === "away" || outcome.kind === "not ready") return outcome.kind;
    const wasKnown = isKnown;
    if (outcome.kind === "known") isKnown = true;
    if (!isQuiet) await markEngineBack();
    // Another process or request may have noticed the engine's return first.
    const back = (await readPresence()).backAt?.getTime();
    // At the start of a process its functions may be new to an engine that has lost nothing.
    hasForgotten ||= outcome.kind === "known" && outcome.isNew && wasKnown;
    isWorkWaiting ||= hasForgotten || back !== lastBack;
    lastBack = back;
    if (isWorkWaiting) await onEngineBack({ hasForgotten });
    isWorkWaiting = false;
    hasForgotten = false;
    return outcome.kind;
  }

  function report(outcome: RegistrationOutcome): void {
    notReadyCount = outcome.kind === "not ready" ? notReadyCount + 1 : 0;
    if (notReadyCount === MAX_NOT_READY)
      log.warn({ url: options.url }, "this app does not reach itself, so that it cannot register");
    const refusal = outcome.kind === "refused" ? outcome.why : "";
    if (refusal && refusal !== lastRefusal) log.warn({ why: refusal }, "the job engine refuses to register this app");
    lastRefusal = refusal;
  }

  async function loop(): Promise<void> {
    while (!isStopped) {
      const kind = await register().catch((error: unknown) => {
        log.warn({ err: error }, "the app could not be registered with the job engine; trying again");
        return "away" as const;
      });
      const pause = kind === "away" ? AWAY_EVERY_MS : ASK_EVERY_MS;
      if (!isStopped)
        await clock.pause(kind === "not ready" && notReadyCount < MAX_NOT_READY ? NOT_READY_EVERY_MS : pause);
    }
  }

  void loop();
  return {
    stop: () => {
      isStopped = true;
    },
  };
}

/** The SDK behind our own endpoint registers its functions at the address that the engine calls. */
async function callOwnEndpoint(
  { url, signingKey, fetch: ask = fetch }: RegistrationOptions,
  now: number,
): Promise<RegistrationOutcome> {
  const body = JSON.stringify({ url });
  const headers = {
    "content-type": "application/json",
    ...(signingKey ? { "x-inngest-signature": signatureOf(body, signingKey, now) } : {}),
  };
  let answer: { status: number; isOurs: boolean; text: string };
  try {
    const response = await ask(url, { method: "PUT", headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    answer = { status: response.status, isOurs: response.headers.has("x-inngest-sdk"), text: await response.text() };
  } catch (error) {
    // On a timeout, the app was reached but the engine did not answer it.
    return { kind: isTimeout(error) ? "away" : "not ready" };
  }
  if (!answer.isOurs) return { kind: "not ready" };
  const { message = "", modified = false } = registered.safeParse(parse(answer.text)).data ?? {};
  if (answer.status === 200) return { kind: "known", isNew: modified };
  return answer.status >= 500
    ? { kind: "away" }
    : { kind: "refused", why: `${answer.status} ${message}`.trim(), isNew: false };
}

/** Checks the name: a DOMException is not an Error everywhere. */
function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === "TimeoutError";
}

/** Inngest's signature: an HMAC of body and time. A body of one key is its own canonical form. */
function signatureOf(body: string, signingKey: string, now: number): string {
  const seconds = String(Math.round(now / 1000));
  const key = signingKey.replace(/^signkey-\w+-/, "");
  return `t=${seconds}&s=${createHmac("sha256", key)
    .update(body + seconds)
    .digest("hex")}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const systemClock = {
  now: Date.now,
  /** Does not keep the process alive. */
  pause: (ms: number) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, ms).unref();
    }),
};
