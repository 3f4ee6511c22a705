import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sampleTurn } from "@/scripts/samples/ai/assistant";
import { asFault, Faults } from "@/scripts/samples/ai/faults";
import { failAfter, failInstead, refusal } from "@/scripts/samples/ai/misbehave";
import { sampleFields, sampleIdeas, sampleKeywords, sampleOutline } from "@/scripts/samples/ai/plans";
import { SAMPLE_NOTE, sampleSection } from "@/scripts/samples/ai/prose";
import { type ReadPrompt, readPrompt } from "@/scripts/samples/ai/read-prompt";
import { sampleRewrite } from "@/scripts/samples/ai/rewrites";
import { type AssistantTurn, type ChatRequest, replay, sendAnswer, sendJson } from "@/scripts/samples/ai/wire";

export type SampleAiProvider = {
  /** The base URL, ending in /v1. */
  url: string;
  apiKey: string;
  /** All requests to the chat endpoint, oldest first. */
  requests: RecordedRequest[];
  faults: Faults;
  /** Scripted responses to the next requests with tools, one each. */
  turns: AssistantTurn[];
  /** Scripted responses to the next requests without tools, one each; `until` delays the default response. */
  texts: (string | { until: Promise<unknown> })[];
  close: () => Promise<void>;
};

export type RecordedRequest = { path: string; body: ChatRequest; authorization: string | undefined };

/**
 * An OpenAI-compatible provider for the demo and tests. It derives its answer from the prompt, always the same, and
 * marks it as a sample. `latencyMs` is the time for a whole answer; a key ending in `…-1500` sets it for one request.
 */
export async function startSampleAiProvider(
  options: { port?: number; latencyMs?: number; seed?: number; apiKey?: string } = {},
): Promise<SampleAiProvider> {
  const { latencyMs = 0, seed = 1, apiKey = "sk-sample-provider-key" } = options;
  const requests: RecordedRequest[] = [];
  const faults = new Faults();
  const turns: AssistantTurn[] = [];
  const texts: SampleAiProvider["texts"] = [];

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const authorization = request.headers.authorization;
    const raw = await readBody(request);
    if (request.method === "GET" && path === "/v1/models")
      return sendJson(response, 200, { object: "list", data: [{ id: "sample", object: "model", owned_by: "sample" }] });
    if (request.method !== "POST" || path !== "/v1/chat/completions")
      return sendJson(response, 404, { error: { message: "Unknown path", type: "invalid_request_error", code: null } });
    const body: ChatRequest = JSON.parse(raw);
    requests.push({ path, body, authorization });
    const [, ownLatency] = /^-(\d{1,5})$/.exec(authorization?.replace(`Bearer ${apiKey}`, "") ?? "") ?? [];
    if (authorization !== `Bearer ${apiKey}` && ownLatency === undefined) {
      failInstead({ kind: "unauthorized" }, response, raw, authorization);
      return;
    }

    const refused = refusal(body, faults);
    if (refused) return sendJson(response, 400, refused);
    const prompt = readPrompt(body.messages);
    const taken = faults.take(prompt.all);
    if (taken?.kind === "held") await taken.until;
    const fault = taken?.kind === "held" ? asFault(taken.next ?? null) : taken;
    if (fault && failInstead(fault, response, raw, authorization)) return;
    const turn: AssistantTurn = body.tools
      ? (turns.shift() ?? sampleTurn(body))
      : plainTurn(texts.shift(), () => sampleAnswer(prompt, seed));
    await turn.until;
    const text = failAfter(fault, turn.text ?? "");
    const { calls, members } = turn;
    if (fault?.kind === "replay") return replay(response, fault, calls ? JSON.stringify(calls[0]?.input) : text);
    await sendAnswer(response, {
      request: body,
      text,
      calls,
      members,
      fault: fault?.kind ?? null,
      ...(fault?.kind === "slow" && { slow: fault }),
      latencyMs: Number(ownLatency ?? latencyMs),
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    apiKey,
    requests,
    faults,
    turns,
    texts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function plainTurn(given: SampleAiProvider["texts"][number] | undefined, sample: () => string): AssistantTurn {
  return typeof given === "string" ? { text: given } : { text: sample(), ...given };
}

function sampleAnswer(prompt: ReadPrompt, seed: number): string {
  if (prompt.task === "keywords") return JSON.stringify(sampleKeywords(prompt));
  if (prompt.task === "ideas") return JSON.stringify(sampleIdeas(prompt, seed));
  if (prompt.task === "outline") return sampleOutline(prompt, seed);
  if (prompt.task === "fields") return JSON.stringify(sampleFields(prompt));
  if (prompt.task === "rewrite") return sampleRewrite(prompt);
  if (prompt.task === "section") return sampleSection(prompt, seed);
  return `${SAMPLE_NOTE} It plans and writes blog posts; it does not know what this question is about.`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}
