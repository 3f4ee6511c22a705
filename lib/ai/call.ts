import "server-only";
import { APIError, APIUserAbortError } from "openai";
import { Agent, type RequestInit as UndiciInit, fetch as undiciFetch } from "undici";
import { namedFailure } from "@/lib/ai/answer";
import { AnswerTooLarge, classifyFailure } from "@/lib/ai/failures";
import { keepErrorBody } from "@/lib/ai/refusal-body";
import { aiTimes, type CallTimes } from "@/lib/ai/times";
import { AppError } from "@/lib/errors";
import { startAiSpan } from "@/lib/telemetry/meters";

/** One call of a provider: its time limits, what came over the wire, and its failure in our words. */
export type Call = ReturnType<typeof startCall>;

/**
 * Begins the time of a call. While an answer streams, any byte is a sign of life, a comment line's too; without streaming only
 * the whole call is limited. When `outer` aborts, the failure is its reason, or AI_TIMEOUT for a time-out signal.
 */
export function startCall(outer: AbortSignal | undefined, times: CallTimes, model: string) {
  const started = performance.now();
  const span = startAiSpan(model);
  const own = new AbortController();
  const timeOut = () => own.abort(new AppError("AI_TIMEOUT"));
  const whole = setTimeout(timeOut, times.callMs).unref();
  let quiet: NodeJS.Timeout | undefined;
  let firstByteBy: number | null = null;
  let isDone = false;

  function expectBy(time: number): void {
    clearTimeout(quiet);
    quiet = setTimeout(timeOut, time - performance.now()).unref();
  }

  function typed(error: unknown, secret: string): unknown {
    if (own.signal.aborted) return own.signal.reason;
    if (outer?.aborted) return outer.reason?.name === "TimeoutError" ? new AppError("AI_TIMEOUT") : outer.reason;
    if (error instanceof APIError && error.status === undefined && error.error)
      return classifyFailure(namedFailure(error.error, error.headers), secret);
    return classifyFailure(error instanceof APIUserAbortError ? undefined : error, secret);
  }

  return {
    signal: outer ? AbortSignal.any([outer, own.signal]) : own.signal,
    span,
    elapsed: () => Math.round(performance.now() - started),
    onSend(isStreaming: boolean): void {
      clearTimeout(quiet);
      firstByteBy = isStreaming ? performance.now() + times.firstByteMs : null;
      if (firstByteBy !== null) expectBy(firstByteBy);
    },
    onHeaders(isStreaming: boolean): void {
      if (!isStreaming) clearTimeout(quiet);
      if (!isStreaming) firstByteBy = null;
      // Some send the headers at once and their first word when it is thought of.
      if (firstByteBy !== null) expectBy(Math.max(firstByteBy, performance.now() + times.silenceMs));
    },
    onBytes(): void {
      if (firstByteBy !== null) expectBy(performance.now() + times.silenceMs);
    },
    /** Has the stream said that it is complete? The client keeps this to itself. */
    isDone: () => isDone,
    onDone(): void {
      isDone = true;
    },
    end(): void {
      clearTimeout(whole);
      clearTimeout(quiet);
      span.end();
      own.abort();
    },
    classify(error: unknown, secret: string): unknown {
      const classified = typed(error, secret);
      span.failed(classified);
      return classified;
    },
  };
}

/** Protects our memory from a broken provider. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A fetch whose answers tell the call what arrives, and end at the largest that any answer could be. */
export function watchedFetch(call: Call, fetchWith: typeof fetch = patientFetch): typeof fetch {
  return async (input, init) => {
    const response = await keepErrorBody(await fetchWith(input, init));
    call.onHeaders(!isJson(response));
    if (!response.body) return response;
    const findDone = doneFinder();
    let bytes = 0;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        call.onBytes();
        bytes += chunk.byteLength;
        if (findDone(chunk)) call.onDone();
        if (bytes > MAX_BYTES) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(watch), response);
  };
}

/** A provider that ignores `stream` answers with the whole. */
export function isJson(response: Response): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
}

/** Finds the line `data: [DONE]` in bytes that are cut anywhere. */
function doneFinder(): (chunk: Uint8Array) => boolean {
  let tail = "\n";
  return (chunk) => {
    const recent = tail + Buffer.from(chunk).toString("latin1");
    tail = recent.slice(-"\ndata: [DONE]".length);
    return /[\r\n]data: ?\[DONE\]/.test(recent);
  };
}

/** Node's own fetch gives up after 300 seconds without a byte. */
const patientFetch: typeof fetch = (input, init) =>
  undiciFetch(input as string, { ...(init as UndiciInit), dispatcher: patientAgent() }) as unknown as Promise<Response>;

let agent: Agent | undefined;

function patientAgent(): Agent {
  const { callMs } = aiTimes();
  agent ??= new Agent({ headersTimeout: callMs, bodyTimeout: callMs });
  return agent;
}
