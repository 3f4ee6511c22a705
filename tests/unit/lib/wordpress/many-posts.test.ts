import { UnreachableError } from "@/lib/net/unreachable";
import { META_QUERY } from "@/lib/wordpress/meta";
import { READ_FIELDS } from "@/lib/wordpress/posts";
import {
  type Answer,
  aPost,
  refusal,
  type SentRequest,
  siteThat,
  UNEXPECTED,
} from "@/tests/support/wordpress/site-that";

const tooLarge = () => {
  throw new UnreachableError("too-large", "x.example", { sent: true });
};
const listed = ({ url }: SentRequest, name: string) => (url.searchParams.get(name) ?? "").split(",");
const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe("reading many posts", () => {
  /** A site with every post, whose answers hold at most `most` of them. */
  const siteOf = (most: number) =>
    siteThat((request) => {
      const asked = listed(request, "include").map(Number);
      return asked.length > most ? tooLarge() : { json: asked.map((id) => aPost(id)) };
    });
  const sizes = (requests: SentRequest[]) => requests.map((request) => listed(request, "include").length);

  it("takes a request for each hundred, with all that one reading has", async () => {
    const { client, requests } = siteOf(100);
    expect([...(await client.readPosts(ids(250))).keys()]).toEqual(ids(250));
    expect(sizes(requests)).toEqual([100, 100, 50]);
    const { include: _include, ...query } = Object.fromEntries(requests[0]?.url.searchParams ?? []);
    expect(query).toEqual({
      orderby: "include",
      per_page: "100",
      status: "any,trash",
      context: "edit",
      _fields: READ_FIELDS,
      cp: expect.any(String),
    });
  });

  it("sends nothing for none, and each id once", async () => {
    const { client, requests } = siteOf(100);
    expect(await client.readPosts([])).toEqual(new Map());
    expect(requests).toEqual([]);
    await client.readPosts([7, 7, 8]);
    expect(requests.map((request) => listed(request, "include"))).toEqual([["7", "8"]]);
  });

  it("asks for half as many while the answer is too large, and goes on so", async () => {
    const { client, requests } = siteOf(30);
    expect([...(await client.readPosts(ids(120))).keys()]).toEqual(ids(120));
    expect(sizes(requests)).toEqual([100, 50, 25, 25, 25, 25, 20]);
  });

  it("leaves out a single post that is too large, for its own reading to report", async () => {
    const { client, requests } = siteThat((request) =>
      listed(request, "include").includes("2")
        ? tooLarge()
        : { json: listed(request, "include").map((id) => aPost(Number(id))) },
    );
    expect([...(await client.readPosts([1, 2, 3])).keys()]).toEqual([1, 3]);
    expect(requests.map((request) => listed(request, "include"))).toEqual([
      ["1", "2", "3"],
      ["1", "2"],
      ["1"],
      ["2"],
      ["3"],
    ]);
  });

  it("leaves out posts of another shape and posts that nobody asked for", async () => {
    const { client } = siteThat(() => ({ json: [aPost(1), { id: 2 }, aPost(9), null] }));
    expect([...(await client.readPosts([1, 2])).keys()]).toEqual([1]);
  });

  it("fails when the answer is no list, or another failure comes", async () => {
    await expect(siteThat(() => ({ json: {} })).client.readPosts([1])).rejects.toMatchObject(UNEXPECTED);
    const late = siteThat(() => {
      throw new UnreachableError("timeout", "x.example", { sent: true });
    });
    await expect(late.client.readPosts([1, 2])).rejects.toMatchObject({ type: "CONNECTION_ERROR" });
    expect(late.requests).toHaveLength(1);
  });
});

describe("looking for many markers", () => {
  const markers = (count: number, length = 20) => ids(count).map((n) => `m-${n}`.padEnd(length, "x"));
  const found = (id: number, slug: string, raw = "") => ({ id, status: "draft", slug, content: { raw } });
  const look = (json: unknown, asked = ["a", "b"]) => siteThat(() => ({ json })).client.findByMarkers(asked);

  it("asks for the names that WordPress may have given", async () => {
    const { client, requests } = siteThat(() => ({ json: [] }));
    expect(await client.findByMarkers(["M-1"])).toEqual(new Map([["M-1", []]]));
    expect(requests).toHaveLength(1);
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toEqual({
      slug: "m-1,m-1-2,m-1-3,m-1__trashed,m-1-2__trashed,m-1__trashed-2",
      orderby: "id",
      order: "asc",
      per_page: "100",
      status: "any,trash",
      context: "edit",
      _fields: `id,status,slug,content.raw,excerpt.raw,${META_QUERY}`,
      cp: expect.any(String),
    });
  });

  it("gives each its own posts, and says which are empty", async () => {
    const json = [found(3, "b-2", " \n"), found(4, "a", "Text"), found(5, "b__trashed")];
    expect(await look(json)).toEqual(
      new Map([
        ["a", [{ id: 4, status: "draft", isEmpty: false, meta: {} }]],
        [
          "b",
          [
            { id: 3, status: "draft", isEmpty: true, meta: {} },
            { id: 5, status: "draft", isEmpty: true, meta: {} },
          ],
        ],
      ]),
    );
  });

  it("takes at most fifty a request, and no line longer than servers take", async () => {
    const short = siteThat(() => ({ json: [] }));
    await short.client.findByMarkers(markers(51, 5));
    expect(short.requests.map((request) => listed(request, "slug").length)).toEqual([300, 6]);
    const long = siteThat(() => ({ json: [] }));
    expect((await long.client.findByMarkers(markers(50, 52))).size).toBe(50);
    expect(long.requests.flatMap((request) => listed(request, "slug"))).toHaveLength(300);
    for (const { url } of long.requests) expect(url.href.length).toBeLessThan(6_300);
    expect(long.requests.length).toBeLessThan(5);
  });

  it.each([
    ["6,000 characters", 157, 1],
    ["6,006 characters", 158, 2],
  ])("asks for names of %s", async (_length, last, expected) => {
    const { client, requests } = siteThat(() => ({ json: [] }));
    await client.findByMarkers([..."abcde"].map((letter) => letter.repeat(158)).concat("f".repeat(last)));
    expect(requests).toHaveLength(expected);
  });

  it("asks for half as many when the answer is too large or full", async () => {
    const full = Array.from({ length: 100 }, (_, n) => found(n + 1, "a"));
    for (const answer of [tooLarge, () => ({ json: full })]) {
      const { client, requests } = siteThat((request) =>
        listed(request, "slug").length > 6 ? answer() : { json: [found(7, listed(request, "slug")[0] ?? "")] },
      );
      const all = await client.findByMarkers(["a", "b", "c"]);
      expect([...all.values()].map((posts) => posts.map(({ id }) => id))).toEqual([[7], [7], [7]]);
      expect(requests.map((request) => listed(request, "slug").length)).toEqual([18, 12, 6, 6, 6]);
    }
  });

  it("does not call a post missing that is too large to read", async () => {
    const attempt = siteThat(tooLarge).client.findByMarkers(["a"]);
    await expect(attempt).rejects.toMatchObject({ type: "CONNECTION_ERROR" });
  });

  it.each<[string, unknown]>([
    ["a post under another name", [found(1, "elsewhere")]],
    ["no list", { id: 1 }],
    ["a post without its text", [{ id: 1, status: "draft", slug: "a" }]],
  ])("does not believe an answer with %s", async (_what, json) => {
    await expect(look(json)).rejects.toMatchObject(UNEXPECTED);
  });
});

describe("removing a post", () => {
  const remove = (answer: Answer) => siteThat(() => answer).client.removePost(7);

  it("asks for it past the trash", async () => {
    const { client, requests } = siteThat(() => ({ json: { deleted: true, previous: {} } }));
    await client.removePost(7);
    expect(requests.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
      "DELETE /wp-json/wp/v2/posts/7?force=true",
    ]);
  });

  it("is done when the post is gone already", async () => {
    await expect(remove(refusal(404, "rest_post_invalid_id"))).resolves.toBeUndefined();
    await expect(remove(refusal(410, "rest_already_trashed"))).resolves.toBeUndefined();
  });

  it.each<[string, Answer, string]>([
    ["no such route", refusal(404, "rest_no_route"), "refused"],
    ["no right", refusal(403, "rest_cannot_delete"), "refused"],
    ["an internal error", refusal(500, "internal_server_error"), "unknown"],
    ["another answer", { json: { deleted: false } }, "unknown"],
  ])("fails at %s", async (_what, answer, outcome) => {
    await expect(remove(answer)).rejects.toMatchObject({ outcome });
  });
});
