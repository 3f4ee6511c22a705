import { randomUUID } from "node:crypto";
import { createSafeFetch, type SafeFetch } from "@/lib/net/safe-fetch";
import type { WriteOutcome } from "@/lib/wordpress/batch-writes";
import { renderPost } from "@/lib/wordpress/blocks";
import { createWordPressClient, type WordPressClient } from "@/lib/wordpress/client";
import type { WordPressPost } from "@/lib/wordpress/schema";
import type { Role } from "@/scripts/samples/wordpress/roles";
import type { ContractTools } from "@/tests/support/wordpress/contract-many";
import { EVERYTHING } from "@/tests/support/wordpress/every-markdown";

/** The part of the contract that is about many writes: the same, whether in batches or one by one. */
export function describeManyWrites({ loginOf, newMarker, remove, categoriesOf }: ContractTools): void {
  describe.each([
    ["in batches", undefined],
    ["one by one", false],
  ])("many writes %s", (_how, hasBatch) => {
    /** A client, and the paths of its writes. */
    function counting(role: Role): { client: WordPressClient; writes: string[] } {
      const login = loginOf(role);
      const writes: string[] = [];
      const fetch: SafeFetch = (url, options) => {
        if (options?.method === "POST") writes.push(String(url));
        return (login.fetch ?? createSafeFetch())(url, options);
      };
      return { client: createWordPressClient({ ...login, fetch, hasBatch }), writes };
    }
    const drafts = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ marker: newMarker(), title: `No. ${n}` }));

    it("make drafts under their markers, in order, then their posts", async () => {
      const { client, writes } = counting("author");
      const wanted = drafts(30);
      const created = postsOf(await client.createDrafts(wanted));
      expect(created).toMatchObject(
        wanted.map(({ marker, title }) => ({ slug: marker, title, status: "draft", content: "" })),
      );
      if (hasBatch === false) expect(writes).toHaveLength(30);
      // Five in the first, more in the next.
      else expect(writes.length).toBeLessThan(10);
      const found = await client.findByMarkers(wanted.map(({ marker }) => marker));
      expect([...found.values()]).toEqual(created.map(({ id }) => [{ id, status: "draft", isEmpty: true, meta: {} }]));

      const updates = created.map(({ id, title }, n) => ({
        id,
        fields: {
          title: `${title}!`,
          content: renderPost(`Text ${n}`),
          slug: `no-${n}-${randomUUID()}`,
          excerpt: `Number ${n}, in short.`,
          status: "publish",
        } as const,
      }));
      const updated = postsOf(await client.updatePosts(updates));
      expect(updated).toMatchObject(updates.map(({ id, fields: { excerpt: _, ...fields } }) => ({ id, ...fields })));
      const read = [...(await client.readPosts(updated.map(({ id }) => id))).values()];
      expect(read).toEqual(
        updated.map((post, n) => ({
          ...post,
          categories: [expect.any(Number)],
          excerpt: updates[n]?.fields.excerpt,
        })),
      );
    }, 30_000);

    it("keep every text exactly, and change only what is named", async () => {
      const { client } = counting("administrator");
      const category = await client.ensureCategory(`Batch ${randomUUID()}`);
      const [one, two] = postsOf(await client.createDrafts(drafts(2)));
      const content = renderPost(EVERYTHING);
      const title = '„Größe“ 园艺 🌱 it\'s "5\\6" \\\\ <b>bold</b> & more';
      const update = (id = 0) => ({ id, fields: { title, content, categories: [category] } });
      for (const written of postsOf(await client.updatePosts([update(one?.id), update(two?.id)]))) {
        expect(written).toMatchObject({ title, content, status: "draft" });
        expect(await categoriesOf(written.id)).toEqual([category]);
      }
      const [cleared, kept] = postsOf(
        await client.updatePosts([
          { id: one?.id ?? 0, fields: { categories: [] } },
          { id: two?.id ?? 0, fields: { status: "publish" } },
        ]),
      );
      expect(cleared).toMatchObject({ title, content });
      expect(kept).toMatchObject({ title, content, slug: two?.slug });
      // WordPress gives a post without any its default one.
      expect([await categoriesOf(one?.id ?? 0), await categoriesOf(two?.id ?? 0)]).toEqual([[], [category]]);
    });

    it("have an outcome each, and one that is refused stops no other", async () => {
      const { client } = counting("author");
      const others = postsOf(await counting("editor").client.createDrafts(drafts(1)))[0];
      const own = postsOf(await client.createDrafts(drafts(3)));
      await remove(own[1]?.id ?? 0, true);
      const ids = [own[0], own[1], others, own[2]].map((each) => each?.id ?? 0);
      const outcomes = await client.updatePosts(ids.map((id) => ({ id, fields: { title: "Changed" } })));
      expect(outcomes).toMatchObject([
        { ok: true, post: { id: ids[0], title: "Changed" } },
        { ok: false, error: { type: "REMOTE_GONE", outcome: "refused" } },
        { ok: false, error: { type: "WORDPRESS_FORBIDDEN", outcome: "refused" } },
        { ok: true, post: { id: ids[3], title: "Changed" } },
      ]);
    });

    it("are refused to a contributor who publishes, and to a wrong password", async () => {
      const { client } = counting("contributor");
      const created = postsOf(await client.createDrafts(drafts(2)));
      const published = await client.updatePosts(created.map(({ id }) => ({ id, fields: { status: "publish" } })));
      expect(published).toMatchObject(
        created.map(() => ({ ok: false, error: { type: "WORDPRESS_FORBIDDEN", outcome: "refused" } })),
      );
      const login = { ...loginOf("author"), password: "abcd efgh ijkl mnop qrst uvwx", hasBatch };
      expect(await createWordPressClient(login).createDrafts(drafts(2))).toMatchObject(
        created.map(() => ({ ok: false, error: { type: "WORDPRESS_REJECTED", outcome: "refused" } })),
      );
    });
  });

  it("many drafts in a batch number the markers that are taken", async () => {
    const marker = newMarker();
    const client = createWordPressClient(loginOf("author"));
    const created = postsOf(await client.createDrafts([1, 2].map((n) => ({ marker, title: `No. ${n}` }))));
    expect(created.map(({ slug }) => slug)).toEqual([marker, `${marker}-2`]);
  });
}

/** The posts of writes that all succeeded. */
function postsOf(outcomes: WriteOutcome[]): WordPressPost[] {
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw outcome.error;
    return outcome.post;
  });
}
