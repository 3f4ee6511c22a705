import { UnreachableError } from "@/lib/net/unreachable";
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

describe("a category whose creation went unanswered", () => {
  const lost = () => {
    throw new UnreachableError("timeout", "x.example", { sent: true });
  };
  const created = { status: 201, json: { id: 35, name: "News", parent: 0, count: 0 } };

  it("is looked for, and not created again when it is there", async () => {
    const { client, requestLines } = siteThat(({ method }) => (method === "POST" ? lost() : { json: [created.json] }));
    expect(await client.ensureCategory("news")).toBe(35);
    expect(requestLines()).toEqual(["POST categories", "GET categories"]);
  });

  it("is created once more when it is not there", async () => {
    const { client, requestLines } = siteThat(({ method }, count) => {
      if (method === "GET") return { json: [] };
      return count === 1 ? lost() : created;
    });
    expect(await client.ensureCategory("News")).toBe(35);
    expect(requestLines().slice(0, 3)).toEqual(["POST categories", "GET categories", "POST categories"]);
  });

  it("fails with its own failure when the look-up fails too", async () => {
    const { client } = siteThat(({ method }) => (method === "POST" ? lost() : refusal(503, "maintenance")));
    await expect(client.ensureCategory("News")).rejects.toMatchObject({ type: "CONNECTION_ERROR", outcome: "unknown" });
  });
});

it("a category's name has at most 200 characters as the site stores it", async () => {
  const { client } = siteThat(({ body }) => ({
    status: 201,
    json: { id: 35, name: JSON.parse(body ?? "{}").name, parent: 0, count: 1 },
  }));
  for (const name of ["n".repeat(200), `${"n".repeat(195)}&`]) expect(await client.ensureCategory(name)).toBe(35);
  for (const name of ["n".repeat(201), `${"n".repeat(196)}&`])
    await expect(client.ensureCategory(name)).rejects.toMatchObject({ type: "VALIDATION_ERROR" });
});
