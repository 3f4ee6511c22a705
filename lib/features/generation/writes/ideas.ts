import "server-only";
import { generate } from "@/lib/ai/generate";
import { type Idea, ideasPrompt } from "@/lib/ai/prompts/ideas";
import type { AiProvider } from "@/lib/ai/provider";
import type { Actor } from "@/lib/auth/actor";
import { AppError, isAppError } from "@/lib/errors";
import { createPieces, giveBackPieces, promiseRoom, tooManyPieces } from "@/lib/features/content/writes";
import { ideasPerKeyword, projectTitles, topicContext } from "@/lib/features/generation/reads";
import { IDEAS_AT_ONCE, IDEAS_BUDGET_MS, newTitles } from "@/lib/features/generation/rules";
import { type GenerateIdeasInput, MAX_KEYWORDS_PER_IDEAS } from "@/lib/features/generation/schema";
import { planningOnce } from "@/lib/features/generation/writes/planning";
import { providerOf } from "@/lib/features/generation/writes/section";
import { log } from "@/lib/log";
import { createLimiter } from "@/lib/utils/limiter";
import { fingerprint } from "@/lib/utils/text";

type Asking = {
  actor: Actor;
  provider: AiProvider;
  projectId: number;
  topicId: number;
  context: Awaited<ReturnType<typeof topicContext>>["context"];
  count: number;
  /** Fingerprints of every title there is; grows while ideas come in, so that none comes twice. */
  taken: Set<string>;
  titles: string[];
  signal: AbortSignal;
};

/**
 * Content ideas for a topic: one ask per keyword, those with fewest ideas first, four at once. Ideas are saved as each
 * keyword's come in, so a keyword that fails or a budget that ends does not lose the others'. All fail: the first error.
 */
export async function generateIdeas(actor: Actor, projectId: number, input: GenerateIdeasInput) {
  const { projectId: ofTopic, keywords, context } = await topicContext(actor, input.topicId);
  if (ofTopic !== projectId) throw new AppError("NOT_FOUND", { message: "This topic was not found in this project." });
  const provider = await providerOf(actor);
  if (keywords.length === 0) throw new AppError("NO_KEYWORDS");
  return planningOnce(actor, input.topicId, "ideas", () =>
    askForAll(actor, { projectId, provider, context, keywords, ...input }),
  );
}

type Planned = Pick<Asking, "projectId" | "provider" | "context"> &
  GenerateIdeasInput & { keywords: { keyword: string }[] };

async function askForAll(actor: Actor, { projectId, provider, context, keywords, ...input }: Planned) {
  const had = await ideasPerKeyword(actor, input.topicId);
  const countOf = (keyword: string) => had.get(keyword.toLowerCase()) ?? 0;
  const ordered = keywords.map(({ keyword }) => keyword).sort((a, b) => countOf(a) - countOf(b));
  const titles = await projectTitles(actor, projectId);
  const most = Math.min(MAX_KEYWORDS_PER_IDEAS, ordered.length);
  const chosen = ordered.slice(0, await promiseRoom(actor, projectId, { each: input.ideasPerKeyword, times: most }));
  if (chosen.length === 0) throw tooManyPieces();
  const asking: Asking = {
    actor,
    provider,
    projectId,
    topicId: input.topicId,
    context,
    count: input.ideasPerKeyword,
    taken: new Set(titles.map(fingerprint)),
    titles,
    signal: AbortSignal.timeout(IDEAS_BUDGET_MS),
  };
  const limited = createLimiter(IDEAS_AT_ONCE);
  const settled = await Promise.allSettled(chosen.map((keyword) => limited(() => ideasOf(asking, keyword))));
  const contentIdeas = settled.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  const missing = chosen.length * input.ideasPerKeyword - contentIdeas.length;
  if (missing > 0) await giveBackPieces(actor, projectId, missing);
  return { message: messageOf(contentIdeas.length, settled, chosen, ordered.slice(chosen.length)), contentIdeas };
}

async function ideasOf(asking: Asking, keyword: string) {
  const ideas = await ask(asking, keyword, asking.count);
  const missing = asking.count - ideas.length;
  // Near-duplicates were dropped: their places are asked for once more.
  if (missing > 0) ideas.push(...(await ask(asking, keyword, missing).catch(() => [])));
  const pieces = ideas.map(({ title, angle, intent }) => ({ title, angle, intent, focusKeyword: keyword }));
  const made = await createPieces(asking.actor, asking, pieces);
  if (made.length > 0 || pieces.length === 0) return made;
  throw new AppError("NOT_FOUND", { message: "This topic was deleted while ideas for it were created." });
}

async function ask(asking: Asking, keyword: string, count: number): Promise<Idea[]> {
  const prompt = ideasPrompt({ ...asking.context, keyword, count, existingTitles: asking.titles });
  const { value } = await generate(asking.provider, prompt, { signal: asking.signal });
  const fresh = newTitles(value.ideas, asking.taken).slice(0, count);
  asking.titles.unshift(...fresh.map(({ title }) => title));
  return fresh;
}

/** What came of all keywords, in words. Throws the first failure where nothing came. */
function messageOf(made: number, settled: PromiseSettledResult<unknown>[], chosen: string[], rest: string[]): string {
  const errors = settled.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const [first] = errors;
  const failed = chosen.filter((_, index) => settled[index]?.status === "rejected");
  if (made === 0 && first) throw first;
  for (const error of errors) if (!isAppError(error)) log.warn({ err: error }, "ideas of one keyword failed");
  const parts = [`${made} content idea${made === 1 ? "" : "s"} created.`];
  if (failed.length > 0) parts.push(`No answer for: ${failed.join(", ")}. Try again for those.`);
  if (rest.length > 0) parts.push(`Not asked yet: ${rest.join(", ")}. Create ideas again to go on with them.`);
  return parts.join(" ");
}
