import { startBlog } from "@/tests/support/blog";
import { deskWithPost, holdAnswer, runOut, UPDATE } from "@/tests/support/publishing-desk";
import { noFaults } from "@/tests/support/wordpress/faults";
import type { SampleWordPress } from "@/tests/support/wordpress-site";

// An update of a live post whose answer never came: what the site has of it is ours, and nobody edited it there.

let site: SampleWordPress;

beforeAll(async () => {
  site = await startBlog();
});
afterAll(() => site.close());
afterEach(() => {
  Object.assign(site.faults, noFaults());
});

type Desk = Awaited<ReturnType<typeof deskWithPost>>;

const FIRST = "## Alpha\n\nThe first text.";
const UPDATED = "## Beta\n\nThe update.";

/** A live post, and an update of it that the site stores without an answer. */
async function loseUpdate(): Promise<Desk & { postId: number }> {
  const desk = await deskWithPost(site, FIRST);
  const postId = Number((await desk.publish()).body.wpPostId);
  await desk.caller.patch(desk.url, { body: UPDATED });
  site.faults.failAfterUpdate = 1;
  const { status, body } = await desk.publish();
  expect([status, body.type, (await desk.read()).status]).toEqual([502, "WORDPRESS_REJECTED", "wp_published"]);
  expect(contentOf(desk)).toContain("The update.");
  return { ...desk, postId };
}

const contentOf = (desk: Desk) => desk.post()[0]?.content;
const sync = ({ caller, url }: Desk) => caller.post<{ remoteChanged: boolean }>(`${url}/sync`);

it("is sent again when the person publishes again", async () => {
  const desk = await loseUpdate();
  const { status, body } = await desk.publish();
  expect([status, body.status, body.publishError]).toEqual([200, "wp_published", null]);
  expect(contentOf(desk)).toContain("The update.");
});

it("gives way to a text that was written since", async () => {
  const desk = await loseUpdate();
  await desk.caller.patch(desk.url, { body: "A third text." });
  expect((await desk.publish()).status).toBe(200);
  expect(contentOf(desk)).toContain("A third text.");
});

it("gives way to the text before it, although that was answered", async () => {
  const desk = await loseUpdate();
  await desk.caller.patch(desk.url, { body: FIRST });
  expect((await desk.publish()).status).toBe(200);
  expect(contentOf(desk)).toContain("The first text.");
});

it("is no change of the site's to a sync", async () => {
  const desk = await loseUpdate();
  expect((await sync(desk)).body.remoteChanged).toBe(false);
});

it("hides no edit that was made on the site since", async () => {
  const desk = await loseUpdate();
  site.edit(desk.postId, { content: "<p>Edited on the site</p>" });
  expect((await sync(desk)).body.remoteChanged).toBe(true);
  expect((await desk.publish()).body.type).toBe("REMOTE_CHANGED");
  expect(contentOf(desk)).toContain("Edited on the site");
});

it("is over with the next answer: what the site goes back to then is an edit", async () => {
  const desk = await loseUpdate();
  const unanswered = contentOf(desk) ?? "";
  await desk.caller.patch(desk.url, { body: "A third text." });
  await desk.publish();
  site.edit(desk.postId, { content: unanswered });
  expect((await desk.publish()).body.type).toBe("REMOTE_CHANGED");
});

it("is nothing to hold against the post where the site refused it", async () => {
  const desk = await deskWithPost(site, FIRST);
  await desk.publish();
  await desk.caller.patch(desk.url, { body: UPDATED });
  site.faults.tooLarge = true;
  expect((await desk.publish()).status).toBe(502);
  expect(contentOf(desk)).toContain("The first text.");
  Object.assign(site.faults, noFaults());
  expect((await desk.publish()).status).toBe(200);
  expect(contentOf(desk)).toContain("The update.");
});

it("is known by the publish that takes over from a process that died", async () => {
  const desk = await deskWithPost(site, FIRST);
  await desk.publish();
  await desk.caller.patch(desk.url, { body: UPDATED });
  const held = holdAnswer(site, UPDATE);
  const died = desk.publish();
  await held.reached;
  await runOut(desk.contentId);
  const { status, body } = await desk.publish();
  held.open();
  expect([status, body.status, (await died).body.type]).toEqual([200, "wp_published", "ALREADY_RUNNING"]);
});
