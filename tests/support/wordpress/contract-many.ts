import { renderPost } from "@/lib/wordpress/blocks";
import type { WordPressClient } from "@/lib/wordpress/client";
import type { WordPressLogin } from "@/lib/wordpress/request";
import type { WordPressPost } from "@/lib/wordpress/schema";
import type { Role } from "@/scripts/samples/wordpress/roles";
import { createDraft, updatePost } from "@/tests/support/wordpress/one-write";

export type ContractTools = {
  clientOf(role: Role): WordPressClient;
  loginOf(role: Role): WordPressLogin;
  newMarker(): string;
  publish(role: Role, markdown?: string, fields?: { slug?: string }): Promise<WordPressPost>;
  /** To the trash, or permanently. */
  remove(id: number, force: boolean): Promise<void>;
  categoriesOf(id: number): Promise<number[]>;
};

/** The part of the contract that is about many posts in one request. */
export function describeManyPosts({ clientOf, newMarker, publish, remove }: ContractTools): void {
  const draft = async (role: Role, marker = newMarker()) =>
    (await createDraft(clientOf(role), { marker, title: "A draft" })).id;

  describe("many posts", () => {
    it("are read at once as they are read singly, in every status", async () => {
      const client = clientOf("editor");
      const live = await publish("editor", "Some **bold** text");
      const withdrawn = await updatePost(client, (await publish("editor")).id, { status: "draft" });
      const trashed = await publish("author");
      await remove(trashed.id, false);
      const gone = await draft("editor");
      await remove(gone, true);
      const ids = [trashed.id, 99_999_999, live.id, gone, withdrawn.id];
      const found = await client.readPosts([...ids, live.id]);
      expect([...found.keys()].sort()).toEqual([live.id, withdrawn.id, trashed.id].sort());
      for (const [id, post] of found) expect({ state: "found", ...post }).toEqual(await client.readPost(id));
      expect(found.get(trashed.id)?.status).toBe("trash");
    });

    it("are read however many there are", async () => {
      const [first, second] = [await draft("editor"), await draft("editor")];
      const others = Array.from({ length: 149 }, (_, n) => 90_000_000 + n);
      const found = await clientOf("editor").readPosts([first, ...others, second]);
      expect([...found.keys()]).toEqual([first, second]);
    });

    it("leave out the drafts of others", async () => {
      const live = await publish("editor");
      const [hidden, own] = [await draft("editor"), await draft("author")];
      const found = await clientOf("author").readPosts([live.id, hidden, own]);
      // Releases without a later security fix list what others have published.
      expect([...found.keys()].filter((id) => id !== live.id)).toEqual([own]);
    });
  });

  describe("posts under markers", () => {
    it("are all found, oldest first, with what they hold", async () => {
      const client = clientOf("editor");
      const [one, none, written] = [newMarker(), newMarker(), newMarker()];
      const only = await draft("editor", one);
      const post = await draft("author", written);
      await updatePost(client, post, { content: renderPost("Text") });
      expect(await client.findByMarkers([written, none, one])).toEqual(
        new Map([
          [written, [{ id: post, status: "draft", isEmpty: false, meta: {} }]],
          [none, []],
          [one, [{ id: only, status: "draft", isEmpty: true, meta: {} }]],
        ]),
      );
    });

    it("are numbered when they are made again, drafts too", async () => {
      const client = clientOf("author");
      const marker = newMarker();
      const ids = [await draft("author", marker), await draft("author", marker), await draft("author", marker)];
      const slugs = [...(await client.readPosts(ids)).values()].map(({ slug }) => slug);
      expect(slugs).toEqual([marker, `${marker}-2`, `${marker}-3`]);
      const found = await client.findByMarkers([marker]);
      expect(found.get(marker)?.map(({ id }) => id)).toEqual(ids);
      // The number stays when the first has its own slug.
      await updatePost(client, ids[0] ?? 0, { slug: `own-${marker}`, content: "Text" });
      expect((await client.findByMarkers([marker])).get(marker)?.map(({ id }) => id)).toEqual(ids.slice(1));
    });

    it("are not found by an account that may not edit them", async () => {
      const marker = newMarker();
      await draft("editor", marker);
      expect((await clientOf("author").findByMarkers([marker])).get(marker)).toEqual([]);
    });

    it("are found in the trash, where their names change", async () => {
      const client = clientOf("editor");
      const [twice, both] = [newMarker(), newMarker()];
      const ids: number[] = [];
      for (let n = 0; n < 2; n++) {
        ids.push(await draft("editor", twice));
        await remove(ids.at(-1) ?? 0, false);
      }
      const numbered = [await draft("editor", both), await draft("editor", both)];
      for (const id of numbered) await remove(id, false);
      const found = await client.findByMarkers([twice, both]);
      const trashed = (id: number) => ({ id, status: "trash", isEmpty: true, meta: {} });
      expect(found.get(twice)).toEqual(ids.map(trashed));
      expect(found.get(both)).toEqual(numbered.map(trashed));
    });

    it("are found for as many markers as there are", async () => {
      const markers = Array.from({ length: 60 }, newMarker);
      const [first, last] = [await draft("author", markers[0]), await draft("author", markers[59])];
      const found = await clientOf("author").findByMarkers(markers);
      expect([...found.keys()]).toEqual(markers);
      expect([...found.values()].flat().map(({ id }) => id)).toEqual([first, last]);
    });
  });

  describe("removing a post", () => {
    it("is for good, from the trash too, and done when it is gone", async () => {
      const client = clientOf("author");
      const [kept, trashed] = [await draft("author"), await draft("author")];
      await remove(trashed, false);
      for (const id of [kept, trashed]) {
        await client.removePost(id);
        expect(await client.readPost(id)).toEqual({ state: "gone" });
        await client.removePost(id);
      }
    });

    it("is refused for a post of somebody else", async () => {
      const id = await draft("editor");
      const attempt = clientOf("author").removePost(id);
      await expect(attempt).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN", outcome: "refused" });
      expect(await clientOf("editor").readPost(id)).toMatchObject({ state: "found" });
    });
  });
}
