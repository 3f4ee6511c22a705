import "server-only";
import type { PieceInput, ProjectInput } from "@/lib/ai/prompts/shared";
import { type AiProvider, createAiProvider } from "@/lib/ai/provider";
import { type Actor, actorFromQueueRow } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { fingerprintOf, openaiKeyOf, openedKey } from "@/lib/features/account/settings/reads";
import type { SealedAccess } from "@/lib/features/account/settings/sql/shared";
import { ownedContentFields, pieceNotFound } from "@/lib/features/content/reads";
import type { Unfinished, WriteInput } from "@/lib/features/generation/schema";
import {
  hashMissing,
  hashOutline,
  type PieceRow,
  selectPieceContext,
  selectUnfinished,
} from "@/lib/features/generation/sql";
import { styleOf } from "@/lib/features/projects/reads";
import type { WritingStyle } from "@/lib/features/projects/schema";
import { ownedTopicDetails } from "@/lib/features/topics/reads";
import type { ClaimedItem } from "@/lib/features/work/schema";

/** The user's AI provider. Throws MISSING_API_KEY, with `message` if given. */
export async function aiProviderOf(actor: Actor, message?: string): Promise<AiProvider> {
  return createAiProvider({ apiKey: await openaiKeyOf(actor, message) });
}

/** The actor's topic with its keywords and the context that every prompt starts with. */
export async function topicContext(actor: Actor, topicId: number) {
  const { project, keywords, ...topic } = await ownedTopicDetails(actor, topicId);
  return {
    projectId: project.id,
    keywords,
    context: {
      project: { title: project.title, description: project.description ?? "", style: styleOf(project) },
      topic,
      persona: project.buyerPersona,
    },
  };
}

export type PieceContext = {
  piece: Omit<PieceRow["piece"], "neighbourTitles">;
  input: PieceInput & { project: ProjectInput & { style: WritingStyle } };
};

/** The actor's piece and the prompt input that its outline and sections are written from. */
export async function pieceContext(actor: Actor, id: string, style: WriteInput["style"] = {}): Promise<PieceContext> {
  const row = await selectPieceContext(actor.userId, id);
  if (!row) throw pieceNotFound();
  return contextOf(row, style);
}

/** A piece's context of what was read of it. */
export function contextOf({ piece, topic, project }: PieceRow, style: WriteInput["style"] = {}): PieceContext {
  const { neighbourTitles, ...rest } = piece;
  const { title, focusKeyword, intent, angle } = piece;
  const { persona, ...words } = project;
  const written = { ...words, style: styleOfCall(words.style, style) };
  return {
    piece: rest,
    input: { project: written, topic, persona, title, focusKeyword, intent, angle, neighbourTitles },
  };
}

/** A queued piece, with the provider that it is asked for; `provider` throws MISSING_API_KEY and STORAGE_FULL. */
export type QueuedPiece = PieceContext & { access: string; provider: () => Promise<AiProvider> };

export function queuedContext(value: unknown, item: ClaimedItem): QueuedPiece {
  const { row, access } = value as { row: PieceRow; access: SealedAccess };
  const actor = actorFromQueueRow(item);
  return {
    ...contextOf(row),
    access: fingerprintOf(access),
    provider: async () => createAiProvider({ apiKey: await openedKey(actor, access) }),
  };
}

/** What is given for one text takes the place of the project's. */
function styleOfCall(ofProject: WritingStyle, given: Partial<WritingStyle>): WritingStyle {
  const set = Object.entries(given).filter(([, value]) => value !== null && value !== "");
  return { ...ofProject, ...Object.fromEntries(set) };
}

/** The section of the actor's piece in which the provider broke off. */
export async function readUnfinished(actor: Actor, id: string): Promise<{ unfinished: Unfinished }> {
  const { outline, body, textVersion } = await ownedContentFields(actor, id, {
    outline: true,
    body: true,
    textVersion: true,
  });
  const section = await selectUnfinished(prisma, id);
  if (!section) return { unfinished: null };
  const { heading, text, outlineHash, shownIn } = section;
  const ways = [
    ["all", hashOutline(outline)],
    ["missing", hashMissing(outline, body)],
  ] as const;
  const goesOn = ways.find(([, hash]) => hash === outlineHash)?.[0] ?? null;
  return { unfinished: { heading, text: text.trim(), isShown: shownIn === textVersion, goesOn } };
}
