import "server-only";
import { ENGINE_TIMEOUT_MS, inngest } from "@/lib/events/client";
import { noteEngineAway, noteEngineBack } from "@/lib/events/presence";
import { whileAway } from "@/lib/limits/place";
import { answerWithin } from "@/lib/utils/answer-within";

/** `endedAbsence`: the engine had been away, so work may be waiting. */
export type Sent = { endedAbsence: boolean };

/**
 * Sends events to the engine, and notes whether it is there. Throws when it hangs
 * or does not take them.
 */
export async function sendEvents(
  events: Parameters<typeof inngest.send>[0],
  timeoutMs = ENGINE_TIMEOUT_MS,
): Promise<Sent> {
  await whileAway(() => sendInTime(events, timeoutMs)).catch(async (error: unknown) => {
    if (!isRefusal(error)) await noteEngineAway();
    throw error;
  });
  return { endedAbsence: await noteEngineBack() };
}

/** An event that the engine takes later after all does no harm: all work can be sent twice. */
async function sendInTime(events: Parameters<typeof inngest.send>[0], timeoutMs: number) {
  const sent = await answerWithin(timeoutMs, inngest.send(events), null);
  if (sent === null) throw new Error("The job engine did not take the events in time.");
  return sent;
}

/** The engine is there and does not take these events: a wrong key, an event too large. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^Inngest API Error: 4(?!29)\d\d\b/.test(error.message);
}
