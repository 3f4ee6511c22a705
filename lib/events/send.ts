import "server-only";
import { inngest } from "@/lib/events/client";
import { markEngineAway, markEngineBack } from "@/lib/events/presence";
import { whileAway } from "@/lib/limits/place";
import { log } from "@/lib/log";

/** `ids` find the events' runs (lib/events/engine.ts). `endedAbsence`: the engine had been away, so work may be waiting. */
export type Sent = { ids: string[]; endedAbsence: boolean };

/** Sends events to the engine, and notes whether it is there. Throws what the SDK throws when they were not taken. */
export async function sendEvents(events: Parameters<typeof inngest.send>[0]): Promise<Sent> {
  const { ids } = await whileAway(() => inngest.send(events)).catch(async (error: unknown) => {
    if (!isRefusal(error)) await markEngineAway().catch(logPresenceFailure);
    throw error;
  });
  return { ids, endedAbsence: (await markEngineBack().catch(logPresenceFailure)) ?? false };
}

/** The engine is there and does not take these events: a wrong key, an event too large. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^Inngest API Error: 4(?!29)\d\d\b/.test(error.message);
}

/** What the engine has taken, it has taken, whether we can write that down or not. */
function logPresenceFailure(error: unknown): undefined {
  log.warn({ err: error }, "whether the engine is there could not be noted");
}
