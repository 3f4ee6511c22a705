import "server-only";
import { createHmac } from "node:crypto";
import { z } from "zod";
import { type Env, reachableHost } from "@/lib/env";
import { inngest } from "@/lib/events/client";
import { noteEngineAway, noteEngineBack, readPresence } from "@/lib/events/presence";
import { log } from "@/lib/log";

export type RegistrationOptions = {
  /** The app's Inngest endpoint, as this process reaches itself. */
  url: string;
  /** The app proves with it that it is asked by itself; an app in dev mode needs none. */
  signingKey: string | undefined;
  /** Inngest Cloud remembers an app; other engines may begin empty, so that they are asked again and again. */
  engine: "remembers" | "may forget";
  /** What waits is sent: the engine is back, or it had lost the app. Called again until it succeeds. */
  onEngineBack: () => Promise<unknown>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  clock?: { now: () => number; pause: (ms: number) => Promise<void> };
};

/** `not ready`: this app itself does not answer yet. `refused`: the engine is there and says no. `isNew`: it did not know the app. */
type Outcome =
  | { kind: "not ready" }
  | { kind: "away" }
  | { kind: "refused"; why: string; isNew: false }
  | { kind: "known"; isNew: boolean };

const STILL_KNOWN: Outcome = { kind: "known", isNew: false };

const ASK_EVERY_MS = 10_000;
/** More often while it is away: what waits goes out within ten seconds of its return. */
const AWAY_EVERY_MS = 5_000;
const NOT_READY_EVERY_MS = 500;
/** Looks at an app that is not ready; two minutes, as the launcher waits. */
const PATIENCE = 240;
const TIMEOUT_MS = 4_000;

const registered = z.object({ message: z.string().optional(), modified: z.boolean().optional() });

/** Keeps this app known to its engine until the process is asked to end. An app without a key to prove itself has none. */
export function keepRegistered(values: Env, onEngineBack: () => Promise<unknown>): void {
  if (inngest.mode === "cloud" && !inngest.signingKey) return;
  const { stop } = startRegistration({
    url: `http://${reachableHost(values.HOST)}:${values.PORT}/api/inngest`,
    signingKey: inngest.mode === "dev" ? undefined : inngest.signingKey,
    engine: new URL(inngest.apiBaseUrl).hostname === "api.inngest.com" ? "remembers" : "may forget",
    onEngineBack,
  });
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stop);
}

/** Registers the app at once and keeps asking, until `stop`. What waits is sent when the engine is first found, too. */
export function startRegistration(options: RegistrationOptions): { stop: () => void } {
  const { engine, onEngineBack, clock = systemClock } = options;
  let isStopped = false;
  let isKnown = false;
  let isOwed = true;
  let lastBack: number | undefined;
  let lastRefusal = "";
  let missed = 0;

  async function look(): Promise<Outcome["kind"]> {
    const isQuiet = engine === "remembers" && isKnown && !(await readPresence()).awaySince;
    const outcome = isQuiet ? STILL_KNOWN : await askOwnDoor(options, clock.now());
    say(outcome);
    if (outcome.kind === "away") await noteEngineAway();
    if (outcome.kind === "away" || outcome.kind === "not ready") return outcome.kind;
    if (outcome.kind === "known") isKnown = true;
    if (!isQuiet) await noteEngineBack();
    // Whichever process or request ended an absence: each process that stands sees here that there was one.
    const back = (await readPresence()).backAt?.getTime();
    isOwed ||= outcome.isNew || back !== lastBack;
    lastBack = back;
    if (isOwed) await onEngineBack();
    isOwed = false;
    return outcome.kind;
  }

  function say(outcome: Outcome): void {
    missed = outcome.kind === "not ready" ? missed + 1 : 0;
    if (missed === PATIENCE)
      log.warn({ url: options.url }, "this app does not reach itself, so that it cannot register");
    const refusal = outcome.kind === "refused" ? outcome.why : "";
    if (refusal && refusal !== lastRefusal) log.warn({ why: refusal }, "the job engine refuses to register this app");
    lastRefusal = refusal;
  }

  async function keepLooking(): Promise<void> {
    while (!isStopped) {
      const kind = await look().catch((error: unknown) => {
        log.warn({ err: error }, "the job engine could not be looked after; the next look tries again");
        return "away" as const;
      });
      const pause = kind === "away" ? AWAY_EVERY_MS : ASK_EVERY_MS;
      if (!isStopped) await clock.pause(kind === "not ready" && missed < PATIENCE ? NOT_READY_EVERY_MS : pause);
    }
  }

  void keepLooking();
  return {
    stop: () => {
      isStopped = true;
    },
  };
}

/** The SDK behind our own endpoint registers the functions that it serves, under the address that the engine calls. */
async function askOwnDoor({ url, signingKey, fetch: ask = fetch }: RegistrationOptions, now: number): Promise<Outcome> {
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
    // The app was reached and waits for an engine that does not answer.
    return { kind: isTimeout(error) ? "away" : "not ready" };
  }
  if (!answer.isOurs) return { kind: "not ready" };
  const { message = "", modified = false } = registered.safeParse(parse(answer.text)).data ?? {};
  if (answer.status === 200) return { kind: "known", isNew: modified };
  return answer.status >= 500
    ? { kind: "away" }
    : { kind: "refused", why: `${answer.status} ${message}`.trim(), isNew: false };
}

/** A DOMException, which is not an Error everywhere. */
function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === "TimeoutError";
}

/** As engines sign: an HMAC of the body and the time. Our body is one key, so that its canonical form is itself. */
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
  /** Does not keep the process from ending. */
  pause: (ms: number) =>
    new Promise<void>((resolve) => {
      setTimeout(resolve, ms).unref();
    }),
};
