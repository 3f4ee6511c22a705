import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { AppError, isAppError } from "@/lib/errors";
import { encodedTitles } from "@/lib/features/content/reads";
import { TITLES_ON_THREAD_MAX } from "@/lib/limits/bounds";
import { runInWorker } from "@/lib/workers/run";
import { titleKeys } from "@/lib/workers/title-keys";

/**
 * The keys of every title in the actor's project; see `keysOf`. Throws SERVICE_UNAVAILABLE when the
 * workers have too much to do.
 */
export async function takenTitles(actor: Actor, projectId: number): Promise<Set<string>> {
  const { count, titles } = await encodedTitles(actor, projectId);
  const keys = count > TITLES_ON_THREAD_MAX ? await keysInWorker(actor, titles) : titleKeys(titles);
  return new Set(keys.split("\n"));
}

async function keysInWorker({ userId }: Actor, titles: string): Promise<string> {
  try {
    return await runInWorker(userId, "titleKeys", titles);
  } catch (error) {
    if (!isAppError(error, "SERVICE_UNAVAILABLE", "TOO_COMPLEX")) throw error;
    throw new AppError("SERVICE_UNAVAILABLE", { message: BUSY, retryAfter: RETRY_AFTER_SECONDS, cause: error });
  }
}

const RETRY_AFTER_SECONDS = 10;

const BUSY =
  "The server is too busy to compare new ideas with this project's titles. The AI was not asked for any; try again in a moment.";
