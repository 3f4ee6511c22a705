import type { RealWordPress } from "@/tests/support/real-wordpress";

export type SitePost = { title: string; content: string; categories: number[] };

/** How a post comes to a site: in one write, or as an empty draft that is found again, then with its text. */
export type Way = "once" | "twice";

/** WordPress' own limit. */
const BATCH = 25;

/** A loop that writes as fast as the site takes it, and keeps nothing that it would need after a lost answer. */
export function siteWriter({ url, users }: RealWordPress) {
  const { username, applicationPassword } = users.editor;
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString("base64")}`,
    "content-type": "application/json",
  };
  return { write, posts, clear };

  /** Seconds for all of them. */
  async function write(all: SitePost[], way: Way, concurrency: number): Promise<number> {
    const groups = Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) =>
      all.slice(n * BATCH, (n + 1) * BATCH),
    );
    const began = performance.now();
    const work = async () => {
      for (let group = groups.shift(); group; group = groups.shift()) await writeGroup(group, way);
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return (performance.now() - began) / 1_000;
  }

  async function writeGroup(group: SitePost[], way: Way): Promise<void> {
    if (way === "once")
      return void (await batch(
        group.map((post) => ({ body: { ...post, ...live(post) } })),
        201,
      ));
    const drafts = group.map(({ title }) => ({
      body: { title, status: "draft", slug: `bench-${crypto.randomUUID()}` },
    }));
    const ids = await batch(drafts, 201);
    await batch(
      group.map((post, at) => ({ id: ids[at], body: { ...post, ...live(post) } })),
      200,
    );
  }

  function live({ title }: SitePost) {
    return { status: "publish", slug: title.toLowerCase().replace(/[^a-z0-9]+/g, "-") };
  }

  async function batch(writes: { id?: number; body?: object; method?: string }[], expected: number): Promise<number[]> {
    const requests = writes.map(({ id, body, method = "POST" }) => ({
      method,
      path: `/wp/v2/posts${id === undefined ? "" : `/${id}`}?_fields=id${method === "DELETE" ? "&force=true" : ""}`,
      ...(body ? { body } : {}),
    }));
    const answer = await fetch(`${url}/?rest_route=/batch/v1`, {
      method: "POST",
      headers,
      body: JSON.stringify({ validation: "normal", requests }),
    });
    const { responses } = (await answer.json()) as { responses: { status: number; body: { id: number } }[] };
    const failed = responses.find(({ status }) => status !== expected);
    if (answer.status !== 207 || failed) throw new Error(`A batch failed: ${answer.status} ${JSON.stringify(failed)}`);
    return responses.map(({ body }) => body.id);
  }

  /** The newest hundred, as the site stores them. */
  async function posts(): Promise<(SitePost & { id: number })[]> {
    const query = "status=any,trash&context=edit&per_page=100&_fields=id,title.raw,content.raw,categories";
    const answer = await fetch(`${url}/?rest_route=/wp/v2/posts&${query}`, { headers });
    const found = (await answer.json()) as {
      id: number;
      title: { raw: string };
      content: { raw: string };
      categories: number[];
    }[];
    return found.map(({ title, content, ...rest }) => ({ ...rest, title: title.raw, content: content.raw }));
  }

  /** Removes every post, so that each round begins with the same tables; returns how many there were. */
  async function clear(): Promise<number> {
    let removed = 0;
    for (;;) {
      const ids = (await posts()).map(({ id }) => id);
      if (ids.length === 0) return removed;
      for (let at = 0; at < ids.length; at += BATCH)
        await batch(
          ids.slice(at, at + BATCH).map((id) => ({ id, method: "DELETE" })),
          200,
        );
      removed += ids.length;
    }
  }
}
