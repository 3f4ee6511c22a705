import { createSafeFetch } from "@/lib/net/safe-fetch";
import { UnreachableError, type UnreachableReason } from "@/lib/net/unreachable";
import { createWordPressClient } from "@/lib/wordpress/client";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { META_QUERY } from "@/lib/wordpress/meta";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { A_CALLER, type Answer, aPost, refusal, type SentRequest, siteThat } from "@/tests/support/wordpress/site-that";

const INDEX: Answer = { json: { name: "X", routes: { "/batch/v1": {} } } };
const isBatch = ({ url }: SentRequest) => url.pathname.endsWith("/batch/v1");
const isIndex = ({ url }: SentRequest) => url.pathname === "/wp-json/";
const unreachable = (reason: UnreachableReason, sent: boolean) => () => {
  throw new UnreachableError(reason, "x.example", { sent });
};

type Batch = {
  validation: string;
  requests: { method: string; path: string; body: { slug?: string; title?: string } }[];
};
const batchOf = ({ body }: SentRequest) => JSON.parse(body ?? "") as Batch;
const created = (id: number, slug = "m") => ({ status: 201, body: aPost(id, { slug, status: "draft" }), headers: [] });
const drafts = (count: number) => Array.from({ length: count }, (_, n) => ({ marker: `m-${n}`, title: `T ${n}` }));
const updates = (...ids: number[]) => ids.map((id) => ({ id, fields: { title: "New" } }));

/** A site that takes batches and answers them with `answer`, single creations with their marker. */
function batchSite(answer: (request: SentRequest) => Answer) {
  return siteThat((request) => {
    if (isIndex(request)) return INDEX;
    if (isBatch(request)) return answer(request);
    const { slug } = JSON.parse(request.body ?? "{}") as { slug?: string };
    const id = Number(/posts\/(\d+)$/.exec(request.url.pathname)?.[1] ?? 7);
    return { status: slug ? 201 : 200, json: aPost(id, slug ? { slug } : {}) };
  });
}
const obedient = (request: SentRequest): Answer => ({
  status: 207,
  json: {
    responses: batchOf(request).requests.map(({ path, body }, at) => {
      const id = Number(/posts\/(\d+)\?/.exec(path)?.[1] ?? 0);
      return id > 0 ? { status: 200, body: aPost(id), headers: [] } : created(at + 1, body.slug);
    }),
  },
});
const outcomes = (all: Awaited<ReturnType<ReturnType<typeof siteThat>["client"]["createDrafts"]>>) =>
  all.map((each) => {
    if (each.ok) return each.post.slug;
    return each.error instanceof WordPressWriteError ? each.error.outcome : `not sent: ${each.error.type}`;
  });

describe("a batch", () => {
  it("asks for the writes in WordPress' own form, and for the posts as one reading has them", async () => {
    const { client, requests } = batchSite(obedient);
    await client.createDrafts(drafts(2));
    await client.updatePosts(updates(8, 9));
    const [index, creation, update, ...more] = requests;
    expect(index && isIndex(index)).toBe(true);
    expect(more).toEqual([]);
    expect(creation).toMatchObject({ method: "POST", timeoutMs: 60_000, redirects: 0 });
    const fields = `id,status,link,slug,title.raw,content.raw,guid.raw,date_gmt,modified_gmt,${META_QUERY}`;
    const query = `context=edit&_fields=${encodeURIComponent(fields)}`;
    expect(creation && batchOf(creation)).toEqual({
      validation: "normal",
      requests: [0, 1].map((n) => ({
        method: "POST",
        path: `/wp/v2/posts?${query}`,
        body: { slug: `m-${n}`, title: `T ${n}`, status: "draft" },
      })),
    });
    expect(update && batchOf(update)).toEqual({
      validation: "normal",
      requests: [8, 9].map((id) => ({ method: "POST", path: `/wp/v2/posts/${id}?${query}`, body: { title: "New" } })),
    });
  });

  it("has its place in the address of plain permalinks", async () => {
    const { requests, fetch } = siteThat(obedient);
    const apiRoot = "https://x.example/blog/index.php?rest_route=/";
    const client = createWordPressClient({ ...A_CALLER, apiRoot, fetch, hasBatch: true });
    expect(outcomes(await client.createDrafts(drafts(2)))).toEqual(["m-0", "m-1"]);
    expect(requests[0]?.url.href).toBe("https://x.example/blog/index.php?rest_route=%2Fbatch%2Fv1");
  });

  const sizesOf = (requests: SentRequest[]) =>
    requests.filter((each) => !isIndex(each)).map((each) => (isBatch(each) ? batchOf(each).requests.length : "single"));

  it("holds at most 25 writes and a megabyte of text", async () => {
    const { client, requests } = batchSite(obedient);
    const sizes = async (texts: string[]) => {
      const before = requests.length;
      const posts = await client.updatePosts(texts.map((content, n) => ({ id: n + 1, fields: { content } })));
      expect(outcomes(posts)).toEqual(texts.map(() => "a"));
      return sizesOf(requests.slice(before));
    };
    await sizes(Array(50).fill("x"));
    expect(await sizes(Array(52).fill("x"))).toEqual([25, 25, 2]);
    // A single write does not wait for the turn of the batches.
    expect(await sizes(Array(76).fill("x"))).toEqual([25, 25, "single", 25]);
    const text = (length: number) => "x".repeat(length - '{"content":""}'.length);
    expect(await sizes([text(500_000), text(500_000), text(100)])).toEqual([2, "single"]);
    expect(await sizes([text(500_000), text(500_001), text(100)])).toEqual(["single", 2]);
    expect(await sizes([text(1_000_001), text(100), text(100)])).toEqual(["single", 2]);
  });

  it("is as large as the site takes it, and each write is sent once and in order", async () => {
    const { client, requests } = batchSite(obedient);
    expect(outcomes(await client.createDrafts(drafts(25)))).toEqual(drafts(25).map(({ marker }) => marker));
    expect(sizesOf(requests)).toEqual([5, 20]);
    const sent = requests.slice(1).flatMap((each) => batchOf(each).requests.map(({ body }) => body.slug));
    expect(sent).toEqual(drafts(25).map(({ marker }) => marker));
    expect(client.batchSize()).toBe(25);
  });

  it("is not made for one write, nor for none, and the index is not asked either", async () => {
    const { client, requestLines } = batchSite(obedient);
    expect(await client.createDrafts([])).toEqual([]);
    expect(outcomes(await client.createDrafts(drafts(1)))).toEqual(["m-0"]);
    expect(requestLines()).toEqual(["POST posts"]);
  });

  it("is made without asking the index when that is known", async () => {
    const { requests, fetch } = batchSite(obedient);
    const login = { ...A_CALLER, apiRoot: "https://x.example/wp-json/", fetch };
    await createWordPressClient({ ...login, hasBatch: true }).createDrafts(drafts(2));
    expect(requests.map(isBatch)).toEqual([true]);
    await createWordPressClient({ ...login, hasBatch: false }).createDrafts(drafts(2));
    expect(requests.map(isBatch)).toEqual([true, false, false]);
  });
});

describe("a batch that was refused as such", () => {
  it.each<[string, Answer]>([
    ["no such route", refusal(404, "rest_no_route")],
    ["a rule of a plugin", refusal(403, "rest_forbidden")],
    ["a firewall's page", { status: 403, json: undefined }],
    ["a page that forbids the method", { status: 405, json: undefined }],
    ["a limit of fewer writes", refusal(400, "rest_invalid_param")],
    ["the last of the refusing statuses", refusal(499, "rest_refused")],
  ])("is written one by one, now and later: %s", async (_what, answer) => {
    const { client, requestLines } = batchSite(() => answer);
    expect(outcomes(await client.createDrafts(drafts(2)))).toEqual(["m-0", "m-1"]);
    expect(outcomes(await client.updatePosts(updates(8, 9)))).toEqual(["a", "a"]);
    expect(requestLines()).toEqual(["GET ", "POST v1", "POST posts", "POST posts", "POST posts/8", "POST posts/9"]);
  });

  it("for its size is halved, and later batches are tried", async () => {
    const { client, requests } = batchSite((request) =>
      batchOf(request).requests.length > 3 ? { status: 413, json: undefined } : obedient(request),
    );
    expect(outcomes(await client.createDrafts(drafts(8)))).toEqual(drafts(8).map(({ marker }) => marker));
    await client.createDrafts(drafts(2));
    const sizes = requests.slice(1).map((request) => (isBatch(request) ? batchOf(request).requests.length : "single"));
    expect(sizes).toEqual([4, 2, 2, 2, 2, 2]);
  });

  it.each<[string, Answer]>([
    ["a wrong login", refusal(401, "incorrect_password")],
    ["too many requests", { status: 429, headers: { "retry-after": "600" }, json: undefined }],
    ["maintenance", { status: 503, headers: { "retry-after": "600" }, json: undefined }],
  ])("for a reason that single writes would meet too is refused to each: %s", async (_what, answer) => {
    const { client, requests } = batchSite(() => answer);
    expect(outcomes(await client.createDrafts(drafts(3)))).toEqual(["refused", "refused", "refused"]);
    expect(requests.map(isBatch)).toEqual([false, true]);
  });
});

describe("a batch whose outcome is not known", () => {
  const answers = (...responses: unknown[]): Answer => ({ status: 207, json: { responses } });

  it.each<[string, () => Answer]>([
    ["no answer", unreachable("timeout", true)],
    ["a dropped connection", unreachable("refused", true)],
    ["an answer that is too large", unreachable("too-large", true)],
    ["a fatal error", () => refusal(500, "internal_server_error")],
    ["a gateway's time-out", () => ({ status: 504, json: undefined })],
    ["a page", () => ({ status: 200, json: undefined })],
    ["a redirect", () => ({ status: 301, headers: { location: "https://y.example/" }, json: undefined })],
    ["a password of the whole site", () => ({ status: 401, json: undefined })],
    ["a server that was too slow", () => refusal(408, "rest_timeout")],
    ["an answer for one of two", () => answers(created(1))],
    ["an answer for three", () => answers(created(1), created(2), created(3))],
    ["another status", () => ({ status: 200, json: { responses: [created(1), created(2)] } })],
    ["no list", () => ({ status: 207, json: { responses: { 0: created(1), 1: created(2) } } })],
    ["another answer", () => ({ status: 207, json: {} })],
  ])("leaves each of its writes unknown, and writes nothing again: %s", async (_what, answer) => {
    const { client, requests } = batchSite(answer);
    expect(outcomes(await client.createDrafts(drafts(2)))).toEqual(["unknown", "unknown"]);
    expect(requests.map(isBatch)).toEqual([false, true]);
  });

  /** A site that fails its batches of these numbers, from 1; returns the outcomes of 25 creations and the markers sent. */
  async function failing(numbers: number[], answer: Answer) {
    let count = 0;
    const { client, requests } = batchSite((request) => (numbers.includes(++count) ? answer : obedient(request)));
    const seen = outcomes(await client.createDrafts(drafts(25)));
    return {
      seen,
      sent: requests.filter(isBatch).flatMap((each) => batchOf(each).requests.map(({ body }) => body.slug)),
    };
  }
  const markers = drafts(25).map(({ marker }) => marker);

  it("concerns no other batch of the same call", async () => {
    const { seen, sent } = await failing([1], refusal(500, "x"));
    expect(seen).toEqual([...Array(5).fill("unknown"), ...markers.slice(5)]);
    expect(sent).toEqual(markers);
  });

  it("ends the call after a second one in a row: the site is down", async () => {
    const { seen, sent } = await failing([1, 2], refusal(500, "x"));
    expect(seen).toEqual([...Array(7).fill("unknown"), ...Array(18).fill("refused")]);
    expect(sent).toEqual(markers.slice(0, 7));
    // Each batch seems to take seconds, so that the third is not the last.
    let now = Date.now();
    const clock = jest.spyOn(Date, "now").mockImplementation(() => (now += 1_000));
    const between = await failing([1, 3], refusal(500, "x"));
    clock.mockRestore();
    expect(between.seen.slice(0, 6)).toEqual([...Array(5).fill("unknown"), "m-5"]);
    expect(between.seen.at(-1)).toBe("m-24");
    expect(between.sent).toEqual(markers);
  });

  it("ends the call at once when it was refused", async () => {
    const { seen, sent } = await failing([1], { status: 503, headers: { "retry-after": "600" }, json: undefined });
    expect(seen).toEqual(Array(25).fill("refused"));
    expect(sent).toEqual(markers.slice(0, 5));
  });

  it("was not sent when there was no connection", async () => {
    const { client } = batchSite(unreachable("refused", false));
    expect(outcomes(await client.createDrafts(drafts(2)))).toEqual(Array(2).fill("not sent: CONNECTION_ERROR"));
  });

  it("may be so for single writes in it", async () => {
    const error = (status: number) => ({ status, body: { code: "x", message: "", data: null } });
    const { client } = batchSite((request) =>
      batchOf(request).requests.length < 8
        ? obedient(request)
        : answers(
            created(1, "first"),
            error(500),
            error(400),
            { status: 201, body: {} },
            { status: 200, body: aPost(2) },
            null,
            {},
            { status: "201", body: aPost(3) },
          ),
    );
    await client.createDrafts(drafts(5));
    expect(outcomes(await client.createDrafts(drafts(8)))).toEqual([
      "first",
      "unknown",
      "refused",
      ...Array(5).fill("unknown"),
    ]);
    const other = batchSite(() => answers({ status: 200, body: aPost(9) }, { status: 200, body: aPost(9) }));
    expect(outcomes(await other.client.updatePosts(updates(8, 9)))).toEqual(["unknown", "a"]);
  });
});

describe("a site whose index", () => {
  it("has no batches gets single writes, and is asked once", async () => {
    const { client, requests } = siteThat((request) =>
      isIndex(request) ? { json: { routes: [] } } : { status: 201, json: aPost(7) },
    );
    await client.createDrafts(drafts(2));
    await client.createDrafts(drafts(2));
    expect(requests.map(isIndex)).toEqual([true, false, false, false, false]);
  });

  it("is asked once for calls that begin together, and in advance", async () => {
    const { client, requests } = batchSite(obedient);
    client.prepareBatches();
    await Promise.all([client.createDrafts(drafts(2)), client.createDrafts(drafts(2))]);
    expect(requests.map(isIndex)).toEqual([true, false, false]);
  });

  it("did not answer in advance is asked again for the writes", async () => {
    const { client, requests } = siteThat((request, count) => {
      if (count === 1) throw new UnreachableError("timeout", "x.example", { sent: true });
      return isIndex(request) ? INDEX : obedient(request);
    });
    client.prepareBatches();
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes(await client.createDrafts(drafts(2)))).toEqual(["m-0", "m-1"]);
    expect(requests.map(isIndex)).toEqual([true, true, false]);
  });

  it("is hidden gets single writes", async () => {
    const { client } = siteThat((request) =>
      isIndex(request) ? refusal(403, "rest_forbidden") : { status: 201, json: aPost(7) },
    );
    expect(outcomes(await client.createDrafts(drafts(2)))).toEqual(["a", "a"]);
  });

  it("does not answer gets no writes", async () => {
    const { client, requests } = siteThat(unreachable("timeout", true));
    expect(outcomes(await client.createDrafts(drafts(30)))).toEqual(Array(30).fill("not sent: CONNECTION_ERROR"));
    expect(requests).toHaveLength(1);
  });
});

it("passes on an internal error", async () => {
  const broken = batchSite(() => {
    throw new Error("a fault of ours");
  });
  await expect(broken.client.createDrafts(drafts(2))).rejects.toThrow("a fault of ours");
});

describe("the sample site", () => {
  const fetch = createSafeFetch({ allowedHosts: "127.0.0.1" });
  let site: SampleWordPress;
  const client = () => {
    const { url, username, applicationPassword: password } = site;
    return createWordPressClient({
      userId: "one",
      apiRoot: `${url}/wp-json/`,
      username,
      password,
      fetch,
      timeoutMs: 300,
    });
  };
  const slugs = () => site.posts().map(({ slug }) => slug);

  beforeEach(async () => {
    site = await startSampleWordPress();
  });
  afterEach(() => site.close());

  it.each(["hangAfterBatch", "failAfterBatch"] as const)("carries a batch out under %s", async (fault) => {
    site.faults[fault] = 1;
    expect(outcomes(await client().createDrafts(drafts(3)))).toEqual(["unknown", "unknown", "unknown"]);
    expect(slugs()).toEqual(["m-0", "m-1", "m-2"]);
    expect(outcomes(await client().createDrafts(drafts(2)))).toEqual(["m-0-2", "m-1-2"]);
  });

  it("carries half a batch out under halfBatch", async () => {
    site.faults.halfBatch = 2;
    expect(outcomes(await client().createDrafts(drafts(3)))).toEqual(["unknown", "unknown", "unknown"]);
    expect(slugs()).toEqual(["m-0", "m-1"]);
    expect(
      outcomes(
        await client().createDrafts([
          { marker: "n-0", title: "N" },
          { marker: "n-1", title: "N" },
        ]),
      ),
    ).toEqual(["n-0", "n-1"]);
  });

  it.each([
    ["noBatch", ["GET /", "POST /wp/v2/posts", "POST /wp/v2/posts"]],
    ["batchFirewall", ["GET /", "POST /wp/v2/posts", "POST /wp/v2/posts"]],
  ] as const)("takes single writes under %s", async (fault, expected) => {
    site.faults[fault] = true;
    expect(outcomes(await client().createDrafts(drafts(2))).sort()).toEqual(["m-0", "m-1"]);
    expect(site.requests).toEqual(expected);
    expect((await client().readIndex()).hasBatch).toBe(fault !== "noBatch");
  });
});
