import { type Env, env } from "@/lib/env";

/** How long a provider may take, in milliseconds; everything that waits for one derives its own limits from these. */
export type CallTimes = {
  /** Until the first byte, which may be a comment line's. */
  firstByteMs: number;
  /** Between two bytes after the first. */
  silenceMs: number;
  /** The whole call; the only limit of one that does not stream. */
  callMs: number;
};

export type AiTimes = CallTimes & {
  /** The whole request of a text that is written while its user waits; null: as long as it takes. */
  requestMs: number | null;
  /** How late a second call may begin in a request, so that it can end there. */
  secondCallMs: number;
};

/** Vercel ends a function after 300 seconds, and what there is must be saved before. */
const VERCEL_CALL_SECONDS = 240;
const VERCEL_REQUEST_MS = 285_000;
const VERCEL_SECOND_CALL_MS = VERCEL_REQUEST_MS - 1000 * VERCEL_CALL_SECONDS;

export function aiTimes(
  values: Pick<Env, "AI_FIRST_BYTE_SECONDS" | "AI_SILENCE_SECONDS" | "AI_CALL_SECONDS" | "VERCEL"> = env,
): AiTimes {
  const call = values.VERCEL === "1" ? Math.min(values.AI_CALL_SECONDS, VERCEL_CALL_SECONDS) : values.AI_CALL_SECONDS;
  return {
    firstByteMs: 1000 * Math.min(values.AI_FIRST_BYTE_SECONDS, call),
    silenceMs: 1000 * Math.min(values.AI_SILENCE_SECONDS, call),
    callMs: 1000 * call,
    requestMs: values.VERCEL === "1" ? VERCEL_REQUEST_MS : null,
    secondCallMs: values.VERCEL === "1" ? VERCEL_SECOND_CALL_MS : Number.POSITIVE_INFINITY,
  };
}
