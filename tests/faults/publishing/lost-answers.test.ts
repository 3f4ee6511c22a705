import { delay, loseAnswer, refuse, status } from "@/tests/faults/faults";
import { settle } from "@/tests/faults/publishing/support/settle";
import { type FaultSite, startSite, WRITE_TIMEOUT_MS } from "@/tests/faults/publishing/support/site";
import { census, newFaultyUser, onePostEach, postsOf } from "@/tests/faults/publishing/support/user";
import { faultOn, firstOf } from "@/tests/faults/publishing/support/wordpress-faults";
import { query } from "@/tests/support/db";

// The site has done it, and the app has not heard of it.

let site: FaultSite;
let other: FaultSite;

beforeAll(async () => {
  [site, other] = [await startSite(), await startSite()];
}, 90_000);
afterAll(() => Promise.all([site.close(), other.close()]));
afterEach(() => {
  for (const { proxy } of [site, other]) proxy.rule = () => undefined;
});

describe("a creation without an answer, and no answer to the look-up either", () => {
  /** The post exists, and the piece knows nothing of it. */
  async function lostCreation() {
    const user = await newFaultyUser(site);
    const [piece] = user.pieces as [(typeof user.pieces)[0]];
    site.proxy.rule = firstOf(faultOn("create", loseAnswer()), faultOn("lookup", refuse()));
    const { status } = await user.publish(piece);
    site.proxy.rule = () => undefined;
    expect([status, (await census(user, site)).strays]).toEqual([502, 1]);
    return { user, piece };
  }

  it("is followed by Publish", async () => {
    const { user, piece } = await lostCreation();
    expect((await user.publish(piece)).status).toBe(200);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it.each(["draft", "review", "published"])("is followed by the status %s, set by hand", async (status) => {
    const { user, piece } = await lostCreation();
    expect((await user.setStatus(piece, status)).status).toBe(200);
    expect((await user.publish(piece)).status).toBe(200);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it("is followed by the status Draft, and nothing else: no stray stays behind", async () => {
    const { user, piece } = await lostCreation();
    await user.setStatus(piece, "draft");
    await settle();
    expect(await census(user, site)).toMatchObject({ public: 0, strays: 0 });
  });

  it("is followed by the end of the process", async () => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    // The site has done it; its answer and the look-up's never come.
    site.proxy.rule = firstOf(faultOn("create", loseAnswer("hang")), faultOn("lookup", loseAnswer("hang")));
    const dead = user.publish(piece);
    const isDone = async () => (await census(user, site)).strays === 1;
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
    // What the launcher does when a process has ended.
    await query("UPDATE leases SET until = now() - interval '1 second' WHERE kind = 'publishing' AND subject = $1", [
      piece.id,
    ]);
    site.proxy.rule = () => undefined;
    expect((await user.publish(piece)).status).toBe(200);
    await dead;
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it("is followed by the end of the process and a day without it", async () => {
    const { user, piece } = await lostCreation();
    // Nothing is left but what belongs to the piece.
    await query("DELETE FROM leases WHERE subject = $1", [piece.id]);
    expect((await user.publish(piece)).status).toBe(200);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it("is followed by a publish on another site, and back", async () => {
    const { user, piece } = await lostCreation();
    user.answers("other");
    await user.connect(other.url, other.users);
    expect((await user.publish(piece)).status).toBe(200);
    await user.connect(site.url, site.users);
    await user.sayWhichSite();
    expect((await user.publish(piece)).status).toBe(200);
    await settle();
    expect([await census(user, site), await census(user, other)]).toEqual([onePostEach(1), onePostEach(1)]);
  });

  it("is followed by an unpublish or sync, which say nothing wrong", async () => {
    const { user, piece } = await lostCreation();
    await user.sync(piece);
    await user.unpublish(piece);
    expect((await user.publish(piece)).status).toBe(200);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it("is followed by publish-all", async () => {
    const { user, piece } = await lostCreation();
    await user.addPiece();
    await user.setStatus(piece, "draft");
    expect((await user.publishAll()).body.results.map(({ success }) => success)).toEqual([true, true]);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(2));
  });
});

it.each([302, 403, 404])("a creation answered with a %s by something before the site leaves no stray", async (code) => {
  const user = await newFaultyUser(site);
  const piece = user.piece(0);
  site.proxy.rule = firstOf(faultOn("create", status(code), 1), faultOn("lookup", refuse(), 1));
  expect((await user.publish(piece)).status).not.toBe(200);
  await user.setStatus(piece, "draft");
  await settle();
  expect(await census(user, site)).toMatchObject({ public: 0, strays: 0 });
});

describe("a creation that arrives late", () => {
  // The creation takes 25 seconds where 20 are allowed, on a quicker clock.
  const LATE = delay({ before: 1.25 * WRITE_TIMEOUT_MS });

  it("while Publish is pressed again", async () => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    site.proxy.rule = faultOn("create", LATE, 1);
    expect((await user.publish(piece)).status).toBe(502);
    const again = await user.publish(piece);
    expect([200, 409, 502]).toContain(again.status);
    await site.proxy.settled();
    await user.publish(piece);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it("while Publish is pressed again after the status was set back", async () => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    site.proxy.rule = faultOn("create", LATE, 1);
    expect((await user.publish(piece)).status).toBe(502);
    await user.setStatus(piece, "draft");
    await user.publish(piece);
    await site.proxy.settled();
    await user.publish(piece);
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it("during publish-all, which is called again", async () => {
    const user = await newFaultyUser(site, { pieces: 4 });
    site.proxy.rule = faultOn("create", LATE, 2);
    await user.publishAll();
    await user.publishAll();
    await site.proxy.settled();
    await user.atRest();
    await user.publishAll();
    await settle();
    expect(await census(user, site)).toEqual(onePostEach(4));
  });

  it("after its piece was deleted: nothing of it is public", async () => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    site.proxy.rule = faultOn("create", LATE, 1);
    expect((await user.publish(piece)).status).toBe(502);
    expect((await user.remove(piece)).status).toBeLessThan(300);
    await site.proxy.settled();
    await settle();
    expect(await census(user, site)).toMatchObject({ public: 0 });
  });
});

describe("an update without an answer", () => {
  describe.each(["editor", "author"] as const)("as an %s", (role) => {
    async function lostUpdate() {
      const user = await newFaultyUser(site, { role, topic: "Uncategorized" });
      const piece = user.piece(0);
      expect((await user.publish(piece)).status).toBe(200);
      // Authors may not publish everything: WordPress changes what it stores.
      await user.write(piece, "Salt & light, `<script>alert(1)</script>` and <b>more</b>.");
      site.proxy.rule = faultOn("update", loseAnswer(), 1);
      expect((await user.publish(piece)).status).toBe(502);
      return { user, piece, post: async () => postsOf(await site.posts(), piece)[0] };
    }

    it("is sent again by the next publish", async () => {
      const { user, piece, post } = await lostUpdate();
      await user.write(piece, "A third text.");
      const { status, body } = await user.publish(piece);
      expect([status, body.type]).toEqual([200, undefined]);
      expect((await post())?.content.raw).toContain("A third text.");
    });

    it("is sent again by the next publish-all", async () => {
      const { user, piece, post } = await lostUpdate();
      await user.write(piece, "A third text.");
      const { body } = await user.publishAll();
      expect(body.results.map(({ success, type }) => type ?? success)).toEqual([true]);
      expect((await post())?.content.raw).toContain("A third text.");
    });

    it("is no edit by somebody else", async () => {
      const { user, piece } = await lostUpdate();
      const { status, body } = await user.sync(piece);
      expect([status, body.remoteChanged]).toEqual([200, false]);
    });

    it("still lets an edit by somebody else be seen", async () => {
      const { user, piece, post } = await lostUpdate();
      await site.edit((await post())?.id ?? 0, { content: "<p>Edited on the site.</p>" });
      await user.write(piece, "A third text.");
      expect((await user.publish(piece)).body.type).toBe("REMOTE_CHANGED");
      expect((await user.publishAll()).body.results.map(({ type }) => type)).toEqual(["REMOTE_CHANGED"]);
      expect((await post())?.content.raw).toContain("Edited on the site.");
    });
  });

  it("was the first one, which gives a post its text", async () => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    site.proxy.rule = faultOn("update", loseAnswer(), 1);
    expect((await user.publish(piece)).status).toBe(502);
    await user.write(piece, "A text of later.");
    expect((await user.publish(piece)).status).toBe(200);
    expect(await census(user, site)).toEqual(onePostEach(1));
  });

  it.each([302, 403, 404])("was answered with a %s by something before the site, and is no edit", async (code) => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    await user.publish(piece);
    // Nothing is open any more.
    await settle();
    await user.write(piece, "The second text.");
    site.proxy.rule = faultOn("update", status(code), 1);
    expect((await user.publish(piece)).status).not.toBe(200);
    await user.write(piece, "The third text.");
    const { body } = await user.publishAll();
    expect(body.results.map(({ success, type }) => type ?? success)).toEqual([true]);
    expect(postsOf(await site.posts(), piece)[0]?.content.raw).toContain("The third text.");
  });

  it("arrives late, after the next one was answered: the next publish puts the newer text back", async () => {
    const user = await newFaultyUser(site);
    const piece = user.piece(0);
    await user.publish(piece);
    await user.write(piece, "The late text.");
    site.proxy.rule = faultOn("update", delay({ before: 1.25 * WRITE_TIMEOUT_MS }), 1);
    expect((await user.publish(piece)).status).toBe(502);
    await user.write(piece, "The newer text.");
    expect((await user.publish(piece)).status).toBe(200);
    await site.proxy.settled();
    const late = await user.publish(piece);
    expect([late.status, late.body.type]).toEqual([200, undefined]);
    expect(postsOf(await site.posts(), piece).map(({ content }) => content.raw)).toEqual([
      expect.stringContaining("The newer text."),
    ]);
  });
});
