import "server-only";
import { generate } from "@/lib/ai/generate";
import { rewritePrompt } from "@/lib/ai/prompts/rewrite";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import type { Actor } from "@/lib/auth/actor";
import { AppError } from "@/lib/errors";
import { aiProviderOf, pieceContext } from "@/lib/features/generation/reads";
import { type Rewrite, stockPhraseNote } from "@/lib/features/generation/rules";
import type { RewriteInput, RewriteOut } from "@/lib/features/generation/schema";
import type { WritingListener } from "@/lib/features/generation/writes/write-section";
import { isBlank } from "@/lib/utils/text";

/**
 * A new text for a part of a piece. Nothing is saved: the user takes it, or some of it, in the editor. Throws VALIDATION_ERROR
 * when it needs a text or words that are missing, MISSING_API_KEY and the provider's failures.
 */
export async function rewriteText(
  actor: Actor,
  id: string,
  input: RewriteInput,
  listener: WritingListener & { signal?: AbortSignal } = {},
): Promise<RewriteOut> {
  assertComplete(input);
  const { piece, input: context } = await pieceContext(actor, id);
  const provider = await aiProviderOf(actor);
  const begin = (restart: boolean) => listener.onSection?.({ index: 0, count: 1, heading: "", restart });
  begin(false);
  const { value } = await generate(provider, rewritePrompt({ ...context, ...input, outline: piece.outline ?? "" }), {
    ...(listener.onDelta ? { onDelta: listener.onDelta } : {}),
    ...(listener.onThinking ? { onThinking: listener.onThinking } : {}),
    ...(listener.signal ? { signal: listener.signal } : {}),
    onRestart: () => begin(true),
  });
  return { text: value, note: stockPhraseNote(findStockPhrases(value)) };
}

/** What cannot be done without the user's words. */
const INSTRUCTED: ReadonlySet<Rewrite> = new Set(["tone", "translate", "custom"]);

function assertComplete({ action, of, selection, instruction }: RewriteInput): void {
  if (action === "drop" && of !== "outline") throw missing("action", "Only a section of an outline can be dropped.");
  if (action !== "continue" && isBlank(selection)) throw missing("selection", "Select a text first.");
  if (INSTRUCTED.has(action) && isBlank(instruction)) throw missing("instruction", "Say what to do.");
}

function missing(field: keyof RewriteInput, message: string): AppError {
  return new AppError("VALIDATION_ERROR", { message, fields: { [field]: [message] } });
}
