import "server-only";
import { generate } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { saveAiText } from "@/lib/features/content/sql/shared";
import { type QueuedPiece, queuedContext } from "@/lib/features/generation/reads";
import { NEWER_EDIT } from "@/lib/features/generation/rules";
import { queuedContextSql } from "@/lib/features/generation/sql";
import type { Kind } from "@/lib/features/work/writes/run";

/** outline_generation: one call an item. */
export const OUTLINES: Kind<QueuedPiece> = {
  jobType: "outline_generation",
  context: queuedContextSql,
  read: queuedContext,
  async work({ item, context: { piece, input, provider } }) {
    if (piece.hasOutline) return { next: "done", save: async () => null };
    const { value, usage } = await generate(await provider(), outlinePrompt(input));
    return {
      next: "done",
      tokens: usage,
      // It is paid for: without the claim it is kept as a revision.
      async save(db, isHeld) {
        const baseTextVersion = isHeld ? piece.textVersion : null;
        const outline = { field: "outline", text: value, baseTextVersion, usage } as const;
        return (await saveAiText(db, item.userId, piece.id, outline)) === false ? NEWER_EDIT : null;
      },
    };
  },
};
