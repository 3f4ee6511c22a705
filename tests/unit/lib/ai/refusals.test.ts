import { APIError } from "openai";
import { createAiProvider } from "@/lib/ai/provider";
import { keepErrorBody, readRefusal, rowOf } from "@/lib/ai/refusal-body";
import { REFUSALS } from "@/lib/ai/refusals";
import { env } from "@/lib/env";
import { AppError, detailOf, retryKind } from "@/lib/errors";
import { createLog } from "@/lib/log";
import { REFUSAL_CASES } from "@/tests/support/ai-refusals";

const KEY = "sk-Zq81-Xw72-Planted-Key";
const PROMPT = "Write about\n  the brass kettle that nobody in the old harbour town would ever buy.";

const textOf = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

/** A provider that refuses each call of the chat with this answer; `models` is its list of models. */
function refusing(status: number, body: unknown, models?: unknown) {
  const calls: { path: string; body: Record<string, unknown> }[] = [];
  const fetch = (async (input: unknown, init?: RequestInit) => {
    const path = new URL(String(input)).pathname;
    calls.push({ path, body: init?.body ? JSON.parse(String(init.body)) : {} });
    if (path.endsWith("/models"))
      return models === undefined ? new Response("", { status: 404 }) : Response.json(models);
    return new Response(textOf(body), { status, headers: { "content-type": "application/json" } });
  }) as typeof globalThis.fetch;
  const ai = createAiProvider({ apiKey: KEY, baseUrl: "http://127.0.0.1:1/v1", model: "gpt-tiny-2", fetch });
  return { ai, calls };
}

async function failureOf(run: Promise<unknown>): Promise<AppError> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw new Error(`Expected an AppError, got ${String(error)}`);
}

const messages = [{ role: "user" as const, content: PROMPT }];
const refusedBy = (status: number, body: unknown) => failureOf(refusing(status, body).ai.complete({ messages }));

describe("a refusal", () => {
  it.each(REFUSAL_CASES.map((one) => [one.provider, one.status, textOf(one.body).slice(0, 90), one] as const))(
    "of %s, %d: %s",
    async (_provider, _status, _start, { status, body, type, says = "" }) => {
      const failure = await refusedBy(status, body);
      expect([failure.type, failure.message]).toEqual([type, expect.stringContaining(says)]);
    },
  );

  it("is tried for every row of the table", async () => {
    const rows = await Promise.all(
      REFUSAL_CASES.map(async ({ status, body }) => {
        const kept = await keepErrorBody(new Response(textOf(body), { status }));
        const { error } = (await kept.json()) as { error: object };
        return rowOf(readRefusal(new APIError(status, error, undefined, undefined)));
      }),
    );
    expect(REFUSALS.filter((row) => !rows.includes(row))).toEqual([]);
  });

  it("names its source in every row", () => {
    expect(REFUSALS.filter(({ source }) => !/\d{4}-\d\d-\d\d/.test(source))).toEqual([]);
  });

  it("inside an answer with status 200 has its code as the status", async () => {
    const flagged = { error: { code: 403, message: "Flagged", metadata: { reasons: ["violence"] } } };
    expect((await refusedBy(200, flagged)).type).toBe("AI_DECLINED");
  });

  it("with status 401 is about the key, also as a page", async () => {
    expect((await refusedBy(401, "<html>Sign in</html>")).type).toBe("INVALID_API_KEY");
  });

  it.each([
    ["AI_DECLINED", "stop"],
    ["AI_TOO_LARGE", "stop"],
    ["AI_ACCESS_DENIED", "hold"],
  ] as const)("as %s makes a queue %s", (type, kind) => {
    expect(retryKind(new AppError(type))).toBe(kind);
  });
});

describe("the provider's own sentence", () => {
  const saying = async (message: string) =>
    detailOf(await refusedBy(403, { error: { message, type: "denied", code: null } }));

  it("is shown as plain text of at most 300 characters", async () => {
    expect(await saying("Your <b>plan</b> &amp; region\ndo not fit.")).toBe(
      "The provider says: “Your plan & region do not fit.”",
    );
    expect((await saying("x ".repeat(400)))?.length).toBeLessThanOrEqual(300 + "The provider says: “”".length);
  });

  it("is that of the provider behind a router", async () => {
    const raw = JSON.stringify({ error: { message: "No such region." } });
    const failure = await refusedBy(403, {
      error: { code: 403, message: "Provider returned error", metadata: { raw } },
    });
    expect(detailOf(failure)).toBe("The provider says: “No such region.”");
  });

  it.each([
    ["the key", `The key ${KEY} is blocked.`],
    ["eight characters of the key in a row", `The key ****${KEY.slice(4, 12)}**** is blocked.`],
    ["the key in base64", `Basic ${Buffer.from(`x:${KEY}`).toString("base64")} is blocked.`],
    ["30 characters of what was sent in a row", `Not allowed: ${PROMPT.slice(20, 51)}`],
    ["what was sent, with other spaces", "Not allowed: Write about the brass kettle that"],
  ])("is dropped if it holds %s", async (_what, message) => {
    expect(await saying(message)).toBeUndefined();
  });

  it("is kept with seven characters of the key and 29 of what was sent", async () => {
    expect(await saying(`The key ${KEY.slice(4, 11)} is blocked.`)).toContain("is blocked");
    expect(await saying(`“${PROMPT.slice(20, 49)}”`)).toContain(PROMPT.slice(20, 49));
  });

  it("is not taken from a page", async () => {
    expect(detailOf(await refusedBy(403, "<!doctype html><title>Blocked</title>"))).toBeUndefined();
  });

  it("is never logged", async () => {
    const lines: string[] = [];
    const failure = await refusedBy(403, { error: { message: "A sentence of theirs." } });
    env.LOG_LEVEL = "warn";
    createLog({ write: (line) => lines.push(line) }).warn({ err: failure }, "refused");
    expect(detailOf(failure)).toContain("A sentence of theirs.");
    expect(lines.join()).toContain("The AI provider failed: status 403");
    expect(lines.join()).not.toContain("of theirs");
  });
});

describe("a request that is too large", () => {
  const groq = (limit: number, requested: number) => ({
    error: { message: `Request too large: Limit ${limit}, Requested ${requested}`, code: "rate_limit_exceeded" },
  });
  const budgets = async (body: unknown, maxTokens: number | undefined, status = 413) => {
    const { ai, calls } = refusing(status, body);
    const limits = maxTokens === undefined ? {} : { maxTokens };
    expect((await failureOf(ai.complete({ messages, limits }))).type).toBe("AI_TOO_LARGE");
    return calls.map(({ body: sent }) => sent.max_tokens);
  };
  const context = (message: string) => ({ object: "error", message, type: "BadRequestError", code: 400 });

  it("is sent once more with what is left of the limit", async () => {
    expect(await budgets(groq(6000, 7300), 4000)).toEqual([4000, 2700]);
  });

  it.each([
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (1000 in the messages, 4000 in the completion).",
    "'max_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 1000 input tokens.",
  ])("is sent once more with what is left of the context: %s", async (message) => {
    expect(await budgets(context(message), 4000, 400)).toEqual([4000, 3096]);
  });

  it("is sent once more with the most that a model writes", async () => {
    const message = "max_tokens is too large: 9000. This model supports at most 4096 completion tokens.";
    expect(await budgets({ error: { message, param: "max_tokens", code: "invalid_value" } }, 9000, 400)).toEqual([
      9000, 4096,
    ]);
  });

  it.each([
    ["fewer than 1,000 tokens would be left", groq(6000, 9500), 4000],
    ["no limit was sent", groq(6000, 7300), undefined],
    ["the provider gives no figures", { error: { message: "Too large" } }, 4000],
  ])("fails at once where %s", async (_why, body, maxTokens) => {
    expect(await budgets(body, maxTokens)).toEqual([maxTokens]);
  });
});

describe("a model that the provider does not have", () => {
  const NO_MODEL = { error: { message: "No such model", code: "model_not_found" } };
  const messageOf = async (models: unknown) =>
    (await failureOf(refusing(404, NO_MODEL, models).ai.complete({ messages }))).message;

  it("is answered with the five that the key may use and that are named most like it", async () => {
    const ids = ["a", "b", "c", "d", "models/gpt-tiny-3", "gpt-4", `gpt-tiny-${KEY}`, "gpt-tiny<b>"];
    expect(await messageOf({ data: ids.map((id) => ({ id })) })).toBe(
      "The AI provider has no model named gpt-tiny-2. Your key may use: models/gpt-tiny-3, gpt-4, a, b, c. Ask the site's operator to choose one.",
    );
  });

  it.each([
    ["nothing", undefined],
    ["a page", "<html>"],
    ["an empty list", { data: [] }],
    ["no list", { data: 7 }],
  ])("is answered without names if the list is %s", async (_what, models) => {
    expect(await messageOf(models)).toContain("does not have the model");
  });
});
