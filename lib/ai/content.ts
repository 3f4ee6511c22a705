/** A part of a message's content, in the order in which it was written. */
export type ContentPart = { kind: "text" | "thoughts" | "refusal"; text: string };

/**
 * The content of a message or delta: a string, or a list of parts as Mistral sends it. Thoughts also come as members of their
 * own: `reasoning_content` (DeepSeek, vLLM, LM Studio) and `reasoning` (OpenRouter, Groq, Ollama).
 */
export function readContent({
  content,
  refusal,
  reasoning_content,
  reasoning,
}: Record<string, unknown>): ContentPart[] {
  const parts = [
    ...textPart("thoughts", reasoning_content),
    ...textPart("thoughts", reasoning),
    ...textPart("refusal", refusal),
  ];
  return [...parts, ...(Array.isArray(content) ? content.flatMap(readListed) : textPart("text", content))];
}

function readListed(part: unknown): ContentPart[] {
  if (typeof part !== "object" || part === null) return textPart("text", part);
  const { type, text, refusal, thinking } = part as Record<string, unknown>;
  if (typeof refusal === "string") return textPart("refusal", refusal);
  if (thinking !== undefined || /think|reason/i.test(String(type))) return [{ kind: "thoughts", text: "" }];
  return textPart("text", text);
}

function textPart(kind: ContentPart["kind"], text: unknown): ContentPart[] {
  return typeof text === "string" && text !== "" ? [{ kind, text }] : [];
}
