import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { inngest } from "@/lib/events/client";

/** Where an engine's REST API is; Inngest Cloud's, a server's of one's own and the embedded one's are alike. */
export type EngineApi = {
  url: string;
  signingKey?: string | undefined;
  /** The branch environment at Inngest Cloud. */
  environment?: string | undefined;
  fetch: (
    url: URL,
    init: { method: string; headers: Record<string, string>; signal: AbortSignal },
  ) => Promise<Response>;
};

/** The engine does not answer, or not now: ask again later. */
export class EngineAway extends Error {
  override name = "EngineAway";
}

const TIMEOUT_MS = 3_000;

// What is not one of these ends is alive: queued, scheduled, whatever a later version calls it.
const status = z.enum(["Running", "Completed", "Failed", "Cancelled"]).catch("Running");
const run = z.object({ run_id: z.string(), status }).transform((data) => ({ runId: data.run_id, status: data.status }));
const oneRun = z.object({ data: run });
const manyRuns = z.object({ data: z.array(run).nullable() });

export type EngineRun = z.infer<typeof run>;

/** How a run is, or undefined when the engine does not know it. Throws EngineAway. */
export async function findRun(runId: string, api: EngineApi = ourEngine()): Promise<EngineRun | undefined> {
  const answer = await ask(api, "GET", `/v1/runs/${encodeURIComponent(runId)}`);
  return answer.isKnown ? oneRun.parse(answer.body).data : undefined;
}

/** The runs that an event started. `eventId` is what sending it answered; the id we gave it is another. Throws EngineAway. */
export async function runsOfEvent(eventId: string, api: EngineApi = ourEngine()): Promise<EngineRun[]> {
  const answer = await ask(api, "GET", `/v1/events/${encodeURIComponent(eventId)}/runs`);
  return answer.isKnown ? (manyRuns.parse(answer.body).data ?? []) : [];
}

/** Cancels a run; one that has ended or is not known stays as it is. Throws EngineAway. */
export async function cancelRun(runId: string, api: EngineApi = ourEngine()): Promise<void> {
  try {
    await ask(api, "DELETE", `/v1/runs/${encodeURIComponent(runId)}`);
  } catch (error) {
    // Servers refuse to cancel what has ended, each in its own way.
    const found = await findRun(runId, api);
    if (found?.status === "Running") throw error;
  }
}

/** The engine that the SDK's client sends to, with the key that it proves itself with. */
function ourEngine(): EngineApi {
  return {
    url: inngest.apiBaseUrl,
    signingKey: inngest.mode === "dev" ? undefined : inngest.signingKey,
    environment: inngest.env ?? undefined,
    fetch,
  };
}

type Answer = { isKnown: true; body: unknown } | { isKnown: false };

async function ask({ url, signingKey, environment, fetch }: EngineApi, method: string, path: string): Promise<Answer> {
  const headers = {
    ...(signingKey ? { authorization: `Bearer ${hashOf(signingKey)}` } : {}),
    ...(environment ? { "x-inngest-env": environment } : {}),
  };
  const answered = await fetch(new URL(path, url), { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then(async (response) => ({ response, text: await response.text() }))
    .catch((cause: unknown) => {
      throw new EngineAway("The job engine does not answer.", { cause });
    });
  const { response, text } = answered;
  if (response.ok) return { isKnown: true, body: text ? parse(text) : undefined };
  if (isUnknown(response.status, text)) return { isKnown: false };
  const sentence = `The job engine answered ${method} ${path} with ${response.status}.`;
  throw response.status >= 500 || response.status === 429 ? new EngineAway(sentence) : new Error(sentence);
}

/** Inngest's own servers answer 500 to a run they do not have, and 400 to an id that is not of theirs. */
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

/** As the SDK sends it: the prefix stays, the key is hashed as the bytes that its hex stands for. */
function hashOf(signingKey: string): string {
  const prefix = /^signkey-\w+-/.exec(signingKey)?.[0] ?? "";
  const key = Buffer.from(signingKey.slice(prefix.length), "hex");
  return prefix + createHash("sha256").update(key).digest("hex");
}
