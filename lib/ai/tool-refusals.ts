import { env } from "@/lib/env";
import { boundedCache } from "@/lib/utils/bounded";

/** When each model refused tools. It depends on the user's plan too, so another user's refusal says nothing. */
const refusedAt = boundedCache<string, number>(
  "refused tools",
  1_000,
  "A refusal that is forgotten costs one more refused call.",
);

/** A plan or a model's settings may change. */
const REMEMBERED_MS = 24 * 3600 * 1000;

export function refusesTools(userId: string, now = Date.now()): boolean {
  return now - (refusedAt.get(keyOf(userId)) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS;
}

export function rememberToolRefusal(userId: string, now = Date.now()): void {
  refusedAt.set(keyOf(userId), now);
}

function keyOf(userId: string): string {
  return [userId, env.OPENAI_BASE_URL, env.OPENAI_MODEL].join(" ");
}
