import { insertTitles } from "@/tests/bench/fairness/rows";
import { query } from "@/tests/bench/fairness/users";
import { quantile, spread } from "@/tests/bench/figures";
import type { Provider, Side } from "@/tests/bench/queue/side";

const CALLS = 60;

/** Direct calls for an outline, each followed by the same call to the provider. */
export async function measureFirstWords(side: Side, provider: Provider): Promise<Record<string, number>> {
  const { bench, user } = side;
  const { url } = bench.stack;
  const [plan] = await insertTitles(bench, user, CALLS);
  const pieces = await query<{ id: string }>(bench, "SELECT id FROM content_pieces WHERE topic_id = $1", [
    plan?.topicId,
  ]);
  const [own, added]: [number[], number[]] = [[], []];
  for (const { id } of pieces) {
    const headers = { origin: url, cookie: user.cookie, accept: "text/event-stream" };
    const ours = await firstWordMs(`${url}/api/content/${id}/generate-outline`, { headers }, /^event: delta$/m);
    const body = JSON.stringify({ ...(await provider.ask<object>("body")), stream: true });
    const key = { authorization: `Bearer ${provider.ready.apiKey}`, "content-type": "application/json" };
    const direct = await firstWordMs(
      `${provider.ready.url}/chat/completions`,
      { headers: key, body },
      /"content":"[^"]/,
    );
    own.push(direct);
    added.push(ours - direct);
  }
  const p99 = (values: number[]) =>
    quantile(
      values.toSorted((a, b) => a - b),
      0.99,
    );
  return {
    "first word: the provider's own, p50, ms": spread(own).median,
    "first word: the provider's own, p99, ms": p99(own),
    "first word: added, p50, ms": spread(added).median,
    "first word: added, p99, ms": p99(added),
  };
}

/** Milliseconds until the stream has what is looked for; reads it to its end. */
async function firstWordMs(url: string, init: RequestInit, word: RegExp): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { method: "POST", ...init });
  let text = "";
  let ms: number | undefined;
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (word.test(text)) ms ??= performance.now() - began;
  }
  if (ms === undefined) throw new Error(`No word came from ${url}, only: ${text.slice(0, 300)}`);
  return ms;
}
