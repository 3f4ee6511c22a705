import { refusal, type SentRequest, siteThat } from "@/tests/support/wordpress/site-that";

describe("a category that several requests create at once", () => {
  /** Its duplicate is still listed; the request that created it will delete it. */
  const racing = (...listed: object[]) =>
    siteThat(({ method }: SentRequest) =>
      method === "POST" ? refusal(400, "term_exists", { term_id: 34 }) : { json: listed },
    );

  it("is the oldest one, even if the refusal names its duplicate", async () => {
    const { client, requests, requestLines } = racing(
      { id: 34, name: "News", parent: 0, count: 0 },
      { id: 32, name: "NEWS", parent: 0, count: 0 },
    );
    expect(await client.ensureCategory("news")).toBe(32);
    expect(requestLines()).toEqual(["POST categories", "GET categories"]);
    expect(Object.fromEntries(requests[1]?.url.searchParams ?? [])).toMatchObject({
      search: "news",
      orderby: "id",
      order: "desc",
    });
  });

  it("is not another one of a similar name or below another", async () => {
    const { client } = racing(
      { id: 34, name: "News", parent: 0, count: 0 },
      { id: 31, name: "News", parent: 5, count: 0 },
      { id: 30, name: "Old news", parent: 0, count: 0 },
    );
    expect(await client.ensureCategory("News")).toBe(34);
  });

  it.each([
    ["cannot be read", refusal(503, "maintenance")],
    ["is something else", { json: { id: 32 } }],
  ])("is the one in the refusal if the list %s", async (_what, list) => {
    const { client } = siteThat(({ method }) =>
      method === "POST" ? refusal(400, "term_exists", { term_id: 34 }) : list,
    );
    expect(await client.ensureCategory("News")).toBe(34);
  });
});
