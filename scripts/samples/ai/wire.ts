import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, FaultName } from "@/scripts/samples/ai/faults";
import { REPLAYS } from "@/scripts/samples/ai/replays";

/** The parts of a chat request that the sample provider reads. */
export type ChatRequest = {
  model: string;
  messages: { role: string; content: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  response_format?: { type: string };
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  reasoning_effort?: string;
  tools?: { function: { name: string; parameters: unknown } }[];
};

/** A scripted answer in a conversation with tools; a string `input` is sent as is. `until` delays it. */
export type AssistantTurn = {
  text?: string;
  calls?: { name: string; input: unknown }[];
  /** Members of the provider's own, in the message. */
  members?: Record<string, unknown>;
  until?: Promise<unknown>;
};

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

type Sending = {
  request: ChatRequest;
  text: string;
  calls?: AssistantTurn["calls"];
  members?: AssistantTurn["members"];
  fault: FaultName | null;
  slow?: Slow;
  latencyMs: number;
};

type Slow = Extract<Fault, { kind: "slow" }>;

/** Sends an answer as one body or as a stream, with the faults that concern sending. */
export async function sendAnswer(response: ServerResponse, sending: Sending): Promise<void> {
  await pause(sending.slow?.firstMs ?? 0);
  if (sending.request.stream) await sendStream(response, sending);
  else await sendWhole(response, sending);
}

async function sendWhole(response: ServerResponse, sending: Sending): Promise<void> {
  const { request, text, calls = [], members, fault, latencyMs } = sending;
  await pause(latencyMs);
  const asksForTools = calls.length > 0;
  const choice = {
    index: 0,
    message: {
      role: "assistant",
      content: asksForTools && !text ? null : text,
      refusal: null,
      ...members,
      ...(asksForTools ? { tool_calls: calls.map(wireCall) } : {}),
    },
    finish_reason: asksForTools && !fault ? "tool_calls" : finishOf(fault),
  };
  const body = { ...head(request, "chat.completion"), choices: [choice], usage: usageOf(request, text) };
  if (fault !== "truncated" && fault !== "ended-early") return sendJson(response, 200, body);
  const json = JSON.stringify(body);
  const half = json.slice(0, json.length / 2);
  if (fault === "ended-early") return void response.writeHead(200, { "content-type": "application/json" }).end(half);
  // With a Content-Length, no client can mistake a closed connection for the end of the response.
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(json) });
  response.write(half, () => response.destroy());
}

function wireCall({ name, input }: { name: string; input: unknown }, index: number) {
  const args = typeof input === "string" ? input : JSON.stringify(input);
  return { id: `call_${index}`, type: "function", function: { name, arguments: args } };
}

const PIECES = 40;

async function sendStream(response: ServerResponse, sending: Sending): Promise<void> {
  const { request, text, calls = [], members, fault, slow, latencyMs } = sending;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const send = (body: object) =>
    response.write(`data: ${JSON.stringify({ ...head(request, "chat.completion.chunk"), ...body })}\n\n`);
  const piece = (delta: object, finish: string | null) =>
    send({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const words = text.match(/\s*\S+/g) ?? [];
  const size = slow?.wordMs ? 1 : Math.max(1, Math.ceil(words.length / PIECES));
  const count = Math.ceil(words.length / size);
  const pauseMs = slow?.wordMs ?? latencyMs / count;
  piece({ role: "assistant", content: "" }, null);
  for (let thought = 0; thought < (slow?.thoughts ?? 0) && !response.destroyed; thought++) {
    piece({ reasoning_content: "Which soil? " }, null);
    await pause(slow?.thoughtMs ?? 0);
  }
  for (let index = 0; index < count; index++) {
    if (pauseMs > 0) await pause(pauseMs);
    if (response.destroyed) return;
    piece({ content: words.slice(index * size, (index + 1) * size).join("") }, null);
    if (index * 2 < count) continue;
    if (fault === "truncated") return void setTimeout(() => response.destroy(), 20);
    if (fault === "ended-early") return void response.end();
  }
  if (members) piece(members, null);
  for (const [index, call] of calls.entries()) {
    const { id, type, function: called } = wireCall(call, index);
    piece({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] }, null);
    for (const part of called.arguments.match(/[\s\S]{1,12}/g) ?? [])
      piece({ tool_calls: [{ index, function: { arguments: part } }] }, null);
  }
  piece({}, calls.length > 0 && !fault ? "tool_calls" : finishOf(fault));
  if (request.stream_options?.include_usage) send({ choices: [], usage: usageOf(request, text) });
  response.end("data: [DONE]\n\n");
}

/** Sends an answer in the bytes of another provider. */
export async function replay(
  response: ServerResponse,
  { name, cut, pauseMs = 0 }: Extract<Fault, { kind: "replay" }>,
  text: string,
): Promise<void> {
  const { type, body } = REPLAYS[name];
  const bytes = Buffer.from(body(text));
  response.writeHead(200, { "content-type": type });
  for (let at = 0; at < bytes.length && !response.destroyed; at += cut ?? bytes.length) {
    response.write(bytes.subarray(at, at + (cut ?? bytes.length)));
    if (cut !== undefined) await pause(pauseMs);
  }
  response.end();
}

// Unreferenced, so that a delay does not keep the process alive.
const pause = (ms: number) => sleep(ms, undefined, { ref: false });

function finishOf(fault: FaultName | null): string {
  if (fault === "cut-short") return "length";
  return fault === "filtered" ? "content_filter" : "stop";
}

function head(request: ChatRequest, object: string) {
  return { id: "chatcmpl-sample", object, created: 1_750_000_000, model: `${request.model}-sample` };
}

function usageOf(request: ChatRequest, text: string) {
  const asked = Math.ceil(JSON.stringify(request.messages).length / 4);
  const written = Math.ceil(text.length / 4);
  return { prompt_tokens: asked, completion_tokens: written, total_tokens: asked + written };
}
