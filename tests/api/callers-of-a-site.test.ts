import { answerInProcess, createCaller } from "@/tests/support/app";
import { suiteBlog } from "@/tests/support/blog";
import { projectToPublish, work } from "@/tests/support/publishing-project";
import { holdResponse } from "@/tests/support/publishing-workspace";
import { recordEvents } from "@/tests/support/sent-events";

// What becomes of calls to a site whose caller has left.

jest.mock("@/lib/events/send", () => ({ sendEvents: jest.fn() }));
const { sent } = recordEvents();

const site = suiteBlog();

/** The same user with another browser, whose connection a test can cut. */
function leaving(cookie: string | undefined) {
  const connection = new AbortController();
  const answer = (request: Request) => answerInProcess(new Request(request, { signal: connection.signal }));
  return { ...createCaller(cookie, undefined, answer), leave: () => connection.abort() };
}

it.each([
  "POST /api/wordpress/test",
  "GET /api/wordpress/categories",
  ...["publish", "unpublish", "sync"].map((verb) => `POST /api/content/[id]/${verb}`),
])("reading the site ends with the caller of %s", async (operation) => {
  const { caller, ids } = await projectToPublish(site, 1);
  const reading = holdResponse(site, /./);
  const browser = leaving(caller.cookie());
  const [method = "", url = ""] = operation.replace("[id]", ids[0] ?? "").split(" ");
  const call = browser.call(method, url, method === "POST" ? {} : undefined);
  await reading.reached;
  const left = Date.now();
  browser.leave();
  const { status } = await call;
  reading.open();
  expect([status, Date.now() - left < 5_000]).toEqual([429, true]);
});

it("a post whose draft was sent is published to its end", async () => {
  const { caller, ids, posts } = await projectToPublish(site, 1);
  const draft = holdResponse(site, /^POST \/wp\/v2\/posts$/);
  const browser = leaving(caller.cookie());
  const publishing = browser.post(`/api/content/${ids[0]}/publish`);
  await draft.reached;
  browser.leave();
  draft.open();
  await publishing;
  expect(posts()).toEqual([expect.objectContaining({ status: "publish" })]);
  expect((await caller.get(`/api/content/${ids[0]}`)).body).toMatchObject({ status: "wp_published" });
});

it("publish-all begins nothing more, and goes on in the background", async () => {
  const { caller, projectId, posts, latest } = await projectToPublish(site, 30);
  const draft = holdResponse(site, /^POST \/batch\/v1$/);
  const browser = leaving(caller.cookie());
  const publishing = browser.post(`/api/projects/${projectId}/publish-all-to-wordpress`);
  await draft.reached;
  browser.leave();
  draft.open();
  await publishing;
  const job = await latest();
  expect(job).toMatchObject({ status: "processing", completedAt: null });
  expect(job?.completedItems).toBeLessThan(30);
  expect(sent()).toEqual([expect.stringContaining(job?.id ?? "none")]);
  await work(job?.id ?? "");
  expect(posts().map(({ status }) => status)).toEqual(Array(30).fill("publish"));
});
