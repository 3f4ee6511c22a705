import "server-only";
import { generate } from "@/lib/ai/generate";
import { outlinePrompt } from "@/lib/ai/prompts/outline";
import { actorFromQueueRow } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/prisma";
import { retryOnOutage } from "@/lib/db/retry";
import { transaction } from "@/lib/db/transaction";
import { saveAiText } from "@/lib/features/content/sql/shared";
import { aiProviderOf, pieceContext } from "@/lib/features/generation/reads";
import { NEWER_EDIT } from "@/lib/features/generation/rules";
import type { ItemRun, StepOutcome } from "@/lib/features/work/schema";
import { completeStep, finishItem, makePaidCall, runItemStep, yieldClaim } from "@/lib/features/work/writes/run";

/** Writes the outline of a queue item. May run twice. */
export function writeOutlineItem(run: ItemRun): Promise<StepOutcome> {
  return runItemStep("outline", "outline_generation", run, async (claim) => {
    const actor = actorFromQueueRow(claim.item);
    const { piece, input } = await pieceContext(actor, claim.item.contentPieceId);
    if (piece.hasOutline) return completeStep(claim, async () => null);
    const provider = await aiProviderOf(actor);
    return makePaidCall(
      { ...claim, access: provider.fingerprint },
      () => generate(provider, outlinePrompt(input)),
      async ({ value, usage }) => {
        const outline = { field: "outline", text: value, baseTextVersion: piece.textVersion, usage } as const;
        const save = async (db: Db) =>
          (await saveAiText(db, actor.userId, piece.id, outline)) === false ? NEWER_EDIT : null;
        if (await retryOnOutage(() => finishItem(claim.ref, usage, save))) return { next: "end", as: "completed" };
        // The claim is lost but the outline is paid for: keep it as a revision.
        await transaction((db) => saveAiText(db, actor.userId, piece.id, { ...outline, baseTextVersion: null }));
        return yieldClaim(claim);
      },
    );
  });
}
