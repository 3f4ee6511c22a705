import type { ToolCall } from "@/lib/ai/prompts/prompt";

/** An assistant's message as the provider wrote it. */
export type RawMessage = Record<string, unknown>;

/**
 * Adds the members of a stream's delta to a message: strings grow, lists go on, and entries of a list belong together by
 * `index`. Providers repeat a call's id, type and name, or leave out its index; parts without either belong to the last call.
 */
export function mergeDelta(message: RawMessage, { tool_calls, content, ...others }: RawMessage): void {
  mergeMembers(message, others);
  if (content !== undefined && content !== null) message.content = joinContent(message.content, content);
  if (!Array.isArray(tool_calls)) return;
  message.tool_calls ??= [];
  for (const part of tool_calls) if (isObject(part)) mergeCall(message.tool_calls as RawMessage[], part);
}

function mergeMembers(into: RawMessage, from: RawMessage): void {
  for (const [name, value] of Object.entries(from)) {
    if (name === "__proto__") continue;
    const known = Object.hasOwn(into, name) ? into[name] : undefined;
    if (value === null || value === undefined) into[name] = known ?? value;
    else if (typeof value === "string") into[name] = joinText(name, known, value);
    else if (Array.isArray(value)) into[name] = joinList(Array.isArray(known) ? known : [], value);
    else if (isObject(value) && isObject(known)) mergeMembers(known, value);
    else into[name] = isObject(value) ? { ...value } : value;
  }
}

/** Members that come whole, however often. */
const WHOLE = new Set(["id", "type", "name", "role", "format", "signature", "thought_signature"]);

function joinText(name: string, known: unknown, value: string): unknown {
  if (WHOLE.has(name)) return value === "" ? (known ?? value) : value;
  return typeof known === "string" ? known + value : value;
}

function joinList(known: unknown[], added: unknown[]): unknown[] {
  for (const entry of added) {
    const same = isObject(entry) && typeof entry.index === "number" && known.find(isEntry(entry));
    if (same && isObject(same) && isObject(entry)) mergeMembers(same, entry);
    else known.push(isObject(entry) ? { ...entry } : entry);
  }
  return known;
}

const isEntry = (entry: RawMessage) => (other: unknown) =>
  isObject(other) && other.index === entry.index && other.type === entry.type;

/** Text stays text; after a list of parts it becomes one of them. */
function joinContent(known: unknown, added: unknown): unknown {
  if (typeof added === "string" && !Array.isArray(known)) return `${known ?? ""}${added}`;
  const asParts = (content: unknown): unknown[] => {
    if (Array.isArray(content)) return content;
    return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
  };
  const parts = asParts(known);
  // One word at a time must not copy all that came before.
  parts.push(...asParts(added));
  return parts;
}

function mergeCall(calls: RawMessage[], { index, ...part }: RawMessage): void {
  const call = callOf(calls, index, part);
  const { function: called, ...others } = part;
  mergeMembers(call, others);
  call.function ??= {};
  const known = call.function as RawMessage;
  if (!isObject(called)) return;
  const { arguments: input, ...about } = called;
  mergeMembers(known, about);
  if (typeof input === "string") known.arguments = `${known.arguments ?? ""}${input}`;
  else if (input !== undefined && input !== null) known.arguments = JSON.stringify(input);
}

/** The call that a part belongs to. Indexes are kept apart from the message, where they do not belong. */
function callOf(calls: RawMessage[], index: unknown, { id, function: called }: RawMessage): RawMessage {
  const last = calls.at(-1);
  const isNamed = typeof id === "string" && id !== "";
  const sameId = isNamed ? calls.find((call) => call.id === id) : undefined;
  if (sameId) return sameId;
  const known = typeof index === "number" ? calls.find((call) => indexes.get(call) === index) : last;
  const isNew = !known || (isNamed && Boolean(known.id)) || (typeof index !== "number" && startsCall(known, called));
  if (!isNew) return known;
  const begun: RawMessage = {};
  if (typeof index === "number") {
    if (known) indexes.delete(known);
    indexes.set(begun, index);
  }
  calls.push(begun);
  return begun;
}

const indexes = new WeakMap<RawMessage, number>();

/** Without index and id: a name begins another call, unless the last one's arguments are still open. */
function startsCall(last: RawMessage, called: unknown): boolean {
  const { name, arguments: input } = isObject(last.function) ? last.function : {};
  if (!isObject(called) || typeof called.name !== "string" || called.name === "" || !name) return false;
  return called.name !== name || isJson(input);
}

function isJson(text: unknown): boolean {
  try {
    return typeof text === "string" && typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** A message's calls; whatever is not a function call is left out. */
export function readToolCalls({ tool_calls }: RawMessage): ToolCall[] {
  if (!Array.isArray(tool_calls)) return [];
  return tool_calls.flatMap(
    (call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null, index) => {
      const { name, arguments: input } = call?.function ?? {};
      if (typeof name !== "string") return [];
      const id = typeof call?.id === "string" && call.id !== "" ? call.id : `call-${index}`;
      return [{ id, name, input: typeof input === "string" ? input : JSON.stringify(input ?? {}) }];
    },
  );
}

/** A larger message goes back in our own form. */
const MAX_RAW_BYTES = 256 * 1024;

/**
 * The message as it goes back with the calls' results: providers check that their own members are in it (Gemini's
 * `thought_signature`, DeepSeek's `reasoning_content`, OpenRouter's `reasoning_details`). Undefined where our own form has to
 * do: it is too large, or has calls that we cannot answer.
 */
export function rawToSendBack(message: RawMessage, calls: ToolCall[]): RawMessage | undefined {
  const { tool_calls } = message;
  if (calls.length === 0 || !Array.isArray(tool_calls) || tool_calls.length !== calls.length) return undefined;
  const named = tool_calls.map((call: RawMessage, index) => ({ ...call, id: calls[index]?.id }));
  const raw = { ...message, role: "assistant", tool_calls: named };
  return Buffer.byteLength(JSON.stringify(raw)) <= MAX_RAW_BYTES ? raw : undefined;
}

function isObject(value: unknown): value is RawMessage {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
