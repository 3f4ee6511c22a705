import "server-only";
import OpenAI, { APIError, APIUserAbortError } from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { Stream } from "openai/streaming";
import type { z } from "zod";
import {
  type Answer,
  addChunk,
  addWhole,
  type Completion,
  emptyAnswer,
  endAnswer,
  finishAnswer,
  toolCallsOf,
} from "@/lib/ai/answer";
import { type Call, isJson, startCall, watchedFetch } from "@/lib/ai/call";
import { type Dialect, dialectOf, learn, learnRefusal } from "@/lib/ai/dialect";
import { classifyFailure, RefusedByProvider } from "@/lib/ai/failures";
import { MODELS_MS, nameModels } from "@/lib/ai/models";
import type { CallLimits, ChatMessage, ToolCall, ToolSpec, ToolTurn } from "@/lib/ai/prompts/prompt";
import { fittingTokens } from "@/lib/ai/refusal-body";
import { HELD_BACK, type Split } from "@/lib/ai/thoughts";
import { aiTimes, type CallTimes } from "@/lib/ai/times";
import { addTokens, tokensOf, withTokens } from "@/lib/ai/tokens";
import { joinRoles } from "@/lib/ai/wire-messages";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

export type AiProvider = {
  complete: (request: CompletionRequest) => Promise<Completion>;
  /** Yields text as it arrives and returns the completion; leaving the loop aborts the request. */
  stream: (request: CompletionRequest) => AsyncGenerator<string, Completion, void>;
  /**
   * Returns text, tool calls, or both; `message` is what goes back with their results. An answer that ran into its limit is asked
   * for once more with more room.
   */
  converse: (request: ConversationRequest) => Promise<Conversation>;
};

export type Conversation = Completion & { toolCalls: ToolCall[]; message?: Record<string, unknown> };

export type ConversationRequest = {
  messages: ToolTurn[];
  tools: ToolSpec[];
  limits?: CallLimits;
  signal?: AbortSignal;
  /** Accept an answer without text and tool calls. */
  allowEmpty?: boolean;
};

export type CompletionRequest = {
  messages: ChatMessage[];
  /** Requests JSON of this shape; callers must still check the text. */
  schema?: z.ZodType;
  schemaName?: string;
  limits?: CallLimits;
  /** An answer ran into its limit: ask without one, or with a wider one where the model needs one, and for few thoughts. */
  isWider?: boolean;
  signal?: AbortSignal;
  /** Return an answer that hit its token limit (`cutShort: true`) instead of failing. */
  allowCutShort?: boolean;
  /** The model has begun to think; ends with the next text. */
  onThinking?: () => void;
  /** What was yielded so far were thoughts, or turned out not to be: discard it. */
  onRestart?: () => void;
};

/**
 * A client of an OpenAI-compatible provider with one user's key; the operator sets base URL and model. It streams where the
 * provider can, and never retries. Rejects with INVALID_API_KEY, AI_RATE_LIMITED (`retryAfter` in seconds), AI_TIMEOUT (see
 * times.ts), AI_DECLINED, AI_PROVIDER_ERROR or AI_BAD_ANSWER; see failures.ts. `tokensOf(failure)` tells what was paid. When
 * `signal` aborts, it rejects with the signal's reason, or AI_TIMEOUT for a time-out signal.
 */
export function createAiProvider(options: {
  apiKey: string;
  baseUrl?: string;
  model?: string;
  times?: CallTimes;
  fetch?: typeof fetch;
}): AiProvider {
  const baseUrl = (options.baseUrl ?? env.OPENAI_BASE_URL).replace(/\/+$/, "");
  const model = options.model ?? env.OPENAI_MODEL;
  const times = options.times ?? aiTimes();
  const dialect = () => dialectOf(baseUrl, model);

  async function* ask(request: AnyRequest): AsyncGenerator<string, Conversation, void> {
    const call = startCall(request.signal, times, model);
    const answer = emptyAnswer(dialect().unopenedThoughts ? HELD_BACK : 0);
    try {
      yield* receive(request, answer, call);
      const completion = { model, ...finishAnswer(answer, request), ms: call.elapsed() };
      call.span.answered(completion);
      return { ...completion, ...toolCallsOf(answer) };
    } catch (error) {
      throw withTokens(call.classify(error, options.apiKey), answer.tokens);
    } finally {
      call.end();
    }
  }

  /** Yields the text of an answer as it arrives. */
  async function* receive(request: AnyRequest, answer: Answer, call: Call): AsyncGenerator<string, void, void> {
    let wasThinking = false;
    let restarts = 0;
    function tell({ text, restart, isThinking }: Split): string {
      if (restart) request.onRestart?.();
      if (restart) restarts++;
      if (isThinking && !wasThinking) request.onThinking?.();
      wasThinking = isThinking;
      return text;
    }
    const response = await send(request, call);
    if (isJson(response)) {
      const text = tell(addWhole(JSON.parse(await response.text()), answer));
      learn({ stream: false }, baseUrl, model);
      if (text) yield text;
    } else {
      for await (const chunk of Stream.fromSSEResponse(response, new AbortController())) {
        const text = tell(addChunk(chunk, answer));
        if (text) yield text;
      }
      // The client ends an aborted stream without an error.
      call.signal.throwIfAborted();
      if (answer.hasBegun && !answer.finish && !call.isDone()) throw brokenStream();
    }
    const rest = tell(endAnswer(answer));
    // A second restart has taken the first one back.
    if (restarts === 1) learn({ unopenedThoughts: true }, baseUrl, model);
    if (rest) yield rest;
  }

  /** Sends a request; drops parameters that the provider rejects and sends it again. */
  async function send(request: AnyRequest, call: Call): Promise<Response> {
    const client = connect(options.apiKey, baseUrl, times.callMs, watchedFetch(call, options.fetch));
    let fitting: number | undefined;
    for (let attempt = 1; ; attempt++) {
      const body = requestBody(request, model, dialect(), fitting);
      call.onSend(body.stream === true);
      try {
        return await client.chat.completions.create(body, { signal: call.signal }).asResponse();
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

  return {
    complete: (request) => drain(ask(request)),
    stream: ask,
    async converse({ tools, allowEmpty = false, ...conversation }) {
      const specs = tools.map((tool) => ({ type: "function", function: tool }) as const);
      const offered = specs.length > 0 && { tools: specs };
      const request: AnyRequest = { ...conversation, ...offered, allowCutShort: true, allowEmpty: true };
      const first = await drain(ask(request));
      const answer = first.cutShort && first.toolCalls.length === 0 ? await askWider(request, first) : first;
      // Tool calls without text are an answer; neither is an error.
      if (answer.toolCalls.length > 0 || answer.text || (allowEmpty && !answer.cutShort)) return answer;
      throw withTokens(new AppError("AI_BAD_ANSWER", { cause: new Error("Neither text nor tool calls") }), answer);
    },
  };

  /** Asks once more, with more room; what there is of the first answer is kept if that brings nothing. */
  async function askWider(request: AnyRequest, first: Conversation): Promise<Conversation> {
    try {
      const second = await drain(ask({ ...request, isWider: true }));
      const isEmpty = second.text === "" && second.toolCalls.length === 0;
      return { ...(isEmpty && first.text !== "" ? first : second), ...addTokens(first, second) };
    } catch (error) {
      const tokens = addTokens(first, tokensOf(error));
      if (first.text === "" || request.signal?.aborted) throw withTokens(error, tokens);
      return { ...first, ...tokens };
    }
  }
}

async function drain<T>(answer: AsyncGenerator<string, T, void>): Promise<T> {
  for (;;) {
    const next = await answer.next();
    if (next.done) return next.value;
  }
}

function brokenStream(): AppError {
  return new AppError("AI_PROVIDER_ERROR", { cause: new Error("Stream cut short") });
}

// One attempt, plus one per fact that a provider may teach, the token limit twice.
const MAX_ATTEMPTS = 10;

type AnyRequest = Omit<CompletionRequest, "messages"> & {
  messages: ToolTurn[];
  tools?: ChatCompletionCreateParams["tools"];
  allowEmpty?: boolean;
};

function requestBody(
  request: AnyRequest,
  model: string,
  accepts: Dialect,
  fitting?: number,
): ChatCompletionCreateParams {
  const { temperature } = request.limits ?? {};
  const maxTokens = fitting ?? tokenLimit(request, accepts);
  const format = request.schema && zodResponseFormat(request.schema, request.schemaName ?? "answer");
  const messages = request.messages.map((turn) => wireMessage(turn, accepts.ownMembers));
  return {
    model,
    stream: accepts.stream,
    ...(request.tools && { tools: request.tools }),
    messages: joinRoles(format && !accepts.jsonSchema ? [...messages, schemaMessage(format)] : messages),
    ...(format && accepts.jsonSchema && { response_format: format }),
    ...(temperature !== undefined && accepts.temperature && { temperature }),
    ...(maxTokens !== undefined && accepts.tokenLimit && { [accepts.tokenLimit]: maxTokens }),
    ...(request.isWider && accepts.reasoningEffort && { reasoning_effort: "low" }),
    ...(accepts.stream && accepts.streamUsage && { stream_options: { include_usage: true } }),
  };
}

function tokenLimitOf({ max_tokens, max_completion_tokens }: ChatCompletionCreateParams): number | undefined {
  return max_tokens ?? max_completion_tokens ?? undefined;
}

/** The most that a second, wider call asks for. */
const MAX_WIDER_TOKENS = 32_000;

function tokenLimit({ limits, isWider }: AnyRequest, { needsTokenLimit }: Dialect): number | undefined {
  const limit = limits?.maxTokens;
  if (!isWider || limit === undefined) return limit ?? (needsTokenLimit ? MAX_WIDER_TOKENS : undefined);
  return needsTokenLimit ? Math.max(limit, Math.min(2 * limit, MAX_WIDER_TOKENS)) : undefined;
}

function wireMessage(turn: ToolTurn, ownMembers: boolean): ChatCompletionMessageParam {
  if (turn.role === "tool") return { role: "tool", tool_call_id: turn.callId, content: turn.content };
  if (!("toolCalls" in turn)) return turn;
  if (turn.message && ownMembers) return turn.message as unknown as ChatCompletionMessageParam;
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
    ...(fetchWith && { fetch: fetchWith }),
    // Send nothing of the operator's own account, and print nothing.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: "off",
  });
}
