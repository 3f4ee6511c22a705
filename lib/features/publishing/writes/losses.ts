import "server-only";
import type { Actor } from "@/lib/auth/actor";
import { isAppError } from "@/lib/errors";
import { findPiecesWith } from "@/lib/features/content/reads";
import { COUNTING_MS, COUNTS_REMEMBERED, inChunks, MAX_RENDERING } from "@/lib/features/publishing/rules";
import type { LossCount, LossCountsQuery } from "@/lib/features/publishing/schema";
import { boundedCache } from "@/lib/utils/bounded";
import { countLossesInWorker } from "@/lib/workers/post";

// Reads alone, for the tables, whose rows have no text.

/**
 * How much of each piece's text its readers will not get. It leaves out pieces that are not the actor's, texts that are too
 * complex, and those that it does not come to within COUNTING_MS, which the next call counts.
 */
export async function countLosses(actor: Actor, { ids }: LossCountsQuery): Promise<LossCount[]> {
  const pieces = await findPiecesWith(actor, ids, { id: true, version: true });
  const uncounted = pieces.filter((piece) => !counts.has(keyOf(piece))).map(({ id }) => id);
  const found = new Map(pieces.map((piece) => [piece.id, counts.get(keyOf(piece))]));
  const until = performance.now() + COUNTING_MS;
  for (const batch of inChunks(uncounted, MAX_RENDERING)) {
    if (performance.now() > until) break;
    const texts = await findPiecesWith(actor, batch, { id: true, version: true, body: true });
    const all = await Promise.all(texts.map((text) => countIn(actor, text)));
    for (const [at, count] of all.entries()) found.set(texts[at]?.id ?? "", count);
  }
  return [...found].flatMap(([id, count]) => (typeof count === "number" ? { id, count } : []));
}

type Text = { id: string; version: number; body: string };

/** Null: the text is too complex. Undefined: too many texts wait. */
async function countIn({ userId }: Actor, text: Text): Promise<Count | undefined> {
  try {
    return remember(text, await countLossesInWorker(userId, text.body));
  } catch (error) {
    if (isAppError(error, "TOO_COMPLEX")) return remember(text, null);
    if (isAppError(error, "SERVICE_UNAVAILABLE")) return undefined;
    throw error;
  }
}

type Count = number | null;

/** What this process has counted: a page that is opened again costs no rendering. */
const counts = boundedCache<string, Count>("losses", COUNTS_REMEMBERED, "A text that is forgotten is counted again.");

function remember(text: Text, count: Count): Count {
  counts.set(keyOf(text), count);
  return count;
}

function keyOf({ id, version }: Pick<Text, "id" | "version">): string {
  return `${id} ${version}`;
}
