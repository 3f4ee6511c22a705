import "server-only";
import { generate } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { actorOfQueueRow } from "@/lib/auth/actor";
import { type Db, prisma } from "@/lib/db/prisma";
import { landAiText } from "@/lib/features/content/writes";
import { pieceContext } from "@/lib/features/generation/reads";
import { NEWER_EDIT } from "@/lib/features/generation/rules";
import { providerOf } from "@/lib/features/generation/writes/section";
import type { Outcome } from "@/lib/features/jobs/rules";
import { endsItem, finishItem, type ItemRun, letGo, payFor, withItem } from "@/lib/features/jobs/writes/run";
import { againAfterOutage } from "@/lib/utils/database";

/** Writes the outline of one queue item: claim, one AI call, and its end in one transaction. May run twice. */
export function writeOutlineItem(run: ItemRun): Promise<Outcome> {
  return withItem("outline", "outline_generation", run, async (at) => {
    const actor = actorOfQueueRow(at.item);
    const { piece, input } = await pieceContext(actor, at.item.contentPieceId);
    if (piece.hasOutline) return endsItem(at, async () => null);
    const provider = await providerOf(actor);
    return payFor(
      at,
      () => generate(provider, outlinePrompt(input)),
      async ({ value, usage }) => {
        const landed = { field: "outline", text: value, baseTextVersion: piece.textVersion, usage } as const;
        const land = async (db: Db) =>
          (await landAiText(db, actor.userId, piece.id, landed)) === false ? NEWER_EDIT : null;
        if (await againAfterOutage(() => finishItem(at.held, usage, land))) return { next: "end", as: "completed" };
        // Paid for, whatever became of the item: beside the text, never over it.
        await landAiText(prisma, actor.userId, piece.id, { ...landed, baseTextVersion: null });
        return letGo(at);
      },
    );
  });
}
