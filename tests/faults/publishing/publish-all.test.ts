import { delay, type Fault, loseAnswer, maintenance, refuse, status } from "@/tests/faults/faults";
import { settle } from "@/tests/faults/publishing/support/settle";
import { type FaultSite, startSite, WRITE_TIMEOUT_MS } from "@/tests/faults/publishing/support/site";
import { census, newFaultyUser, onePostEach, postsOf } from "@/tests/faults/publishing/support/user";
import {
  faultOn,
  firstOf,
  halfBatch,
  isWrite,
  kindOf,
  loggedOut,
} from "@/tests/faults/publishing/support/wordpress-faults";
import { query } from "@/tests/support/db";

// Many pieces, and something happens in the middle.

/** More pieces than a batch takes. */
const PIECES = 30;

let site: FaultSite;

beforeAll(async () => {
  site = await startSite();
}, 90_000);
afterAll(() => site.close());
afterEach(() => {
  site.proxy.rule = () => undefined;
});

const types = (results: { success: boolean; type?: string }[] | undefined) =>
  results?.map(({ success, type }) => type ?? success);

describe("publish-all", () => {
  it("publishes nothing after its answer when one piece fails unexpectedly", async () => {
    const user = await newFaultyUser(site, { pieces: 12 });
    const remove = await failOnSave(user.piece(2).id);
    site.proxy.rule = (request) => (isWrite(request) ? delay({ before: 40 }) : undefined);
    const before = site.proxy.requests.length;
    const { status, body } = await user.publishAll();
    const written = () => site.proxy.requests.slice(before).filter(isWrite).length;
    const atAnswer = written();
    await user.atRest();
    await site.proxy.settled();
    await remove();
    expect({ afterAnswer: written() - atAnswer, hasJob: "jobId" in (body ?? {}) }).toEqual({
      afterAnswer: 0,
      hasJob: false,
    });
    expect([200, 500]).toContain(status);
    await user.publishAll();
    expect(await census(user, site)).toEqual(onePostEach(12));
  });

  it("goes on with the other pieces when one fails unexpectedly", async () => {
    const user = await newFaultyUser(site, { pieces: 6 });
    const remove = await failOnSave(user.piece(2).id);
    const { status, body } = await user.publishAll();
    await user.atRest();
    await remove();
    expect([status, body.results?.filter(({ success }) => success).length]).toEqual([200, 5]);
  });

  const FAULTS: [string, () => Fault][] = [
    ["goes into maintenance", () => maintenance()],
    ["logs the user out", () => loggedOut()],
    ["refuses connections", () => refuse()],
    ["does everything but answers 500", () => status(500)],
    ["does everything but never answers", () => loseAnswer()],
  ];
  const MOMENTS = FAULTS.flatMap(([name, fault]) => [1, 2, 3].map((writes) => [name, writes, fault] as const));

  it.each(MOMENTS)("leaves one post a piece when the site %s after %i writes", async (_name, writes, fault) => {
    const user = await newFaultyUser(site, { pieces: PIECES });
    let seen = 0;
    site.proxy.rule = (request) => {
      if (isWrite(request)) seen++;
      return seen > writes ? fault() : undefined;
    };
    const broken = await user.publishAll();
    expect(broken.status).not.toBe(500);
    expect(broken.body.results?.every(({ success }) => success) ?? false).toBe(false);
    site.proxy.rule = () => undefined;
    await user.atRest();
    expect(types((await user.publishAll()).body.results)).toEqual(Array(PIECES).fill(true));
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(PIECES));
  });

  it("leaves one post a piece when half a batch was done", async () => {
    const user = await newFaultyUser(site, { pieces: 12 });
    site.proxy.rule = firstOf(faultOn("batch", halfBatch(3), 2), faultOn("batch", halfBatch(0), 1));
    await user.publishAll();
    site.proxy.rule = () => undefined;
    await user.atRest();
    await user.publishAll();
    await user.atRest();
    expect(await census(user, site)).toEqual(onePostEach(12));
  });

  it.each([1, 2, 3])("leaves one post a piece when the site moves after %i writes", async (writes) => {
    const user = await newFaultyUser(site, { pieces: PIECES });
    const moving = await site.alsoAt();
    await user.connect(moving.origin, site.users);
    let seen = 0;
    const close: Fault = () => moving.close();
    moving.rule = (request) => (isWrite(request) && ++seen > writes ? close : undefined);
    const broken = await user.publishAll();
    expect(broken.body.results?.every(({ success }) => success) ?? false).toBe(false);
    const moved = await site.alsoAt();
    await user.connect(moved.origin, site.users);
    await user.atRest();
    expect(types((await user.publishAll()).body.results)).toEqual(Array(PIECES).fill(true));
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(PIECES));
  });
});

describe("publish-all on a slow site", () => {
  /** A post takes as long as three seconds where a write gets twenty: a full batch would end in a time-out. */
  const POST_MS = 0.15 * WRITE_TIMEOUT_MS;

  it("publishes each piece in batches that the site answers in time", async () => {
    const user = await newFaultyUser(site, { pieces: PIECES });
    // It gets another address: by now the app knows how fast the first one is.
    const slow = await site.alsoAt();
    await user.connect(slow.origin, site.users);
    const sizes: number[] = [];
    slow.rule = (request) => {
      if (!isWrite(request)) return undefined;
      const { requests } = JSON.parse(request.body) as { requests?: unknown[] };
      if (requests) sizes.push(requests.length);
      return delay({ before: POST_MS * (requests?.length ?? 1) });
    };
    expect(types((await user.publishAll()).body.results)).toEqual(Array(PIECES).fill(true));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
    expect(await census(user, site)).toEqual(onePostEach(PIECES));
  });
});

describe("publish-all with more unchanged pieces than its time allows to check", () => {
  // These are a quarter of 960 and 40, on a clock so fast that checking them one by one takes longer than a call may.
  const [UNCHANGED, NEW, PACE] = [240, 10, 100];

  it("reaches the new ones", async () => {
    const user = await newFaultyUser(site, { pieces: UNCHANGED });
    expect(types((await user.publishAll()).body.results)).toEqual(Array(UNCHANGED).fill(true));
    for (let n = 0; n < NEW; n++) await user.addPiece();
    site.proxy.rule = () => delay({ before: 40 });
    const [{ publishAll }, { actorFromSignIn }] = await Promise.all([
      import("@/lib/features/publishing/writes/project"),
      import("@/lib/auth/actor"),
    ]);
    const actor = actorFromSignIn(user.id, { requestId: "test", address: "test" });
    const began = performance.now();
    await publishAll(actor, user.projectId, {}, { now: () => PACE * (performance.now() - began) });
    await user.atRest();
    site.proxy.rule = () => undefined;
    const posts = await site.posts();
    const reached = user.pieces.slice(UNCHANGED).filter((piece) => postsOf(posts, piece).length === 1);
    expect({ reached: reached.length }).toEqual({ reached: NEW });
  }, 120_000);
});

describe("publish-all with 960 unchanged pieces and 40 new ones", () => {
  const [UNCHANGED, NEW] = [960, 40];
  // An index and its page, and for each hundred a list; two batches for each 25 new ones, and a category.
  const MOST_REQUESTS = 30;

  it("publishes the new ones, and reads the others in hundreds", async () => {
    const large = await startSite({ isFixed: true });
    const user = await newFaultyUser(large, { pieces: UNCHANGED });
    expect(types((await user.publishAll()).body.results)).toEqual(Array(UNCHANGED).fill(true));
    for (let n = 0; n < NEW; n++) await user.addPiece();
    const before = large.proxy.requests.length;
    const began = performance.now();
    const { body } = await user.publishAll();
    const [took, sent] = [performance.now() - began, large.proxy.requests.slice(before)];
    const found = await census(user, large);
    await large.close();
    process.stdout.write(
      `${UNCHANGED} unchanged and ${NEW} new pieces: ${sent.length} requests, ${Math.round(took)} ms\n`,
    );
    const unchanged = body.results.filter(({ success, unchanged }) => success && unchanged).length;
    expect({ all: body.totalProcessed, unchanged, found }).toEqual({
      all: UNCHANGED + NEW,
      unchanged: UNCHANGED,
      found: onePostEach(UNCHANGED + NEW),
    });
    expect(sent.length).toBeLessThanOrEqual(MOST_REQUESTS);
  }, 180_000);
});

describe("a piece that is deleted while it is being published", () => {
  it.each(["create", "update"] as const)(
    "leaves no post behind, or an answer that says so, when it is deleted during its %s",
    async (kind) => {
      const user = await newFaultyUser(site);
      const piece = user.piece(0);
      let removed: Promise<{ status: number; text: string }> | undefined;
      site.proxy.rule = (request) =>
        kindOf(request) === kind && !removed
          ? async ({ forward, answer }) => {
              const done = await forward();
              removed = user.remove(piece);
              await Promise.race([removed, new Promise((resolve) => setTimeout(resolve, 500))]);
              answer(done);
            }
          : undefined;
      const published = await user.publish(piece);
      const deleted = await removed;
      await user.atRest();
      const left = postsOf(await site.posts(), piece).filter(({ status }) => status !== "trash");
      const said = [published.text, deleted?.text].filter((text) =>
        /\b(?:on|from) your (?:WordPress )?site\b/i.test(text ?? ""),
      );
      expect({ posts: left.length, isSaid: left.length === 0 || said.length > 0 }).toEqual({
        posts: left.length,
        isSaid: true,
      });
    },
  );
});

/** Makes the database fail when this piece's post is saved: an error that nobody expected. */
async function failOnSave(pieceId: string): Promise<() => Promise<void>> {
  const name = `fail_${pieceId.replaceAll("-", "")}`;
  await query(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'made to fail by a test'; END $$`);
  await query(`CREATE TRIGGER ${name} BEFORE UPDATE ON content_pieces FOR EACH ROW
    WHEN (NEW.id = '${pieceId}') EXECUTE FUNCTION ${name}()`);
  return async () => void (await query(`DROP FUNCTION ${name} CASCADE`));
}
