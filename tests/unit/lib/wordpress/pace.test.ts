import type { SafeResponse } from "@/lib/net/safe-fetch";
import { createWordPressClient } from "@/lib/wordpress/client";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { createPace, isWorthRepeating, type Turn } from "@/lib/wordpress/pace";
import { createDraft } from "@/tests/support/wordpress/one-write";
import { A_CALLER, type Answer, aPost, refusal, siteThat } from "@/tests/support/wordpress/site-that";
import { OK, type Outcome, pacing, READ, unreachable } from "@/tests/unit/lib/wordpress/pacing";

describe("the requests to a site", () => {
  it("run at once as many as the operator allows", async () => {
    const { ask, answer, running } = pacing(3);
    await ask(5);
    expect(running()).toBe(3);
    for (const left of [3, 3, 2, 1, 0]) {
      await answer();
      expect(running()).toBe(left);
    }
  });

  it("take turns by user, and of one user go in the order asked", async () => {
    const order: string[] = [];
    const pace = createPace({ most: 1 });
    const send = async (what: string): Promise<SafeResponse> => {
      order.push(what);
      return { status: 200, headers: new Headers(), url: "", text: "" };
    };
    const asked = ["a1", "a2", "a3", "b1", "b2", "c1"];
    await Promise.all(asked.map((what) => pace.run({ ...READ, userId: what[0] ?? "" }, () => send(what))));
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("do not wait behind another user's that hang, beyond the next free place", async () => {
    const { ask, answer, sent } = pacing(4);
    await ask(100, { ...READ, userId: "stranger" });
    await ask(1, { ...READ, userId: "owner" });
    await answer();
    expect(sent()).toEqual(["stranger", "stranger", "stranger", "owner"]);
  });

  it("are two batches at most, and others overtake those that wait", async () => {
    const { ask, answer, kinds } = pacing(4);
    await ask(3, { ...READ, kind: "batch" });
    await ask(2);
    expect(kinds()).toEqual(["batch", "batch", "read", "read"]);
    await answer();
    expect(kinds()).toEqual(["batch", "read", "read", "batch"]);
  });

  it.each<Turn["kind"]>(["read", "write"])("wait no longer than their caller (%s)", async (kind) => {
    const { ask, answer, running } = pacing(1);
    const caller = new AbortController();
    await ask();
    const gone = await ask(1, { ...READ, kind, signal: caller.signal });
    await ask(1, { ...READ, userId: "other" });
    caller.abort();
    await answer();
    expect(gone).toEqual([expect.objectContaining({ type: "RATE_LIMITED" })]);
    await answer();
    expect(running()).toBe(0);
    expect(await ask(1, { ...READ, signal: caller.signal })).toEqual([
      expect.objectContaining({ type: "RATE_LIMITED" }),
    ]);
  });

  it("are refused for a user who has thousands waiting, and for no other", async () => {
    const { ask } = pacing(1);
    await ask(4_001);
    expect(await ask(1)).toEqual([
      expect.objectContaining({ type: "RATE_LIMITED", message: expect.stringContaining("wait for this WordPress") }),
    ]);
    expect(await ask(1, { ...READ, userId: "other" })).toEqual([]);
  });

  describe("when it asks to wait", () => {
    const busy = (retryAfter: string, status = 429): Outcome => ({ status, headers: { "retry-after": retryAfter } });

    it.each<[string, Outcome, number]>([
      ["in seconds", busy("7"), 7_000],
      ["as long as a minute", busy("60"), 60_000],
      ["with a 503", busy("7", 503), 7_000],
      ["until a date", busy(new Date(1_009_000).toUTCString()), 9_000],
      ["without saying how long", { status: 429 }, 1_000],
    ])("stop until then: %s", async (_what, outcome, wait) => {
      const { ask, answer, pass, running } = pacing(2);
      await ask(4);
      await answer(outcome);
      await answer();
      expect(running()).toBe(0);
      await pass(wait - 1);
      expect(running()).toBe(0);
      await pass(1);
      expect(running()).toBe(2);
    });

    it.each<[string, Outcome]>([
      ["for more than a minute", busy("61")],
      ["until a date that is past", busy(new Date(0).toUTCString())],
      ["for no time that can be read", busy("soon", 503)],
      ["but answered", busy("7", 200)],
    ])("go on: %s", async (_what, outcome) => {
      const { ask, answer, running } = pacing(2);
      await ask(4);
      await answer(outcome);
      expect(running()).toBe(2);
    });

    it("stop for the longest of its waits", async () => {
      const { ask, answer, pass, running } = pacing(2);
      await ask(4);
      await answer(busy("30"));
      await answer(busy("5"));
      await pass(29_999);
      expect(running()).toBe(0);
      await pass(1);
      expect(running()).toBe(2);
    });

    /** Answers each user's request with a Retry-After, `apart` milliseconds after the last one. Returns who is served next. */
    async function told(users: string[], apart: number) {
      const { ask, answer, pass, sent } = pacing(1);
      for (const userId of users) {
        await pass(apart);
        await ask(1, { ...READ, userId });
        await answer(busy("60"));
      }
      for (const userId of ["a", "b", "c"]) await ask(1, { ...READ, userId });
      const served = [];
      for (let n = 0; n < 3; n++) {
        served.push(...sent());
        await answer();
      }
      return served;
    }

    it("stop for the user who was told, and go on for others", async () => {
      expect(await told(["a"], 0)).toEqual(["b", "c"]);
      expect(await told(["a", "a"], 0)).toEqual(["b", "c"]);
    });

    it("stop for all users once two were told within a minute", async () => {
      expect(await told(["a", "b"], 1)).toEqual([]);
      expect(await told(["a", "b"], 60_000)).toEqual([]);
      expect(await told(["a", "b"], 60_001)).toEqual(["a", "c"]);
    });
  });
});

describe("the size of a batch", () => {
  const batch = (writes: number, phase = "update"): Turn => ({ ...READ, kind: "batch", phase, writes });
  /** Batches of the size it names, which take so long for each write; returns their sizes. */
  const send = async (site: ReturnType<typeof pacing>, msPerWrite: number, count: number, phase?: string) => {
    const sizes: number[] = [];
    for (let n = 0; n < count; n++) {
      const size = site.pace.batchSize();
      sizes.push(size);
      await site.ask(1, batch(size, phase));
      await site.answer(OK, { after: size * msPerWrite });
    }
    return sizes;
  };

  it("starts with five, and is what the site does in five seconds, up to WordPress' own limit", async () => {
    expect(await send(pacing(), 0, 2)).toEqual([5, 25]);
    expect(await send(pacing(), 200, 2)).toEqual([5, 25]);
    expect(await send(pacing(), 300, 2)).toEqual([5, 16]);
    expect(await send(pacing(), 12_000, 2)).toEqual([5, 1]);
  });

  it("follows the last batch", async () => {
    const site = pacing();
    await send(site, 1_000, 3);
    expect(await send(site, 250, 2)).toEqual([5, 20]);
  });

  it("follows the slower phase: creating posts is much faster than giving them their texts", async () => {
    const site = pacing();
    await send(site, 1_000, 1, "update");
    expect(await send(site, 10, 2, "create")).toEqual([5, 5]);
  });

  it.each<[string, Outcome, number]>([
    ["a 429", { status: 429 }, 12],
    ["a 500", { status: 500 }, 12],
    ["a 503", { status: 503 }, 12],
    ["a time-out", unreachable("timeout"), 12],
    ["a dropped connection", unreachable("refused"), 12],
    ["a connection that was not made", unreachable("refused", false), 25],
    ["a refusal", { status: 403 }, 25],
  ])("after %s", async (_what, outcome, size) => {
    const site = pacing();
    await send(site, 0, 1);
    await site.ask(1, batch(25));
    await site.answer(outcome);
    expect(site.pace.batchSize()).toBe(size);
  });

  it("is never less than one, and follows neither reads nor single writes", async () => {
    const site = pacing();
    for (let n = 0; n < 4; n++) {
      await site.ask(1, batch(5));
      await site.answer({ status: 500 });
    }
    expect(site.pace.batchSize()).toBe(1);
    await send(site, 0, 1);
    for (const kind of ["read", "write"] as const) {
      await site.ask(2, { ...READ, kind });
      await site.answer(OK, { after: 9_000 });
      await site.answer({ status: 500 });
    }
    expect(site.pace.batchSize()).toBe(25);
  });
});

describe("a request that is turned away", () => {
  /** A site that turns the first requests away, then answers. */
  const turning = (times: number, away: Answer) =>
    siteThat((request, count) => {
      if (count <= times) return away;
      return request.method === "POST" ? { status: 201, json: aPost(7) } : { json: aPost(7) };
    });
  const busy = (status: number, retryAfter: string): Answer => ({
    status,
    headers: { "retry-after": retryAfter },
    json: undefined,
  });

  it.each([
    [429, "refused"],
    [503, "unknown"],
  ])("is sent again once after a short wait (%s)", async (status, outcome) => {
    const { client, requestLines } = turning(1, busy(status, "0"));
    expect(await createDraft(client, { marker: "m", title: "T" })).toMatchObject({ id: 7 });
    expect(requestLines()).toEqual(["POST posts", "POST posts"]);
    const reading = turning(1, busy(status, "0"));
    expect(await reading.client.readPost(7)).toMatchObject({ state: "found" });
    const twice = turning(2, busy(status, "0"));
    await expect(createDraft(twice.client, { marker: "m", title: "T" })).rejects.toMatchObject({ outcome });
    expect(twice.requestLines()).toHaveLength(2);
  });

  it("really waits", async () => {
    const { client } = turning(1, refusal(429, "rest_too_many_requests"));
    const before = Date.now();
    await createDraft(client, { marker: "m", title: "T" });
    expect(Date.now() - before).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, Answer, number | undefined]>([
    ["a long wait", busy(429, "6"), 6],
    ["a longer wait than anybody takes", busy(503, "600"), 600],
    ["a wait of more than an hour", busy(503, "3601"), 3_600],
    [
      "such a wait in the words of WordPress",
      { ...refusal(429, "rest_too_many_requests"), headers: { "retry-after": "3601" } },
      3_600,
    ],
    ["WordPress' own words", { ...refusal(429, "rest_too_many_requests"), headers: { "retry-after": "30" } }, 30],
  ])("is not sent again after %s, which the error names", async (_what, away, retryAfter) => {
    const { client, requestLines } = turning(1, away);
    const failure = await createDraft(client, { marker: "m", title: "T" }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WordPressWriteError);
    expect(failure).toMatchObject({
      outcome: away.status === 503 && retryAfter !== 600 ? "unknown" : "refused",
      retryAfter,
    });
    expect(requestLines()).toHaveLength(1);
  });

  it("names a date in seconds", async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    const failure = await turning(1, busy(503, date))
      .client.readPost(7)
      .catch((error: unknown) => error);
    const { retryAfter } = failure as { retryAfter: number };
    expect(retryAfter).toBeGreaterThan(85);
    expect(retryAfter).toBeLessThanOrEqual(90);
  });

  it.each<[string, Answer]>([
    ["a 503 that does not ask for it", { status: 503, json: undefined }],
    ["a fatal error", refusal(500, "internal_server_error")],
    ["a gateway's time-out", { status: 504, headers: { "retry-after": "0" }, json: undefined }],
  ])("is not sent again after %s: it may have been carried out", async (_what, away) => {
    const { client, requestLines } = turning(1, away);
    await expect(createDraft(client, { marker: "m", title: "T" })).rejects.toMatchObject({ outcome: "unknown" });
    expect(requestLines()).toHaveLength(1);
  });

  it.each([
    ["5", true],
    ["6", false],
  ])("counts a wait of %s seconds as short: %s", (value, isShort) => {
    const response = { status: 429, headers: new Headers({ "retry-after": value }), url: "", text: "" };
    expect(isWorthRepeating(response)).toBe(isShort);
  });

  it("slows down the other clients of the same site too", async () => {
    const { requests, fetch } = turning(1, busy(429, "0"));
    const login = { ...A_CALLER, apiRoot: "https://x.example/wp-json/", fetch };
    await Promise.all([1, 2].map(() => createWordPressClient(login).readPost(7)));
    expect(requests).toHaveLength(3);
  });
});
