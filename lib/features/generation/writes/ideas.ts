import "server-only";
import pLimit from "p-limit";
import { generate } from "@/lib/ai/generate";
import { type Idea, ideasPrompt, MAX_SHOWN_TITLES } from "@/lib/ai/prompts/ideas";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { AppError, isAppError } from "@/lib/errors";
import { countPiecesByKeyword, projectTitles } from "@/lib/features/content/reads";
import { projectFull, releasePieces, reservePieces, saveAiPieces } from "@/lib/features/content/writes";
import { aiProviderOf, topicContext } from "@/lib/features/generation/reads";
import { IDEAS_BUDGET_MS, MAX_CONCURRENT_IDEAS, nearNote } from "@/lib/features/generation/rules";
import { type GenerateIdeasInput, MAX_KEYWORDS_PER_IDEAS } from "@/lib/features/generation/schema";
import { withPlanningLease } from "@/lib/features/generation/writes/planning";
import { takenTitles } from "@/lib/features/generation/writes/taken-titles";
import { log } from "@/lib/log";
import { unseen } from "@/lib/utils/title-key";

type IdeasRequest = {
  actor: Actor;
  provider: AiProvider;
  projectId: number;
  topicId: number;
  context: Awaited<ReturnType<typeof topicContext>>["context"];
  count: number;
  /** Keys of all titles, including the ideas so far. */
  taken: Set<string>;
  /** The newest titles, which the provider sees. */
  titles: string[];
  /** New titles that are near to another. */
  near: string[];
  /** False once the call's time is up: calls under way end, and no other is begun. */
  hasTime: () => boolean;
};

/**
 * Content ideas for a topic: one request per keyword, those with the fewest pieces first. Each keyword's ideas are saved as
 * they arrive, so that a failure or the time limit loses none. Throws the first failure when all fail.
 */
export async function generateIdeas(actor: Actor, projectId: number, input: GenerateIdeasInput) {
  const { projectId: ofTopic, keywords, context } = await topicContext(actor, input.topicId);
  if (ofTopic !== projectId) throw new AppError("NOT_FOUND", { message: "This topic was not found in this project." });
  const provider = await aiProviderOf(actor);
  if (keywords.length === 0) throw new AppError("NO_KEYWORDS");
  return withPlanningLease(actor, input.topicId, "ideas", () =>
    requestAll(actor, { projectId, provider, context, keywords, ...input }),
  );
}

type IdeasPlan = Pick<IdeasRequest, "projectId" | "provider" | "context"> &
  GenerateIdeasInput & { keywords: { keyword: string }[] };

async function requestAll(actor: Actor, { projectId, provider, context, keywords, ...input }: IdeasPlan) {
  const began = performance.now();
  const hasTime = () => performance.now() - began < IDEAS_BUDGET_MS;
  const counts = await countPiecesByKeyword(actor, input.topicId);
  const countOf = (keyword: string) => counts.get(keyword.toLowerCase()) ?? 0;
  const ordered = keywords.map(({ keyword }) => keyword).sort((a, b) => countOf(a) - countOf(b));
  // This comes before anything is reserved or paid for, because the workers may refuse.
  const taken = await takenTitles(actor, projectId);
  const titles = await projectTitles(actor, projectId, MAX_SHOWN_TITLES);
  const max = Math.min(MAX_KEYWORDS_PER_IDEAS, ordered.length);
  const chosen = ordered.slice(0, await reservePieces(actor, projectId, { each: input.ideasPerKeyword, times: max }));
  if (chosen.length === 0) throw projectFull();
  const request: IdeasRequest = {
    actor,
    provider,
    projectId,
    topicId: input.topicId,
    context,
    count: input.ideasPerKeyword,
    taken,
    titles,
    near: [],
    hasTime,
  };
  const limit = pLimit(MAX_CONCURRENT_IDEAS);
  const asked: string[] = [];
  const settled = await Promise.allSettled(
    chosen.map((keyword) =>
      limit(async () => {
        if (asked.length > 0 && !hasTime()) return [];
        asked.push(keyword);
        return ideasOf(request, keyword);
      }),
    ),
  );
  const contentIdeas = settled.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const missing = chosen.length * input.ideasPerKeyword - contentIdeas.length;
  if (missing > 0) await releasePieces(actor, projectId, missing);
  const titlesMade = new Set(contentIdeas.map(({ title }) => title));
  const note = nearNote(
    "title",
    request.near.filter((title) => titlesMade.has(title)),
  );
  const rest = ordered.filter((keyword) => !asked.includes(keyword));
  const summary = summarize(contentIdeas.length, settled, chosen, rest);
  return { message: [summary, note].filter(Boolean).join(" "), contentIdeas };
}

async function ideasOf(request: IdeasRequest, keyword: string) {
  const ideas = await requestIdeas(request, keyword, request.count);
  const missing = request.count - ideas.length;
  // Ask once more in place of those dropped.
  if (missing > 0 && request.hasTime()) ideas.push(...(await requestIdeas(request, keyword, missing).catch(() => [])));
  const pieces = ideas.map(({ title, angle, intent }) => ({ title, angle, intent, focusKeyword: keyword }));
  const made = await saveAiPieces(request.actor, request, pieces);
  if (made.length > 0 || pieces.length === 0) return made;
  throw new AppError("NOT_FOUND", { message: "This topic was deleted while ideas for it were created." });
}

async function requestIdeas(request: IdeasRequest, keyword: string, count: number): Promise<Idea[]> {
  const prompt = ideasPrompt({
    ...request.context,
    keyword,
    count,
    existingTitles: request.titles,
    taken: request.taken,
  });
  const { value } = await generate(request.provider, prompt, { hasTime: request.hasTime });
  // Another keyword's answer may have taken a title since this one was read.
  const found = unseen(value.ideas, ({ title }) => title, request.taken).slice(0, count);
  const titles = found.map(({ item }) => item.title);
  for (const key of found.flatMap(({ keys }) => keys)) request.taken.add(key);
  request.near.push(...found.flatMap(({ item, isNear }) => (isNear ? item.title : [])));
  request.titles = [...titles, ...request.titles].slice(0, MAX_SHOWN_TITLES);
  return found.map(({ item }) => item);
}

/** The answer's message. Throws the first failure when there are no ideas. */
function summarize(made: number, settled: PromiseSettledResult<unknown>[], chosen: string[], rest: string[]): string {
  const errors = settled.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const [first] = errors;
  const failed = chosen.filter((_, index) => settled[index]?.status === "rejected");
  if (made === 0 && first) throw first;
  for (const error of errors) if (!isAppError(error)) log.warn({ err: error }, "ideas of one keyword failed");
  const parts = [`${made} content idea${made === 1 ? "" : "s"} created.`];
  if (failed.length > 0) parts.push(`No answer for: ${failed.join(", ")}. Try again for those.`);
  if (rest.length > 0) parts.push(`Not asked yet: ${rest.join(", ")}. Create ideas again to continue with them.`);
  return parts.join(" ");
}
