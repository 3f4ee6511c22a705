import "server-only";
import { type AiProvider, createAiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { prisma } from "@/lib/db/prisma";
import { aiAccessOf } from "@/lib/features/account/settings/reads";
import { neighbourTitles, ownedContentFields } from "@/lib/features/content/reads";
import { MAX_NEIGHBOUR_TITLES } from "@/lib/features/generation/rules";
import type { Unfinished, WriteInput } from "@/lib/features/generation/schema";
import { hashMissing, hashOutline, selectUnfinished } from "@/lib/features/generation/sql";
import { styleOf } from "@/lib/features/projects/reads";
import type { WritingStyle } from "@/lib/features/projects/schema";
import { ownedTopicDetails } from "@/lib/features/topics/reads";

/**
 * The user's AI provider, with the fingerprint of the key and the model that it uses. Throws MISSING_API_KEY, with `message` if
 * given.
 */
export async function aiProviderOf(actor: Actor, message?: string): Promise<AiProvider & { fingerprint: string }> {
  const { key, fingerprint } = await aiAccessOf(actor, message);
  return { ...createAiProvider({ apiKey: key }), fingerprint };
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

export type PieceContext = Awaited<ReturnType<typeof pieceContext>>;

/** The actor's piece and the prompt input that its outline and sections are written from. */
export async function pieceContext(actor: Actor, id: string, style: WriteInput["style"] = {}) {
  const piece = await ownedContentFields(actor, id, PIECE);
  const [{ context }, neighbours] = await Promise.all([
    topicContext(actor, piece.topicId),
    neighbourTitles(actor, piece, MAX_NEIGHBOUR_TITLES),
  ]);
  const { title, focusKeyword, intent, angle } = piece;
  const project = { ...context.project, style: styleOfCall(context.project.style, style) };
  return { piece, input: { ...context, project, title, focusKeyword, intent, angle, neighbourTitles: neighbours } };
}

/** What is given for one text takes the place of the project's. */
function styleOfCall(ofProject: WritingStyle, given: Partial<WritingStyle>): WritingStyle {
  const set = Object.entries(given).filter(([, value]) => value !== null && value !== "");
  return { ...ofProject, ...Object.fromEntries(set) };
}

const PIECE = {
  id: true,
  topicId: true,
  title: true,
  outline: true,
  textVersion: true,
  focusKeyword: true,
  intent: true,
  angle: true,
  hasBody: true,
  hasOutline: true,
} as const;

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
