import "server-only";
import OpenAI, { APIUserAbortError } from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { z } from "zod";
import {
  type Allowed,
  type Answer,
  type Completion,
  emptyAnswer,
  finishAnswer,
  readAnswer,
  readToolCalls,
  takeChunk,
} from "@/lib/ai/answer";
import { dialectOf, learnFrom } from "@/lib/ai/dialect";
import { AnswerTooLarge, sortFailure } from "@/lib/ai/failures";
import type { CallLimits, ChatMessage, ToolCall, ToolSpec, ToolTurn } from "@/lib/ai/prompts/prompt";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

export type AiProvider = {
  complete: (request: CompletionRequest) => Promise<Completion>;
  /** Yields text as it arrives and returns the whole; leaving the loop early ends the request. */
  stream: (request: CompletionRequest) => AsyncGenerator<string, Completion, void>;
  /** One answer of a conversation with tools: text, calls of tools, or both. */
  converse: (request: ConversationRequest) => Promise<Completion & { toolCalls: ToolCall[] }>;
};

export type ConversationRequest = {
  messages: ToolTurn[];
  tools: ToolSpec[];
  limits?: CallLimits;
  signal?: AbortSignal;
};

export type CompletionRequest = {
  messages: ChatMessage[];
  /** Ask for JSON of this shape; the text still has to be read and checked. */
  schema?: z.ZodType;
  schemaName?: string;
  limits?: CallLimits;
  signal?: AbortSignal;
  /** Hand over an answer that ran into its token limit (`cutShort: true`) instead of failing. */
  allowCutShort?: boolean;
};

/**
 * A client of an OpenAI-compatible provider with one person's key; base URL and model are the operator's. It never
 * retries. Rejects with INVALID_API_KEY, AI_RATE_LIMITED (`retryAfter` in seconds), AI_TIMEOUT (the whole call took longer than
 * `timeoutMs`, body included), AI_PROVIDER_ERROR or AI_BAD_ANSWER; see failures.ts. When `signal` aborts it rejects with the
 * signal's reason, a time-out signal's with AI_TIMEOUT.
 */
export function createAiProvider(options: {
  apiKey: string;
  baseUrl?: string;
  model?: string;
  timeoutMs?: number;
  fetch?: typeof fetch;
}): AiProvider {
  const baseUrl = (options.baseUrl ?? env.OPENAI_BASE_URL).replace(/\/+$/, "");
  const model = options.model ?? env.OPENAI_MODEL;
  const timeoutMs = options.timeoutMs ?? 60_000;

  /** Sends what this provider accepts; a parameter it refuses is left out and the rest sent again. */
  async function send<A>(request: Asked, streaming: boolean, create: (body: RequestBody) => Promise<A>): Promise<A> {
    for (let attempt = 1; ; attempt++) {
      const body = requestBody(request, streaming, baseUrl, model);
      try {
        return await create(body);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !learnFrom(error, body, baseUrl, model)) throw error;
      }
    }
  }

  async function complete(request: CompletionRequest): Promise<Completion> {
    const call = startCall(request.signal, timeoutMs);
    try {
      const client = connect(options.apiKey, baseUrl, timeoutMs, options.fetch);
      const answer = await send(request, false, (body) =>
        client.chat.completions.create({ ...body, stream: false }, { signal: call.signal }),
      );
      return finish(readAnswer(answer), request, call);
    } catch (error) {
      throw call.sort(error, options.apiKey);
    } finally {
      call.end();
    }
  }

  async function converse(request: ConversationRequest): Promise<Completion & { toolCalls: ToolCall[] }> {
    const call = startCall(request.signal, timeoutMs);
    try {
      const client = connect(options.apiKey, baseUrl, timeoutMs, options.fetch);
      const tools = request.tools.map((tool) => ({ type: "function", function: tool }) as const);
      const answer = await send(request, false, (body) =>
        client.chat.completions.create({ ...body, tools, stream: false }, { signal: call.signal }),
      );
      const read = readAnswer(answer);
      const toolCalls = readToolCalls(answer);
      // Calls without a word are an answer; neither is none.
      if (toolCalls.length === 0) return { ...finish(read, {}, call), toolCalls };
      return { ...finish(read, { allowCutShort: true, allowEmpty: true }, call), toolCalls };
    } catch (error) {
      throw call.sort(error, options.apiKey);
    } finally {
      call.end();
    }
  }

  async function* stream(request: CompletionRequest): AsyncGenerator<string, Completion, void> {
    const call = startCall(request.signal, timeoutMs);
    try {
      const client = connect(options.apiKey, baseUrl, timeoutMs, options.fetch);
      const chunks = await send(request, true, (body) =>
        client.chat.completions.create({ ...body, stream: true }, { signal: call.signal }),
      );
      const answer = emptyAnswer();
      for await (const chunk of chunks) {
        const delta = takeChunk(chunk, answer);
        if (delta) yield delta;
      }
      // The client ends a stream quietly when it was aborted.
      call.signal.throwIfAborted();
      if (answer.text && !answer.finish)
        throw new AppError("AI_PROVIDER_ERROR", { cause: new Error("Stream cut short") });
      return finish(answer, request, call);
    } catch (error) {
      throw call.sort(error, options.apiKey);
    } finally {
      call.end();
    }
  }

  function finish(answer: Answer, allowed: Allowed, call: { elapsed: () => number }): Completion {
    return { model, ...finishAnswer(answer, allowed), ms: call.elapsed() };
  }

  return { complete, stream, converse };
}

// One plain attempt and one for each thing a provider may refuse, the token limit twice.
const MOST_ATTEMPTS = 6;

/** Larger than any answer we ask for; a provider gone wild must not fill the memory. */
const MOST_BYTES = 4 * 1024 * 1024;

type RequestBody = Omit<ChatCompletionCreateParams, "stream">;
type Asked = Omit<CompletionRequest, "messages" | "signal"> & { messages: ToolTurn[] };

function requestBody(request: Asked, streaming: boolean, baseUrl: string, model: string): RequestBody {
  const accepts = dialectOf(baseUrl, model);
  const { temperature, maxTokens } = request.limits ?? {};
  const format = request.schema && zodResponseFormat(request.schema, request.schemaName ?? "answer");
  const messages = request.messages.map(wireMessage);
  return {
    model,
    messages: format && !accepts.jsonSchema ? [...messages, schemaMessage(format)] : messages,
    ...(format && accepts.jsonSchema && { response_format: format }),
    ...(temperature !== undefined && accepts.temperature && { temperature }),
    ...(maxTokens !== undefined && accepts.tokenLimit && { [accepts.tokenLimit]: maxTokens }),
    ...(streaming && accepts.streamUsage && { stream_options: { include_usage: true } }),
  };
}

function wireMessage(turn: ToolTurn): ChatCompletionMessageParam {
  if (turn.role === "tool") return { role: "tool", tool_call_id: turn.callId, content: turn.content };
  if (!("toolCalls" in turn)) return turn;
  const calls = turn.toolCalls.map(({ id, name, input }) => ({
    id,
    type: "function" as const,
    function: { name, arguments: input },
  }));
  return { role: "assistant", content: turn.content, tool_calls: calls };
}

/** For providers without `response_format`: the schema in words. */
function schemaMessage(format: ReturnType<typeof zodResponseFormat>): ChatMessage {
  const schema = JSON.stringify(format.json_schema.schema);
  return {
    role: "user",
    content: `Answer with one JSON value and nothing else, matching this JSON Schema:\n${schema}`,
  };
}

function connect(apiKey: string, baseURL: string, timeout: number, fetchWith: typeof fetch | undefined): OpenAI {
  // A key with other characters cannot be sent in a header, and the error about it would quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new AppError("INVALID_API_KEY");
  return new OpenAI({
    apiKey,
    baseURL,
    timeout,
    maxRetries: 0,
    fetch: capped(fetchWith ?? fetch),
    // Nothing of the operator's own account is sent along with a person's key, and nothing is printed.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: "off",
  });
}

function capped(fetchWith: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchWith(input, init);
    if (!response.body) return response;
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MOST_BYTES) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(limit), response);
  };
}

/** One time-out over the whole call: the client's own ends when the headers arrive, and a body can drip for ever. */
function startCall(outer: AbortSignal | undefined, timeoutMs: number) {
  const started = performance.now();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new AppError("AI_TIMEOUT")), timeoutMs);
  return {
    signal: outer ? AbortSignal.any([outer, timeout.signal]) : timeout.signal,
    elapsed: () => Math.round(performance.now() - started),
    end: () => clearTimeout(timer),
    sort(error: unknown, secret: string): unknown {
      if (timeout.signal.aborted) return timeout.signal.reason;
      if (!outer?.aborted) return sortFailure(error instanceof APIUserAbortError ? undefined : error, secret);
      return outer.reason?.name === "TimeoutError" ? new AppError("AI_TIMEOUT") : outer.reason;
    },
  };
}
