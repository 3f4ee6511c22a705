/** The ways in which the sample provider can be told to fail. */
export type Fault =
  | { kind: "rate-limit"; retryAfter?: string; retryAfterMs?: string }
  /** Answers properly once this has come: for what happens while a call is under way. */
  | { kind: "held"; until: Promise<unknown> }
  | { kind: PlainFault };

type PlainFault =
  | "no-quota"
  | "server-error"
  | "unauthorized"
  /** Takes the request and never answers. */
  | "hang"
  /** Answers a byte at a time and never ends. */
  | "drip"
  /** 200 and application/json, but not JSON. */
  | "garbage"
  /** Closes the connection in the middle of the answer. */
  | "truncated"
  /** Ends the stream politely, but before its end. */
  | "ended-early"
  | "empty"
  /** Readable JSON of another shape. */
  | "wrong-json"
  /** finish_reason "length". */
  | "cut-short"
  /** The right JSON in a code fence with prose around it. */
  | "chatty"
  /** A proxy's page with status 200. */
  | "html"
  /** Status 200 with an error inside. */
  | "error-inside"
  /** The provider's filter refuses. */
  | "filtered"
  /** Echoes key and prompt in its error, as careless proxies do. */
  | "telltale";

export type FaultName = Fault["kind"];

export type Refusable = "response_format" | "temperature" | "max_tokens" | "max_completion_tokens" | "stream_options";

type Script = FaultName | Fault | null;

/** The script of faults. `next` goes before `matching`, `matching` before `mode`; null answers properly. */
export class Faults {
  /** For every request without a fault of its own. */
  mode: Script = null;
  /** Parameters refused with a 400, as models that do not know them do. */
  readonly refuses = new Set<Refusable>();
  /** Refuse in the words of providers that give no `param` and no `code`. */
  wordyRefusals = false;
  #queue: Script[] = [];
  #rules: { text: string; fault: Script; left: number }[] = [];

  /** For the coming requests, one each. */
  next(faults: Script[]): void {
    this.#queue.push(...faults);
  }

  /** For requests whose prompt contains this text, `times` of them. */
  matching(text: string, fault: Script, times = Number.POSITIVE_INFINITY): void {
    this.#rules.push({ text, fault, left: times });
  }

  clear(): void {
    this.mode = null;
    this.refuses.clear();
    this.wordyRefusals = false;
    this.#queue = [];
    this.#rules = [];
  }

  /** The fault for this request; used up by asking. */
  take(prompt: string): Fault | null {
    if (this.#queue.length > 0) return asFault(this.#queue.shift() ?? null);
    const rule = this.#rules.find(({ text, left }) => left > 0 && prompt.includes(text));
    if (!rule) return asFault(this.mode);
    rule.left--;
    return asFault(rule.fault);
  }
}

function asFault(script: Script): Fault | null {
  return typeof script === "string" ? ({ kind: script } as Fault) : script;
}
