import { createAiProvider } from "@/lib/ai/provider";
import type { CallTimes } from "@/lib/ai/times";
import { AppError, retryKind } from "@/lib/errors";
import type { Fault, FaultName } from "@/scripts/samples/ai/faults";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";

let sample: SampleAiProvider;
const SECRET = "sk-planted-secret-key-7f3a";
const messages = [{ role: "user" as const, content: "PLANTED-PROMPT" }];

beforeAll(async () => {
  sample = await startSampleAiProvider({ apiKey: SECRET });
});
beforeEach(() => {
  sample.faults.clear();
  sample.requests.length = 0;
});
afterAll(() => sample.close());

function provider(options: { times?: CallTimes; apiKey?: string; model?: string; fetch?: typeof fetch } = {}) {
  // An answer that came whole is remembered with its model.
  const model = options.fetch ? "whole" : "tiny";
  return createAiProvider({ apiKey: SECRET, baseUrl: sample.url, model, ...options });
}

async function failure(run: () => Promise<unknown>): Promise<AppError> {
  const error = await run().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error(`Expected an AppError, got ${String(error)}`);
}

async function drain(stream: AsyncGenerator<string, unknown, void>): Promise<{ text: string; result: unknown }> {
  let text = "";
  for (;;) {
    const next = await stream.next();
    if (next.done) return { text, result: next.value };
    text += next.value;
  }
}

const ways = {
  complete: (options?: Parameters<typeof provider>[0]) => provider(options).complete({ messages }),
  stream: (options?: Parameters<typeof provider>[0]) => drain(provider(options).stream({ messages })),
};

describe("a proper answer", () => {
  it("comes with its model, tokens and time", async () => {
    const answer = await provider().complete({ messages });
    expect(answer.text).toContain("sample provider");
    expect(answer).toMatchObject({ model: "tiny-sample", cutShort: false });
    expect(answer.tokensIn).toBeGreaterThan(0);
    expect(answer.tokensOut).toBeGreaterThan(0);
    expect(answer.ms).toBeGreaterThanOrEqual(0);
  });

  it("streams the same text in pieces and returns the whole", async () => {
    const whole = await provider().complete({ messages });
    const { text, result } = await drain(provider().stream({ messages }));
    expect(text).toBe(whole.text);
    expect(result).toMatchObject({ text: whole.text, tokensIn: whole.tokensIn, tokensOut: whole.tokensOut });
  });

  it("sends the user's key, and no limit that was not set", async () => {
    await provider().complete({ messages });
    expect(sample.requests[0]?.authorization).toBe(`Bearer ${SECRET}`);
    expect(Object.keys(sample.requests[0]?.body ?? {}).sort()).toEqual([
      "messages",
      "model",
      "stream",
      "stream_options",
    ]);
  });

  it("leaves out the thoughts of a reasoning model", async () => {
    const fetchThoughts = answering({ content: "<think>hm</think>\n\nThe answer", finish_reason: "stop" });
    await expect(provider({ fetch: fetchThoughts }).complete({ messages })).resolves.toMatchObject({
      text: "The answer",
    });
  });
});

describe.each(["complete", "stream"] as const)("failures of %s", (way) => {
  const run = ways[way];

  it.each<[FaultName, string]>([
    ["unauthorized", "INVALID_API_KEY"],
    ["rate-limit", "AI_RATE_LIMITED"],
    ["no-quota", "AI_PROVIDER_ERROR"],
    ["server-error", "AI_PROVIDER_ERROR"],
    ["truncated", "AI_PROVIDER_ERROR"],
    ["empty", "AI_BAD_ANSWER"],
    ["html", "AI_BAD_ANSWER"],
    ["cut-short", "AI_BAD_ANSWER"],
    ["filtered", "AI_DECLINED"],
  ])("maps %s to %s", async (fault, type) => {
    sample.faults.next([fault]);
    expect((await failure(() => run())).type).toBe(type);
  });

  it.each<FaultName>(["hang", "drip"])("times out when the provider would %s", async (fault) => {
    sample.faults.next([fault]);
    expect((await failure(() => run({ times: { firstByteMs: 300, silenceMs: 300, callMs: 300 } }))).type).toBe(
      "AI_TIMEOUT",
    );
  });

  it("makes one request and leaves retries to the caller", async () => {
    sample.faults.next(["server-error"]);
    await failure(() => run());
    expect(sample.requests).toHaveLength(1);
  });

  it("reports a provider that cannot be reached", async () => {
    const gone = await startSampleAiProvider();
    await gone.close();
    const unreachable = createAiProvider({ apiKey: "k", baseUrl: gone.url });
    const error = await failure(() =>
      way === "complete" ? unreachable.complete({ messages }) : drain(unreachable.stream({ messages })),
    );
    expect(error.type).toBe("AI_PROVIDER_ERROR");
    expect(String(error.cause)).toContain("ECONNREFUSED");
  });

  it.each<FaultName>(["telltale", "unauthorized", "rate-limit", "html", "garbage", "truncated"])(
    "keeps key and prompt out of the error and its causes (%s)",
    async (fault) => {
      sample.faults.next([fault]);
      expect(everything(await failure(() => run()))).not.toMatch(/planted/i);
    },
  );
});

describe("failures of a whole answer", () => {
  it.each<[FaultName, string]>([
    ["garbage", "AI_BAD_ANSWER"],
    ["error-inside", "AI_PROVIDER_ERROR"],
  ])("maps %s to %s", async (fault, type) => {
    sample.faults.next([fault]);
    expect((await failure(() => ways.complete())).type).toBe(type);
  });

  it("refuses a body larger than any answer", async () => {
    const huge = answering({ content: "x".repeat(5 * 1024 * 1024), finish_reason: "stop" });
    expect((await failure(() => ways.complete({ fetch: huge }))).type).toBe("AI_BAD_ANSWER");
  });

  it("reports that the provider declined", async () => {
    const declining = answering({ content: null, refusal: "I cannot help with that", finish_reason: "stop" });
    const error = await failure(() => ways.complete({ fetch: declining }));
    expect(error.type).toBe("AI_DECLINED");
    expect(error.message).toContain("declined");
  });

  it.each([
    [402, "AI_PROVIDER_ERROR"],
    [403, "AI_ACCESS_DENIED"],
    [413, "AI_TOO_LARGE"],
    [404, "AI_PROVIDER_ERROR"],
    [408, "AI_TIMEOUT"],
    [400, "AI_PROVIDER_ERROR"],
    [503, "AI_PROVIDER_ERROR"],
  ])("maps status %d to %s", async (status, type) => {
    const refusing = (async () => Response.json({ error: { message: "no" } }, { status })) as typeof fetch;
    expect((await failure(() => ways.complete({ fetch: refusing }))).type).toBe(type);
  });

  it("refuses a key that no header can carry, without quoting it", async () => {
    const error = await failure(() => ways.complete({ apiKey: "sk-planted\n" }));
    expect(error.type).toBe("INVALID_API_KEY");
    expect(everything(error)).not.toMatch(/planted/);
    expect(sample.requests).toHaveLength(0);
  });

  it("returns a text that was cut short to a caller that can use it", async () => {
    sample.faults.next(["cut-short"]);
    const answer = await provider().complete({ messages, allowCutShort: true });
    expect(answer.cutShort).toBe(true);
    expect(answer.text).not.toBe("");
  });
});

describe("failures of a stream", () => {
  it("does not mistake a stream that ended early for a complete text", async () => {
    sample.faults.next(["ended-early"]);
    expect((await failure(() => ways.stream())).type).toBe("AI_PROVIDER_ERROR");
  });

  it("aborts the request when the reader stops", async () => {
    const slow = await startSampleAiProvider({ latencyMs: 10_000 });
    let signal: AbortSignal | null | undefined;
    const watched: typeof fetch = (input, init) => {
      signal = init?.signal;
      return fetch(input, init);
    };
    const ai = createAiProvider({ apiKey: slow.apiKey, baseUrl: slow.url, fetch: watched });
    for await (const delta of ai.stream({ messages })) {
      expect(delta).not.toBe("");
      break;
    }
    expect(signal?.aborted).toBe(true);
    await slow.close();
  });
});

describe("the wait that a provider asks for", () => {
  const inTwoMinutes = () => new Date(Date.now() + 120_000).toUTCString();

  it.each<[string, Fault, number, number]>([
    ["seconds", { kind: "rate-limit", retryAfter: "7" }, 7, 7],
    ["milliseconds, which take precedence", { kind: "rate-limit", retryAfter: "9", retryAfterMs: "1500" }, 2, 2],
    ["a date", { kind: "rate-limit", retryAfter: inTwoMinutes() }, 100, 120],
    ["a date that has passed", { kind: "rate-limit", retryAfter: "Wed, 21 Oct 2015 07:28:00 GMT" }, 1, 1],
    ["hours", { kind: "rate-limit", retryAfter: "40000" }, 40_000, 40_000],
    ["days", { kind: "rate-limit", retryAfter: "999999" }, 999_999, 999_999],
    ["more than a year", { kind: "rate-limit", retryAfter: "99999999" }, 31_622_400, 31_622_400],
  ])("is read from %s", async (_what, fault, least, most) => {
    sample.faults.next([fault]);
    const { retryAfter } = await failure(() => ways.complete());
    expect(retryAfter).toBeGreaterThanOrEqual(least);
    expect(retryAfter).toBeLessThanOrEqual(most);
  });

  it.each<[string, Fault]>([
    ["nothing", { kind: "rate-limit" }],
    ["nonsense", { kind: "rate-limit", retryAfter: "soon" }],
  ])("is not set when the provider sends %s", async (_what, fault) => {
    sample.faults.next([fault]);
    const { type, retryAfter } = await failure(() => ways.complete());
    expect([type, retryAfter]).toEqual(["AI_RATE_LIMITED", undefined]);
  });

  it("is not honoured for an exhausted quota, whose message mentions billing", async () => {
    sample.faults.next(["no-quota"]);
    const error = await failure(() => ways.complete());
    expect(retryKind(error)).not.toBe("wait");
    expect(error.message).toContain("billing");
  });
});

describe("a caller that gives up", () => {
  it("gets its own abort reason", async () => {
    sample.faults.next(["hang"]);
    const controller = new AbortController();
    const running = provider().complete({ messages, signal: controller.signal });
    controller.abort(new Error("The person left"));
    await expect(running).rejects.toThrow("The person left");
  });

  it("gets AI_TIMEOUT when its own time budget ran out", async () => {
    sample.faults.next(["hang"]);
    const error = await failure(() => provider().complete({ messages, signal: AbortSignal.timeout(50) }));
    expect(error.type).toBe("AI_TIMEOUT");
  });
});

/** A provider that answers one message. */
function answering(choice: { content: string | null; refusal?: string; finish_reason: string }): typeof fetch {
  const { finish_reason, ...message } = choice;
  return async () =>
    Response.json({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }] });
}

/** Everything a log could print of an error: message, stack, own members, and the same of each cause. */
function everything(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? "";
  return [String(error), error.stack, JSON.stringify(error), everything(error.cause)].join("\n");
}
