import { apiUrl } from "@/lib/wordpress/api-url";
import { createWordPressClient } from "@/lib/wordpress/client";
import { SEOPRESS_NAMESPACE } from "@/lib/wordpress/seopress";
import type { ContractTools } from "@/tests/support/wordpress/contract-many";
import { createDraft } from "@/tests/support/wordpress/one-write";
import type { SeoPlugin } from "@/tests/support/wordpress/seo-plugins";

type Tools = ContractTools & { activate(plugins: readonly SeoPlugin[]): void };

/** The part of the contract that is about SEOPress' own routes. */
export function describeSeoPress({ clientOf, loginOf, newMarker, activate }: Tools): void {
  describe("SEOPress", () => {
    beforeEach(() => activate(["SEOPRESS_VERSION"]));
    afterEach(() => activate([]));

    const newDraft = async () =>
      (await createDraft(clientOf("author"), { marker: newMarker(), title: "In SEOPress" })).id;
    const ask = async (id: number, route: string, body?: object) => {
      const { apiRoot, fetch, username, password } = loginOf("author");
      const login = { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
      const url = apiUrl(apiRoot, `${SEOPRESS_NAMESPACE}/posts/${id}/${route}`, body && { _method: "PUT" });
      const sent = body && { method: "POST" as const, body: JSON.stringify(body) };
      const headers = { ...login, ...(body && { "Content-Type": "application/json" }) };
      const { status, text } = (await fetch?.(url, { ...sent, headers })) ?? {};
      return { status, body: JSON.parse(text ?? "") as unknown };
    };
    const stored = async (id: number) => [
      (await ask(id, "title-description-metas")).body,
      ((await ask(id, "target-keywords")).body as { value: string[] }).value,
    ];

    it("is in the index of the site, while it is active", async () => {
      const namespaces = async () => (await clientOf("author").readIndex({ asVisitor: true })).namespaces;
      expect(await namespaces()).toContain(SEOPRESS_NAMESPACE);
      activate([]);
      expect(await namespaces()).not.toContain(SEOPRESS_NAMESPACE);
    });

    it("stores the fields, and leaves those that are not given", async () => {
      const [client, id] = [clientOf("author"), await newDraft()];
      const metaTitle = 'R&D, it\'s "5" <head> 园艺 🌱';
      await client.writeSeoPress(id, { metaTitle, metaDescription: "Which wood\nlasts.", focusKeyword: "beds, wood" });
      const description = "Which wood\nlasts.";
      expect(await stored(id)).toEqual([{ title: metaTitle, description }, ["beds", "wood"]]);
      await client.writeSeoPress(id, { metaTitle: "Beds" });
      await client.writeSeoPress(id, { focusKeyword: "soil" });
      expect(await stored(id)).toEqual([{ title: "Beds", description }, ["soil"]]);
      await client.writeSeoPress(id, { metaDescription: "Soil." });
      expect(await stored(id)).toEqual([{ title: "Beds", description: "Soil." }, ["soil"]]);
    });

    it("keeps what is given as no text, and takes a percent sign before two of a to f and 0 to 9 for a character", async () => {
      const [client, id] = [clientOf("author"), await newDraft()];
      await client.writeSeoPress(id, { metaTitle: "Beds %%sitetitle%% %%date%%", focusKeyword: "beds" });
      await client.writeSeoPress(id, { metaTitle: "", metaDescription: "Wood.", focusKeyword: "" });
      const title = "Beds %%sitetitle%% %te%%";
      expect(await stored(id)).toEqual([{ title, description: "Wood." }, ["beds"]]);
    });

    it("deletes a title that is given an empty text, and refuses keywords that are missing", async () => {
      const id = await newDraft();
      await clientOf("author").writeSeoPress(id, { metaTitle: "Beds", focusKeyword: "beds" });
      expect(await ask(id, "title-description-metas", { title: "" })).toMatchObject({ status: 200 });
      expect(await ask(id, "target-keywords", {})).toMatchObject({ status: 403, body: { code: "error" } });
      expect(await stored(id)).toEqual([{ title: "", description: "" }, ["beds"]]);
    });

    it.each([{ metaTitle: "Mine" }, { focusKeyword: "mine" }])(
      "refuses %j to who may not edit posts",
      async (fields) => {
        const id = await newDraft();
        const attempt = clientOf("subscriber").writeSeoPress(id, fields);
        await expect(attempt).rejects.toMatchObject({ type: "WORDPRESS_FORBIDDEN", outcome: "refused" });
        const wrong = createWordPressClient({ ...loginOf("author"), password: "abcd efgh ijkl mnop qrst uvwx" });
        await expect(wrong.writeSeoPress(id, fields)).rejects.toMatchObject({ outcome: "refused" });
        expect(await stored(id)).toEqual([{ title: "", description: "" }, []]);
      },
    );

    it("refuses everything while it is not active", async () => {
      const id = await newDraft();
      activate([]);
      const attempt = clientOf("author").writeSeoPress(id, { focusKeyword: "beds" });
      await expect(attempt).rejects.toMatchObject({ outcome: "refused", answer: { code: "rest_no_route" } });
    });
  });
}
