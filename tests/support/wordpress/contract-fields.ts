import { randomUUID } from "node:crypto";
import { acceptedFields } from "@/lib/wordpress/meta";
import type { ContractTools } from "@/tests/support/wordpress/contract-many";
import { createDraft, updatePost } from "@/tests/support/wordpress/one-write";
import { keysOf, SEO_PLUGINS, type SeoPlugin } from "@/tests/support/wordpress/seo-plugins";

type Tools = ContractTools & { activate(plugins: readonly SeoPlugin[]): void };

/** The part of the contract that is about the fields of SEO plugins, on a site that has our plugin. */
export function describeFields({ clientOf, newMarker, publish, activate }: Tools): void {
  describe("the fields of SEO plugins", () => {
    afterEach(() => activate([]));

    const newDraft = (role: "author" | "editor", marker = newMarker()) =>
      createDraft(clientOf(role), { marker, title: "With fields" });
    const empty = (plugins: readonly SeoPlugin[]) => Object.fromEntries(keysOf(plugins).map((key) => [key, ""]));

    it.each(Object.keys(SEO_PLUGINS) as SeoPlugin[])("are there while %s is defined, and no others", async (plugin) => {
      const client = clientOf("author");
      activate([plugin]);
      const marker = newMarker();
      const { id, meta } = await newDraft("author", marker);
      expect(meta).toEqual(empty([plugin]));
      expect((await client.findByMarkers([marker])).get(marker)).toEqual([expect.objectContaining({ id, meta })]);
      expect(await client.readPost(id)).toMatchObject({ meta });
    });

    it("are stored and read back, by an author too", async () => {
      const client = clientOf("author");
      activate(["WPSEO_VERSION", "RANK_MATH_VERSION"]);
      const { id, meta: before } = await newDraft("author");
      const given = {
        _yoast_wpseo_title: 'R&D, it\'s "5\\6" &lt;head&gt; 园艺 🌱',
        _yoast_wpseo_metadesc: "50%de %%date%% %date%",
        rank_math_focus_keyword: "raised beds",
      };
      const meta = { ...before, ...given };
      const text = { status: "publish", content: "Text", slug: `fields-${randomUUID()}` } as const;
      expect(await updatePost(client, id, { ...text, meta: given })).toMatchObject({ status: "publish", meta });
      expect(await client.readPost(id)).toMatchObject({ meta });
      expect((await client.readPosts([id])).get(id)).toMatchObject({ meta });
      expect(await updatePost(client, id, { title: "Again" })).toMatchObject({ meta });
      expect(await updatePost(client, id, { meta: { rank_math_focus_keyword: "beds" } })).toMatchObject({
        meta: { ...meta, rank_math_focus_keyword: "beds" },
      });
    });

    it("are stored as plain text on one line", async () => {
      activate(["THE_SEO_FRAMEWORK_VERSION"]);
      const { id } = await newDraft("author");
      const meta = { _genesis_title: " <b>Deep</b>\n beds " };
      expect((await updatePost(clientOf("author"), id, { meta })).meta._genesis_title).toBe("Deep beds");
    });

    it("are refused to who may not edit the post", async () => {
      activate(["WPSEO_VERSION"]);
      const { id, meta } = await publish("editor");
      const attempt = updatePost(clientOf("author"), id, { meta: { _yoast_wpseo_title: "Mine" } });
      await expect(attempt).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN", outcome: "refused" });
      expect(await clientOf("editor").readPost(id)).toMatchObject({ meta });
    });

    it("are dropped in silence where no SEO plugin is", async () => {
      const { id, meta } = await newDraft("author");
      expect([meta, acceptedFields(meta)]).toEqual([{}, []]);
      const given = { title: "Taken", meta: { _yoast_wpseo_title: "Lost" } };
      expect(await updatePost(clientOf("author"), id, given)).toMatchObject({ title: "Taken", meta: {} });
      activate(["WPSEO_VERSION"]);
      expect(await clientOf("author").readPost(id)).toMatchObject({ meta: empty(["WPSEO_VERSION"]) });
    });
  });
}
