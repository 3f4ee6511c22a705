import { query } from "@/tests/bench/fairness/users";
import { quantile } from "@/tests/bench/figures";
import { type Counts, insertTopic, type Provider, type Side } from "@/tests/bench/queue/side";

const CALLS = 60;

/** Direct calls for an outline, each followed by the same call to the provider. */
export async function measureFirstWords(side: Side, provider: Provider): Promise<Counts> {
  const { bench, user } = side;
  const { url } = bench.stack;
  const { apiKey, url: providerUrl } = provider.ready;
  const topicId = await insertTopic(side, user, CALLS);
  const pieces = await query<{ id: string }>(bench, "SELECT id FROM content_pieces WHERE topic_id = $1", [topicId]);
  const [own, added]: [number[], number[]] = [[], []];
  for (const { id } of pieces) {
    const headers = { origin: url, cookie: user.cookie, accept: "text/event-stream" };
    const ours = await firstWordMs(`${url}/api/content/${id}/generate-outline`, { headers }, /^event: delta$/m);
    const body = JSON.stringify({ ...(await provider.ask<object>("body")), stream: true });
    const key = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const direct = await firstWordMs(`${providerUrl}/chat/completions`, { headers: key, body }, /"content":"[^"]/);
    own.push(direct);
    added.push(ours - direct);
  }
  return { ...quantilesOf("the provider's own", own), ...quantilesOf("added", added) };
}

function quantilesOf(name: string, values: number[]): Counts {
  const sorted = values.toSorted((a, b) => a - b);
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  return { [`first word: ${name}, p50, ms`]: p50, [`first word: ${name}, p99, ms`]: p99 };
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
