import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { ENGINE_TIMEOUT_MS, inngest } from "@/lib/events/client";
import { whileAway } from "@/lib/limits/place";

/** An engine's REST API; Inngest Cloud, self-hosted servers and the embedded engine have the same. */
export type EngineApi = {
  url: string;
  signingKey?: string | undefined;
  /** The branch environment at Inngest Cloud. */
  environment?: string | undefined;
  fetch: (
    url: URL,
    init: { method: Method; headers: Record<string, string>; signal: AbortSignal },
  ) => Promise<Response>;
};

type Method = "GET" | "DELETE";

/** The engine does not answer for now. `cause`: nothing came from it that could be read; else it said itself that it is busy. */
export class EngineAway extends Error {
  override name = "EngineAway";
}

// Any other status, such as queued or scheduled, is a live run.
const status = z.enum(["Running", "Completed", "Failed", "Cancelled"]).catch("Running");
const run = z.object({ run_id: z.string(), status }).transform((data) => ({ runId: data.run_id, status: data.status }));
const oneRun = z.object({ data: run });
const manyRuns = z.object({ data: z.array(run).nullable() });

export type EngineRun = z.infer<typeof run>;

/** A run with its status; undefined if the engine does not know it. Throws EngineAway. */
export async function findRun(runId: string, api: EngineApi = ourEngine()): Promise<EngineRun | undefined> {
  const answer = await call(api, "GET", runPath(runId));
  return answer.isKnown ? oneRun.parse(answer.body).data : undefined;
}

/** The runs that an event started. `eventId` is the id that sending it returned, not our own. Throws EngineAway. */
export async function runsOfEvent(eventId: string, api: EngineApi = ourEngine()): Promise<EngineRun[]> {
  const answer = await call(api, "GET", `/v1/events/${encodeURIComponent(eventId)}/runs`);
  return answer.isKnown ? (manyRuns.parse(answer.body).data ?? []) : [];
}

/** Cancels a run; does nothing to one that the engine does not know. Throws EngineAway, or what the engine refuses. */
export async function cancelRun(runId: string, api: EngineApi = ourEngine()): Promise<void> {
  await call(api, "DELETE", runPath(runId));
}

function runPath(runId: string): string {
  return `/v1/runs/${encodeURIComponent(runId)}`;
}

/** The engine that the SDK's client sends to, with its signing key. */
function ourEngine(): EngineApi {
  return {
    url: inngest.apiBaseUrl,
    signingKey: inngest.mode === "dev" ? undefined : inngest.signingKey,
    environment: inngest.env ?? undefined,
    fetch,
  };
}

type Answer = { isKnown: true; body: unknown } | { isKnown: false };

async function call({ url, signingKey, environment, fetch }: EngineApi, method: Method, path: string): Promise<Answer> {
  const headers = {
    ...(signingKey ? { authorization: `Bearer ${hashOf(signingKey)}` } : {}),
    ...(environment ? { "x-inngest-env": environment } : {}),
  };
  const ask = async () => {
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      signal: AbortSignal.timeout(ENGINE_TIMEOUT_MS),
    });
    return { response, text: await response.text() };
  };
  const answered = await whileAway(ask).catch((cause: unknown) => {
    throw new EngineAway("The job engine does not answer.", { cause });
  });
  const { response, text } = answered;
  if (response.ok) return { isKnown: true, body: text ? parse(text) : undefined };
  if (isUnknown(response.status, text)) return { isKnown: false };
  const sentence = `The job engine answered ${method} ${path} with ${response.status}.`;
  throw response.status >= 500 || response.status === 429 ? new EngineAway(sentence) : new Error(sentence);
}

/** Inngest's own servers answer 500 to an unknown run, and 400 to an id in another format. */
function isUnknown(status: number, text: string): boolean {
  if (status === 404) return true;
  return (
    (status === 500 && /unable to load function run/i.test(text)) ||
    (status === 400 && /invalid (run|event) id/i.test(text))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EngineAway("The job engine's answer is not JSON.", { cause });
  }
}

/** Hashes as the SDK does: it keeps the prefix and hashes the key's bytes. */
function hashOf(signingKey: string): string {
  const prefix = /^signkey-\w+-/.exec(signingKey)?.[0] ?? "";
  const key = Buffer.from(signingKey.slice(prefix.length), "hex");
  return prefix + createHash("sha256").update(key).digest("hex");
}
