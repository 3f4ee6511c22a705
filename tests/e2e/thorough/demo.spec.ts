import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { recordFile } from "@/scripts/demo/record";
import { readJson } from "@/scripts/json-file";
import { freePort } from "@/scripts/ports";
import { removePostgres } from "@/scripts/postgres";
import type { Account, Samples } from "@/scripts/samples/start";
import { type HttpCaller, signInOverHttp } from "@/tests/support/http-caller";
import { type StackProcess, startStackProcess } from "@/tests/support/stack-process";

type Ready = { url: string; account: Account; samples: Pick<Samples, "wordpress"> };
type Piece = {
  id: string;
  title: string;
  status: string;
  hasOutline: boolean;
  hasBody: boolean;
  publishError: string | null;
};
type Post = { title: { rendered: string }; status: string };

const LIVE = [
  "A peat-free seed starting mix from three bags",
  "Bottom watering, explained",
  "Cedar, larch or steel: what lasts ten years outdoors",
  "When to start tomatoes indoors: count back from your last frost",
];
const FAILED = "Win a raised bed: our spring giveaway";
const WITHDRAWN = "No-dig on heavy clay: the first three springs";

let folder: string;
let port: number;
let running: StackProcess<Ready> | undefined;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "demo-"));
  port = await freePort();
});

test.afterAll(async () => {
  await running?.kill();
  await removePostgres(path.join(folder, "postgres"));
  rmSync(folder, { recursive: true, force: true });
});

/** Kills what runs, and starts the demo again in the same folder. */
async function start(when: "ready" | "filled", ...more: string[]) {
  await running?.kill();
  running = await startStackProcess<Ready>("run-demo.ts", [folder, String(port), when, ...more]);
  return running;
}

const isMade = (step: string) => step in ((readJson(recordFile(folder)) ?? {}) as object);

function until(step: string): Promise<void> {
  return expect.poll(() => isMade(step), { timeout: 60_000, intervals: [20] }).toBe(true);
}

const posts = () =>
  (readJson(path.join(folder, "sample-wordpress.json")) as { posts: unknown[] } | undefined)?.posts.length;

const piecesOf = (call: HttpCaller) => call<Piece[]>("GET", "/api/content");
const titlesOf = (call: HttpCaller) => piecesOf(call).then((pieces) => pieces.map(({ title }) => title));

/** The posts on the sample site, drafts too. */
async function postsOf({ samples }: Ready): Promise<string[]> {
  const { url, username, applicationPassword } = samples.wordpress;
  const login = Buffer.from(`${username}:${applicationPassword}`).toString("base64");
  const answer = await fetch(`${url}/wp-json/wp/v2/posts?status=any&per_page=100`, {
    headers: { authorization: `Basic ${login}` },
  });
  return ((await answer.json()) as Post[]).map(({ title, status }) => `${status} ${title.rendered}`).sort();
}

async function expectFilled(demo: Ready): Promise<HttpCaller> {
  const call = await signInOverHttp(demo.url, demo.account);
  const pieces = await piecesOf(call);
  expect(new Set(pieces.map(({ title }) => title)).size).toBe(14);
  expect(pieces).toHaveLength(14);
  const statusOf = new Map(pieces.map(({ title, status }) => [title, status]));
  expect(LIVE.map((title) => statusOf.get(title))).toEqual(LIVE.map(() => "wp_published"));
  expect([statusOf.get(FAILED), statusOf.get(WITHDRAWN)]).toEqual(["wp_failed", "wp_draft"]);
  expect(pieces.find(({ title }) => title === FAILED)?.publishError).toContain("giveaway");
  expect(pieces.filter(({ hasOutline }) => !hasOutline)).toHaveLength(4);
  expect(pieces.filter(({ hasOutline, hasBody }) => hasOutline && !hasBody)).toHaveLength(2);
  expect(await postsOf(demo)).toEqual([`draft ${WITHDRAWN}`, ...LIVE.map((title) => `publish ${title}`)]);

  const [project] = await call<{ id: number }[]>("GET", "/api/projects");
  const topics = await call<{ name: string; keywordCount: number }[]>("GET", `/api/projects/${project?.id}/topics`);
  expect(topics.map(({ name, keywordCount }) => `${name} ${keywordCount}`)).toEqual([
    "Slugs and other guests 2",
    "Late frost 3",
    "Raised beds 5",
    "Seed starting indoors 7",
  ]);
  const written = pieces.find(({ title }) => title === LIVE[0]);
  const revisions = await call<{ author: string; wordCount: number }[]>("GET", `/api/content/${written?.id}/revisions`);
  expect(revisions.filter(({ author, wordCount }) => author === "ai" && wordCount > 0)).toHaveLength(1);
  const { jobs } = await call<{ jobs: { status: string }[] }>("GET", "/api/queue/status");
  expect(jobs.map(({ status }) => status)).toEqual(Array(5).fill("completed"));
  return call;
}

test("fills a new demo account once, over kills, and a fresh one again", async () => {
  test.setTimeout(480_000);

  await test.step("a start after a kill, in a queue or while publishing, goes on without making anything twice", async () => {
    await start("ready");
    await until("beds-texts");
    await start("ready");
    await expect.poll(posts, { timeout: 60_000, intervals: [20] }).toBeGreaterThan(0);
    await expectFilled(await start("filled"));
  });

  await test.step("another start makes nothing, and what the user has deleted stays deleted", async () => {
    const { url, account } = running as Ready;
    const call = await signInOverHttp(url, account);
    const deleted = (await piecesOf(call)).find(
      ({ title }) => title === "Damping off: why seedlings collapse overnight",
    );
    await call.remove(`/api/content/${deleted?.id}`);
    const left = await titlesOf(call);
    const again = await start("filled");
    expect(await titlesOf(await signInOverHttp(again.url, again.account))).toEqual(left);
    expect(left).toHaveLength(13);
  });

  await test.step("an account without a record, from before there was content, is left alone", async () => {
    const before = await titlesOf(await signInOverHttp((running as Ready).url, (running as Ready).account));
    rmSync(recordFile(folder));
    const again = await start("filled");
    expect(await titlesOf(await signInOverHttp(again.url, again.account))).toEqual(before);
  });

  await test.step("a fresh account begins again, and another account keeps what it has", async () => {
    const other = { username: "maren", password: "a calm desk for words" };
    const registered = await fetch(`${(running as Ready).url}/api/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(other),
    });
    expect(registered.status).toBe(201);
    const maren = await signInOverHttp((running as Ready).url, other);
    await maren("POST", "/api/projects", { title: "Balcony herbs" });
    const fresh = await start("filled", "--fresh");
    await expectFilled(fresh);
    const projects = await (await signInOverHttp(fresh.url, other))<{ title: string }[]>("GET", "/api/projects");
    expect(projects.map(({ title }) => title)).toEqual(["Balcony herbs"]);
  });
});
