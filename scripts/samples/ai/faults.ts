import type { ReplayName } from "@/scripts/samples/ai/replays";

/** Ways the sample provider can fail, or answer as another provider would. */
export type Fault =
  /** Answers in the bytes of another provider, `cut` at a time and `pauseMs` apart. */
  | { kind: "replay"; name: ReplayName; cut?: number; pauseMs?: number }
  /** Refuses in the words of another provider. */
  | { kind: "refusal"; status: number; body: unknown; headers?: Record<string, string> }
  | { kind: "rate-limit"; retryAfter?: string; retryAfterMs?: string }
  /** Refuses a request that is larger than this many tokens, its own token limit included, as Groq does. */
  | { kind: "token-limit"; tokens: number }
  /** Responds once this promise resolves, for tests of what happens during a call. */
  | { kind: "held"; until: Promise<unknown>; next?: PlainFault }
  /** Takes its time until the first byte, thinks, and writes word by word. */
  | { kind: "slow"; firstMs?: number; thoughts?: number; thoughtMs?: number; wordMs?: number }
  | { kind: PlainFault };

type PlainFault =
  | "no-quota"
  | "server-error"
  | "unauthorized"
  /** 403 without a reason that is known. */
  | "denied"
  /** 403 because the prompt was flagged, as OpenRouter answers. */
  | "moderated"
  /** Never responds. */
  | "hang"
  /** Sends one byte at a time and never finishes. */
  | "drip"
  /** 200 with application/json, but not JSON. */
  | "garbage"
  /** Closes the connection halfway through the response. */
  | "truncated"
  /** Ends the stream cleanly, but too early. */
  | "ended-early"
  | "empty"
  /** Valid JSON of another shape. */
  | "wrong-json"
  /** finish_reason "length". */
  | "cut-short"
  /** The right JSON in a code fence surrounded by prose. */
  | "chatty"
  /** A proxy's HTML page with status 200. */
  | "html"
  /** Status 200 with an error in the body. */
  | "error-inside"
  /** Refused by the provider's content filter. */
  | "filtered"
  /** Echoes key and prompt in its error, like careless proxies. */
  | "telltale";

export type FaultName = Fault["kind"];

export type Refusable =
  | "response_format"
  | "temperature"
  | "max_tokens"
  | "max_completion_tokens"
  | "stream_options"
  | "stream"
  | "reasoning_effort"
  | "tools";

export type Script = FaultName | Fault | null;

/** Scripted faults. `next` takes precedence over `matching`, and that over `mode`; null responds normally. */
export class Faults {
  /** Fault of every request without a scripted one, which may depend on the time. */
  mode: Script | (() => Script) = null;
  /** Parameters refused with a 400, as by models that do not support them. */
  readonly refuses = new Set<Refusable>();
  /** Refuses in prose, like providers that set neither `param` nor `code`. */
  wordyRefusals = false;
  /** Refuses a call without a token limit. */
  needsTokenLimit = false;
  #queue: Script[] = [];
  #rules: { text: string; fault: Script; left: number }[] = [];

  /** Scripts the next requests, one fault each. */
  next(faults: Script[]): void {
    this.#queue.push(...faults);
  }

  /** Scripts requests whose prompt contains this text, at most `times` of them. */
  matching(text: string, fault: Script, times = Number.POSITIVE_INFINITY): void {
    this.#rules.push({ text, fault, left: times });
  }

  clear(): void {
    this.mode = null;
    this.refuses.clear();
    this.wordyRefusals = false;
    this.needsTokenLimit = false;
    this.#queue = [];
    this.#rules = [];
  }

  /** Takes the fault for this request off the script. */
  take(prompt: string): Fault | null {
    if (this.#queue.length > 0) return asFault(this.#queue.shift() ?? null);
    const rule = this.#rules.find(({ text, left }) => left > 0 && prompt.includes(text));
    if (!rule) return asFault(typeof this.mode === "function" ? this.mode() : this.mode);
    rule.left--;
    return asFault(rule.fault);
  }
}

export function asFault(script: Script): Fault | null {
  return typeof script === "string" ? ({ kind: script } as Fault) : script;
}
