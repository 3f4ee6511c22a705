import { env } from "@/lib/env";

/** When each model refused tools. It depends on the user's plan too, so another user's refusal says nothing. */
const refusedAt = new Map<string, number>();

const MAX_REMEMBERED = 1_000;
/** A plan or a model's settings may change. */
const REMEMBERED_MS = 24 * 3600 * 1000;

export function refusesTools(userId: string, now = Date.now()): boolean {
  return now - (refusedAt.get(keyOf(userId)) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS;
}

export function rememberToolRefusal(userId: string, now = Date.now()): void {
  refusedAt.delete(keyOf(userId));
  refusedAt.set(keyOf(userId), now);
  const [oldest] = refusedAt.keys();
  if (refusedAt.size > MAX_REMEMBERED && oldest !== undefined) refusedAt.delete(oldest);
}

function keyOf(userId: string): string {
  return [userId, env.OPENAI_BASE_URL, env.OPENAI_MODEL].join(" ");
}
