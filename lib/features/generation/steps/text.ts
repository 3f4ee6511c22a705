import "server-only";
import { findStockPhrases } from "@/lib/ai/prompts/stock-phrases";
import { actorOfQueueRow } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { landAiText } from "@/lib/features/content/writes";
import { pieceContext } from "@/lib/features/generation/reads";
import { joinSections, NEWER_EDIT, stockPhraseNote } from "@/lib/features/generation/rules";
import { keepSection, keptSections, spendSections } from "@/lib/features/generation/sql";
import {
  firstMissing,
  hashOf,
  type PieceContext,
  plannedSections,
  providerOf,
  totalUsage,
  writeSection,
} from "@/lib/features/generation/writes/section";
import type { Outcome } from "@/lib/features/jobs/rules";
import { type AtWork, closeTry, endsItem, type ItemRun, letGo, payFor, withItem } from "@/lib/features/jobs/writes/run";
import { againAfterOutage } from "@/lib/utils/database";

/** Looks at what a post is written from: how many sections there are, and which is the next. May run twice. */
export function prepareText(run: ItemRun): Promise<Outcome> {
  return withItem("prepare", "content_generation", run, async (at) => {
    const found = await pieceContext(actorOfQueueRow(at.item), at.item.contentPieceId);
    if (isSettled(at, found)) return { next: "finish" };
    return nextSection(found);
  });
}

/** Writes one section of a post and keeps it with the piece; one that is kept already costs nothing. May run twice. */
export function writeSectionItem(run: ItemRun, index: number): Promise<Outcome> {
  return withItem(`section ${index}`, "content_generation", run, async (at) => {
    const actor = actorOfQueueRow(at.item);
    const found = await pieceContext(actor, at.item.contentPieceId);
    if (isSettled(at, found)) return { next: "finish" };
    const { piece } = found;
    const outlineHash = hashOf(piece.outline);
    const kept = await keptSections(prisma, piece.id, outlineHash);
    const position = firstMissing(kept);
    if (position !== index - 1) return nextSection(found);
    const provider = await providerOf(actor);
    return payFor(
      at,
      () => writeSection(provider, found, kept),
      async ({ section, usage }) => {
        await againAfterOutage(() => keepSection(prisma, piece.id, { outlineHash, position }, section, usage));
        const isHeld = await againAfterOutage(() => closeTry(prisma, at.held, piece.textVersion));
        return isHeld ? nextSection(found) : letGo(at);
      },
    );
  });
}

/** Puts the sections of a post together and ends its item. May run twice. */
export function finishText(run: ItemRun): Promise<Outcome> {
  return withItem("finish", "content_generation", run, async (at) => {
    const actor = actorOfQueueRow(at.item);
    const { piece } = await pieceContext(actor, at.item.contentPieceId);
    return endsItem(at, async (db) => {
      // What was written is put together as it is, also when the outline was edited since: the version decides where it goes.
      const written = await keptSections(db, piece.id, isOvertaken(at, piece) ? null : hashOf(piece.outline));
      if (written.length === 0) return null;
      if (piece.hasBody && !isOvertaken(at, piece)) return null;
      const text = joinSections(written);
      const baseTextVersion = at.item.baseTextVersion ?? piece.textVersion;
      const landed = { field: "body", text, baseTextVersion, usage: totalUsage(written) } as const;
      const landing = await landAiText(db, actor.userId, piece.id, landed);
      await spendSections(db, piece.id);
      return landing === false ? NEWER_EDIT : stockPhraseNote(findStockPhrases(text));
    });
  });
}

/** Nothing more is paid for: the piece has a text, or was edited since its first section was written. */
function isSettled(at: AtWork, { piece }: PieceContext): boolean {
  return piece.hasBody || isOvertaken(at, piece);
}

function isOvertaken({ item }: AtWork, piece: PieceContext["piece"]): boolean {
  return item.baseTextVersion !== null && item.baseTextVersion !== piece.textVersion;
}

async function nextSection({ piece }: PieceContext): Promise<Outcome> {
  const count = plannedSections(piece.outline ?? "").length;
  const position = firstMissing(await keptSections(prisma, piece.id, hashOf(piece.outline)));
  return position < count ? { next: "section", index: position + 1, count } : { next: "finish" };
}
