import type { SafeResponse } from "@/lib/net/safe-fetch";
import { createWordPressClient } from "@/lib/wordpress/client";
import { WordPressWriteError } from "@/lib/wordpress/failures";
import { createPace, isWorthRepeating } from "@/lib/wordpress/pace";
import { createDraft } from "@/tests/support/wordpress/one-write";
import { type Answer, aPost, refusal, siteThat } from "@/tests/support/wordpress/site-that";
import { OK, type Outcome, pacing, READ, unreachable } from "@/tests/unit/lib/wordpress/pacing";

describe("the pace of a site", () => {
  it("starts with two, and rises by one after as many good answers as may run at once", async () => {
    const { ask, answer, running } = pacing(5);
    await ask(40);
    expect(running()).toBe(2);
    const seen = [];
    for (let n = 1; n <= 16; n++) {
      await answer();
      seen.push(running());
    }
    expect(seen).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5]);
  });

  it("starts with one where no more is allowed", async () => {
    const { ask, running, pace } = pacing(1);
    await ask(3);
    expect([running(), pace.limit()]).toEqual([1, 1]);
  });

  it("sends in the order asked", async () => {
    const order: number[] = [];
    const pace = createPace({ most: 1 });
    const send = async (n: number): Promise<SafeResponse> => {
      order.push(n);
      return { status: 200, headers: new Headers(), url: "", text: "" };
    };
    await Promise.all([1, 2, 3].map((n) => pace.run(READ, () => send(n))));
    expect(order).toEqual([1, 2, 3]);
  });

  /** A pace at its limit, with nothing under way. */
  async function atFull(most = 8) {
    const site = pacing(most);
    while (site.pace.limit() < most) {
      await site.ask();
      await site.answer();
    }
    return site;
  }

  it.each<[string, Outcome, number]>([
    ["a 429", { status: 429 }, 4],
    ["a 502", { status: 502 }, 4],
    ["a 503", { status: 503 }, 4],
    ["a 504", { status: 504 }, 4],
    ["a time-out", unreachable("timeout"), 4],
    ["a time-out while connecting", unreachable("timeout", false), 4],
    ["a dropped connection", unreachable("refused"), 4],
    ["no connection", unreachable("refused", false), 8],
    ["an unknown name", unreachable("dns", false), 8],
    ["an answer that is too large", unreachable("too-large"), 8],
    ["a fault of its own", { status: 500 }, 8],
    ["a refusal", { status: 403 }, 8],
  ])("after %s", async (_what, outcome, limit) => {
    const { ask, answer, pace } = await atFull();
    await ask();
    await answer(outcome);
    expect(pace.limit()).toBe(limit);
  });

  it("falls once for requests that were under way together, and never below one", async () => {
    const { ask, answer, pace } = await atFull();
    await ask(8);
    await answer({ status: 503 }, { count: 8 });
    expect(pace.limit()).toBe(4);
    const seen = [];
    for (let n = 0; n < 4; n++) {
      await ask();
      await answer({ status: 503 });
      seen.push(pace.limit());
    }
    expect(seen).toEqual([2, 1, 1, 1]);
  });

  it("does not rise for answers to what was sent before it fell, nor for faults", async () => {
    const { ask, answer, pace } = await atFull(4);
    await ask(4);
    await answer({ status: 429, headers: { "retry-after": "0" } });
    await answer(OK, { count: 3 });
    expect(pace.limit()).toBe(2);
    await ask(2);
    await answer({ status: 500 }, { count: 2 });
    expect(pace.limit()).toBe(2);
    await ask(2);
    await answer(OK, { count: 2 });
    expect(pace.limit()).toBe(3);
  });

  it("counts the good answers from its fall on", async () => {
    const { ask, answer, pace } = await atFull(4);
    const good = async (count: number) => {
      await ask(count);
      await answer(OK, { count });
    };
    await good(3);
    await ask();
    await answer({ status: 503 });
    await good(1);
    expect(pace.limit()).toBe(2);
    await good(1);
    expect(pace.limit()).toBe(3);
  });

  describe("when the site slows down", () => {
    const timed = async (site: ReturnType<typeof pacing>, milliseconds: number, count: number, request = READ) => {
      for (let n = 0; n < count; n++) {
        await site.ask(1, request);
        await site.answer(OK, { after: milliseconds });
      }
      return site.pace.limit();
    };

    it("falls once the median is more than twice the best", async () => {
      const site = pacing(4);
      expect(await timed(site, 100, 16)).toBe(4);
      expect(await timed(site, 200, 16)).toBe(4);
      expect(await timed(site, 201, 7)).toBe(4);
      expect(await timed(site, 201, 1)).toBe(2);
    });

    it("keeps its pace for a few slow ones, and for fast ones that vary", async () => {
      const site = pacing(4);
      await timed(site, 100, 16);
      for (let n = 0; n < 5; n++) {
        await timed(site, 100, 3);
        await timed(site, 900, 3);
        expect(await timed(site, 100, 2)).toBe(4);
      }
      const fast = pacing(4);
      await timed(fast, 10, 16);
      expect(await timed(fast, 99, 16)).toBe(4);
    });

    it("compares reads with reads, and batches by their writes", async () => {
      const site = pacing(4);
      await timed(site, 100, 16);
      expect(await timed(site, 900, 16, { kind: "write", writes: 1 })).toBe(4);
      expect(await timed(site, 400, 8, { kind: "batch", writes: 2 })).toBe(4);
      expect(await timed(site, 5_000, 8, { kind: "batch", writes: 25 })).toBe(4);
      expect(await timed(site, 10_025, 8, { kind: "batch", writes: 25 })).toBe(2);
    });

    it("leaves two: a site at its full speed takes longer for each of many", async () => {
      const site = pacing(3);
      await timed(site, 100, 16);
      expect(await timed(site, 900, 8)).toBe(2);
      const alone = pacing(1);
      await timed(alone, 100, 16);
      expect(await timed(alone, 900, 8)).toBe(1);
    });

    it("compares creations with creations, and texts with texts", async () => {
      const site = pacing(4);
      await timed(site, 100, 16, { kind: "batch", phase: "create", writes: 1 });
      expect(await timed(site, 900, 16, { kind: "batch", phase: "update", writes: 1 })).toBe(4);
      expect(await timed(site, 201, 8, { kind: "batch", phase: "create", writes: 1 })).toBe(2);
    });

    it("counts only what was measured since it last fell", async () => {
      const site = pacing(4);
      await timed(site, 100, 16);
      await timed(site, 900, 5);
      await site.ask();
      await site.answer({ status: 503 });
      expect(await timed(site, 900, 7)).toBe(4);
      expect(await timed(site, 900, 1)).toBe(2);
    });

    it("gets used to a site that stays slow", async () => {
      const site = pacing(4);
      await timed(site, 100, 16);
      const limits = [];
      for (let n = 0; n < 6; n++) limits.push(await timed(site, 400, 8));
      // Compared with 100, then 150, then 225 milliseconds.
      expect(limits).toEqual([2, 2, 4, 4, 4, 4]);
      expect(await timed(site, 451, 8)).toBe(2);
    });
  });

  describe("when it asks to wait", () => {
    const busy = (retryAfter: string, status = 429): Outcome => ({ status, headers: { "retry-after": retryAfter } });

    it.each<[string, Outcome, number]>([
      ["in seconds", busy("7"), 7_000],
      ["as long as a minute", busy("60"), 60_000],
      ["with a 503", busy("7", 503), 7_000],
      ["until a date", busy(new Date(1_009_000).toUTCString()), 9_000],
      ["without saying how long", { status: 429 }, 1_000],
    ])("sends nothing until then: %s", async (_what, outcome, wait) => {
      const { ask, answer, pass, running } = pacing();
      await ask(4);
      await answer(outcome);
      await answer();
      expect(running()).toBe(0);
      await pass(wait - 1);
      expect(running()).toBe(0);
      await pass(1);
      expect(running()).toBe(1);
    });

    it.each<[string, Outcome]>([
      ["for more than a minute", busy("61")],
      ["until a date that is past", busy(new Date(0).toUTCString())],
      ["for no time that can be read", busy("soon", 503)],
      ["but answered", busy("7", 200)],
    ])("goes on: %s", async (_what, outcome) => {
      const { ask, answer, running } = pacing();
      await ask(4);
      await answer(outcome);
      await answer();
      expect(running()).toBeGreaterThan(0);
    });

    it("waits each time it is asked to", async () => {
      const { ask, answer, pass, running } = pacing(1);
      await ask(3);
      for (let time = 0; time < 2; time++) {
        await answer(busy("7"));
        expect(running()).toBe(0);
        await pass(7_000);
        expect(running()).toBe(1);
      }
    });

    it("waits for the longest, and wakes nobody when nobody waits", async () => {
      const { ask, answer, pass, running, sleeping } = pacing();
      await ask(2);
      await answer(busy("30"));
      await answer(busy("5"));
      expect(sleeping()).toBe(0);
      await ask(2);
      expect(sleeping()).toBe(1);
      await pass(29_999);
      expect(running()).toBe(0);
      await pass(1);
      expect(running()).toBe(1);
    });
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
    const login = { apiRoot: "https://x.example/wp-json/", username: "me", password: "secret", fetch };
    await Promise.all([1, 2].map(() => createWordPressClient(login).readPost(7)));
    expect(requests).toHaveLength(3);
  });
});
