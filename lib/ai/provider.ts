import "server-only";
import OpenAI, { APIError, APIUserAbortError } from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { z } from "zod";
import {
  type Allowed,
  type Answer,
  addChunk,
  type Completion,
  emptyAnswer,
  finishAnswer,
  readAnswer,
  readToolCalls,
} from "@/lib/ai/answer";
import { dialectOf, learnRefusal } from "@/lib/ai/dialect";
import { AnswerTooLarge, classifyFailure, RefusedByProvider } from "@/lib/ai/failures";
import { MODELS_MS, nameModels } from "@/lib/ai/models";
import type { CallLimits, ChatMessage, ToolCall, ToolSpec, ToolTurn } from "@/lib/ai/prompts/prompt";
import { fittingTokens, keepErrorBody } from "@/lib/ai/refusal-body";
import { joinRoles } from "@/lib/ai/wire-messages";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { startAiSpan } from "@/lib/telemetry/meters";

export type AiProvider = {
  complete: (request: CompletionRequest) => Promise<Completion>;
  /** Yields text as it arrives and returns the completion; leaving the loop aborts the request. */
  stream: (request: CompletionRequest) => AsyncGenerator<string, Completion, void>;
  /** Returns text, tool calls, or both. */
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
  /** Requests JSON of this shape; callers must still check the text. */
  schema?: z.ZodType;
  schemaName?: string;
  limits?: CallLimits;
  signal?: AbortSignal;
  /** Return an answer that hit its token limit (`cutShort: true`) instead of failing. */
  allowCutShort?: boolean;
};

/**
 * A client of an OpenAI-compatible provider with one user's key; the operator sets base URL and model. It never
 * retries. Rejects with INVALID_API_KEY, AI_RATE_LIMITED (`retryAfter` in seconds), AI_TIMEOUT (after `timeoutMs`, body
 * included), AI_PROVIDER_ERROR or AI_BAD_ANSWER; see failures.ts. When `signal` aborts, it rejects with the signal's
 * reason, or AI_TIMEOUT for a time-out signal.
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

  /** Drops parameters that the provider rejects and sends again. */
  async function send<A>(
    request: AnyRequest,
    streaming: boolean,
    create: (body: RequestBody) => Promise<A>,
  ): Promise<A> {
    let fitting: number | undefined;
    for (let attempt = 1; ; attempt++) {
      const body = requestBody(request, streaming, baseUrl, model, fitting);
      try {
        return await create(body);
      } catch (error) {
        const smaller = fitting === undefined ? fittingTokens(error, tokenLimitOf(body)) : undefined;
        if (smaller !== undefined) fitting = smaller;
        else if (attempt === MAX_ATTEMPTS || !learnRefusal(error, body, baseUrl, model))
          throw await refused(error, request.messages);
      }
    }
  }

  /** The failure with what the provider says; where it has no such model, with the models that the key may use. */
  async function refused(error: unknown, messages: ToolTurn[]): Promise<unknown> {
    if (!(error instanceof APIError) || error instanceof APIUserAbortError) return error;
    const failure = classifyFailure(
      error,
      options.apiKey,
      messages.map(({ content }) => content),
    );
    if (!(failure instanceof RefusedByProvider) || failure.outcome !== "no-model") return failure;
    return nameModels(failure, connect(options.apiKey, baseUrl, MODELS_MS, options.fetch), options.apiKey, model);
  }

  async function complete(request: CompletionRequest): Promise<Completion> {
    const call = startCall(request.signal, timeoutMs, model);
    try {
      const client = connect(options.apiKey, baseUrl, timeoutMs, options.fetch);
      const answer = await send(request, false, (body) =>
        client.chat.completions.create({ ...body, stream: false }, { signal: call.signal }),
      );
      return finish(readAnswer(answer), request, call);
    } catch (error) {
      throw call.classify(error, options.apiKey);
    } finally {
      call.end();
    }
  }

  async function converse(request: ConversationRequest): Promise<Completion & { toolCalls: ToolCall[] }> {
    const call = startCall(request.signal, timeoutMs, model);
    try {
      const client = connect(options.apiKey, baseUrl, timeoutMs, options.fetch);
      const tools = request.tools.map((tool) => ({ type: "function", function: tool }) as const);
      const answer = await send(request, false, (body) =>
        client.chat.completions.create({ ...body, tools, stream: false }, { signal: call.signal }),
      );
      const read = readAnswer(answer);
      const toolCalls = readToolCalls(answer);
      // Tool calls without text are an answer; neither is an error.
      if (toolCalls.length === 0) return { ...finish(read, {}, call), toolCalls };
      return { ...finish(read, { allowCutShort: true, allowEmpty: true }, call), toolCalls };
    } catch (error) {
      throw call.classify(error, options.apiKey);
    } finally {
      call.end();
    }
  }

  async function* stream(request: CompletionRequest): AsyncGenerator<string, Completion, void> {
    const call = startCall(request.signal, timeoutMs, model);
    try {
      const client = connect(options.apiKey, baseUrl, timeoutMs, options.fetch);
      const chunks = await send(request, true, (body) =>
        client.chat.completions.create({ ...body, stream: true }, { signal: call.signal }),
      );
      const answer = emptyAnswer();
      for await (const chunk of chunks) {
        const delta = addChunk(chunk, answer);
        if (delta) yield delta;
      }
      // The client ends an aborted stream without an error.
      call.signal.throwIfAborted();
      if (answer.text && !answer.finish)
        throw new AppError("AI_PROVIDER_ERROR", { cause: new Error("Stream cut short") });
      return finish(answer, request, call);
    } catch (error) {
      throw call.classify(error, options.apiKey);
    } finally {
      call.end();
    }
  }

  function finish(answer: Answer, allowed: Allowed, call: ReturnType<typeof startCall>): Completion {
    const completion = { model, ...finishAnswer(answer, allowed), ms: call.elapsed() };
    call.span.answered(completion);
    return completion;
  }

  return { complete, stream, converse };
}

// One attempt, plus one per parameter a provider may reject, the token limit twice.
const MAX_ATTEMPTS = 6;

/** Protects our memory from a broken provider. */
const MAX_BYTES = 4 * 1024 * 1024;

type RequestBody = Omit<ChatCompletionCreateParams, "stream">;
type AnyRequest = Omit<CompletionRequest, "messages" | "signal"> & { messages: ToolTurn[] };

function requestBody(
  request: AnyRequest,
  streaming: boolean,
  baseUrl: string,
  model: string,
  fitting?: number,
): RequestBody {
  const accepts = dialectOf(baseUrl, model);
  const { temperature, maxTokens: most } = request.limits ?? {};
  const maxTokens = fitting ?? most;
  const format = request.schema && zodResponseFormat(request.schema, request.schemaName ?? "answer");
  const messages = request.messages.map(wireMessage);
  return {
    model,
    messages: joinRoles(format && !accepts.jsonSchema ? [...messages, schemaMessage(format)] : messages),
    ...(format && accepts.jsonSchema && { response_format: format }),
    ...(temperature !== undefined && accepts.temperature && { temperature }),
    ...(maxTokens !== undefined && accepts.tokenLimit && { [accepts.tokenLimit]: maxTokens }),
    ...(streaming && accepts.streamUsage && { stream_options: { include_usage: true } }),
  };
}

function tokenLimitOf({ max_tokens, max_completion_tokens }: RequestBody): number | undefined {
  return max_tokens ?? max_completion_tokens ?? undefined;
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

/** The schema as text, for providers without `response_format`. */
function schemaMessage(format: ReturnType<typeof zodResponseFormat>): ChatMessage {
  const schema = JSON.stringify(format.json_schema.schema);
  return {
    role: "user",
    content: `Answer with one JSON value and nothing else, matching this JSON Schema:\n${schema}`,
  };
}

function connect(apiKey: string, baseURL: string, timeout: number, fetchWith: typeof fetch | undefined): OpenAI {
  // Other characters cannot go in a header, and the error would quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new AppError("INVALID_API_KEY");
  return new OpenAI({
    apiKey,
    baseURL,
    timeout,
    maxRetries: 0,
    fetch: capped(fetchWith ?? fetch),
    // Send nothing of the operator's own account, and print nothing.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: "off",
  });
}

function capped(fetchWith: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await keepErrorBody(await fetchWith(input, init));
    if (!response.body) return response;
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_BYTES) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(limit), response);
  };
}

/** Covers the whole call: the client's own time-out ends with the headers, and a body could drip forever. */
function startCall(outer: AbortSignal | undefined, timeoutMs: number, model: string) {
  const started = performance.now();
  const span = startAiSpan(model);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new AppError("AI_TIMEOUT")), timeoutMs);

  function typed(error: unknown, secret: string): unknown {
    if (timeout.signal.aborted) return timeout.signal.reason;
    if (!outer?.aborted) return classifyFailure(error instanceof APIUserAbortError ? undefined : error, secret);
    return outer.reason?.name === "TimeoutError" ? new AppError("AI_TIMEOUT") : outer.reason;
  }

  return {
    signal: outer ? AbortSignal.any([outer, timeout.signal]) : timeout.signal,
    span,
    elapsed: () => Math.round(performance.now() - started),
    end() {
      clearTimeout(timer);
      span.end();
    },
    classify(error: unknown, secret: string): unknown {
      const classified = typed(error, secret);
      span.failed(classified);
      return classified;
    },
  };
}
