import type { PacedRequest } from "@/lib/wordpress/pace";
import { OK, type Outcome, pacing, READ, unreachable } from "@/tests/unit/lib/wordpress/pacing";

describe("the size of a batch", () => {
  const batch = (writes: number): PacedRequest => ({ kind: "batch", writes });
  /** Batches of the size it names, which take so long for each write; returns their sizes. */
  const send = async (site: ReturnType<typeof pacing>, msPerWrite: number, count: number) => {
    const sizes: number[] = [];
    for (let n = 0; n < count; n++) {
      const size = site.pace.batchSize();
      sizes.push(size);
      await site.ask(1, batch(size));
      await site.answer(OK, { after: size * msPerWrite });
    }
    return sizes;
  };
  /** A pace of a fast site. */
  const atMost = async () => {
    const site = pacing();
    await send(site, 50, 4);
    expect(site.pace.batchSize()).toBe(25);
    return site;
  };

  it("starts with five, and doubles up to WordPress' own limit while the site is fast", async () => {
    expect(await send(pacing(), 50, 5)).toEqual([5, 10, 20, 25, 25]);
    expect(await send(pacing(), 0, 5)).toEqual([5, 10, 20, 25, 25]);
  });

  it("is what the site does in five seconds", async () => {
    expect(await send(pacing(), 300, 4)).toEqual([5, 10, 16, 16]);
    expect(await send(pacing(), 2_000, 4)).toEqual([5, 2, 2, 2]);
    expect(await send(pacing(), 12_000, 3)).toEqual([5, 1, 1]);
  });

  it("shrinks at once when the site gets slow, and grows again little by little when it does not stay so", async () => {
    const site = await atMost();
    expect(await send(site, 1_000, 2)).toEqual([25, 5]);
    // A fifth less with each good answer, until it is fast again.
    expect(await send(site, 50, 9)).toEqual([5, 6, 7, 9, 12, 15, 19, 23, 25]);
  });

  it("follows single writes too, and no reads", async () => {
    const site = await atMost();
    await site.ask(1, READ);
    await site.answer(OK, { after: 9_000 });
    expect(site.pace.batchSize()).toBe(25);
    await site.ask(1, { kind: "write", writes: 1 });
    await site.answer(OK, { after: 1_000 });
    expect(site.pace.batchSize()).toBe(5);
  });

  it.each<[string, Outcome, number, number]>([
    ["a 429", { status: 429 }, 100, 12],
    ["a 503", { status: 503 }, 100, 12],
    ["a dropped connection", unreachable("refused"), 100, 12],
    ["a time-out, by what it shows of each write", unreachable("timeout"), 60_000, 2],
    ["a gateway's time-out, by what it shows of each write", { status: 504 }, 30_000, 4],
    ["a fault of its own", { status: 500 }, 100, 25],
    ["a refusal", { status: 403 }, 100, 25],
  ])("after %s", async (_what, outcome, after, size) => {
    const site = await atMost();
    await site.ask(1, batch(25));
    await site.answer(outcome, { after });
    expect(site.pace.batchSize()).toBe(size);
  });

  it("stays after a single write or a read that overloads the site, and falls once for batches sent together", async () => {
    const site = await atMost();
    for (const kind of ["write", "read"] as const) {
      await site.ask(1, { kind, writes: 1 });
      await site.answer({ status: 503 });
    }
    expect(site.pace.batchSize()).toBe(25);
    while (site.pace.limit() < 2) await send(site, 50, 1);
    await site.ask(2, batch(25));
    await site.answer({ status: 503 }, { count: 2 });
    expect(site.pace.batchSize()).toBe(12);
    for (let n = 0; n < 5; n++) {
      await site.ask(1, batch(site.pace.batchSize()));
      await site.answer({ status: 503 });
    }
    expect(site.pace.batchSize()).toBe(1);
  });
});
