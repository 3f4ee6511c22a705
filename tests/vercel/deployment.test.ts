import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { signBody } from "@/inngest/local-server/signature";
import { PIPELINED_REQUESTS } from "@/lib/limits/bounds";
import { type RunningPostgres, removePostgres, startPostgres } from "@/scripts/postgres";
import { type SampleAiProvider, startSampleAiProvider } from "@/scripts/samples/ai-provider";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { type Collector, startCollector } from "@/tests/support/collector";
import { type Functions, runFunctions } from "@/tests/support/vercel/functions";
import { buildForVercel, type VercelOutput } from "@/tests/support/vercel/output";
import { type Deployment, serveOutput } from "@/tests/support/vercel/router";

// What Vercel builds, run by its own launchers under the environment of a deployment, from a folder with nothing else of ours.

const HOST = "planner.example.com";
const SIGNING_KEY = `signkey-prod-${"ab".repeat(32)}`;

let folder: string;
let database: RunningPostgres;
let ai: SampleAiProvider;
let site: SampleWordPress;
let collector: Collector;
let output: VercelOutput;
let functions: Functions;
let deployment: Deployment;
let environment: Record<string, string>;
let cookie = "";

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "vercel-"));
  database = await startPostgres({ dataDir: path.join(folder, "postgres"), database: "planner", purpose: "test" });
  ai = await startSampleAiProvider({ latencyMs: 400 });
  site = await startSampleWordPress();
  collector = await startCollector();
  environment = {
    VERCEL: "1",
    VERCEL_ENV: "production",
    VERCEL_URL: "planner-abc123.vercel.app",
    VERCEL_BRANCH_URL: "planner-git-main.vercel.app",
    VERCEL_PROJECT_PRODUCTION_URL: HOST,
    DATABASE_URL: database.url,
    AUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    // Inngest Cloud cannot be reached from here; nobody listens there.
    INNGEST_BASE_URL: "http://127.0.0.1:9",
    OPENAI_BASE_URL: ai.url,
    WORDPRESS_ALLOWED_HOSTS: new URL(site.url).host,
    LOG_LEVEL: "warn",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  };
  output = await buildForVercel({ DATABASE_URL: database.url }, path.join(folder, "functions"));
  functions = runFunctions(output, environment);
  deployment = await serveOutput(output, functions, HOST);
}, 600_000);
afterAll(async () => {
  process.stdout.write(`Functions, size and start: ${functions?.started.join("; ")}\n`);
  functions?.close();
  await deployment?.close();
  await Promise.all([ai?.close(), site?.close(), collector?.close(), database?.stop()]);
  await removePostgres(path.join(folder, "postgres"));
  rmSync(folder, { recursive: true, force: true });
});

async function call(method: string, address: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(deployment.url + address, {
    method,
    redirect: "manual",
    headers: {
      origin: `https://${HOST}`,
      ...(cookie ? { cookie } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return answer;
}

async function json<T>(method: string, address: string, body?: unknown): Promise<T> {
  const answer = await call(method, address, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}\n${functions.printed()}`);
  return JSON.parse(text) as T;
}

it("is ready: its build applied the migrations, and its functions start and answer", async () => {
  expect(await json("GET", "/api/health")).toEqual({ ok: true });
  expect(await json("GET", "/api/ready")).toMatchObject({ ok: true, database: "up", migrations: "current" });
});

it("sends visitors to sign-in, with the proxy's headers", async () => {
  const answer = await call("GET", "/projects/1");
  expect([answer.status, new URL(answer.headers.get("location") ?? "", `https://${HOST}`).pathname]).toEqual([
    307,
    "/auth",
  ]);
  expect(answer.headers.get("strict-transport-security")).toContain("max-age=");
});

it("shows a page with its scripts, under a policy that allows them", async () => {
  const answer = await call("GET", "/auth");
  const html = await answer.text();
  expect(answer.status).toBe(200);
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
  expect(nonce).toBeTruthy();
  expect(html).toContain(`nonce="${nonce}"`);
  expect(html).toContain("Login");
  const script = /src="(\/_next\/static\/[^"]+\.js)/.exec(html)?.[1] ?? "";
  const loaded = await call("GET", script);
  expect([loaded.status, loaded.headers.get("content-type")]).toEqual([200, "application/javascript; charset=utf-8"]);
  expect(loaded.headers.get("x-content-type-options")).toBe("nosniff");
});

it("signs a user up, with a cookie that only this host gets", async () => {
  const user = { username: "maren", email: "maren@example.com", password: "a wholly new long phrase" };
  const answer = await call("POST", "/api/register", user);
  expect([answer.status, functions.printed()]).toEqual([201, expect.any(String)]);
  const session = answer.headers.getSetCookie().find((one) => one.startsWith("__Host-session="));
  expect(session).toMatch(/; Secure/);
  cookie = session?.split(";")[0] ?? "";
  expect((await call("POST", "/api/projects", { title: "x" }, { origin: "https://evil.example" })).status).toBe(403);
});

let pieceId: string;

describe("signed in", () => {
  let projectId: number;

  it("writes to the database and reads it back on a page", async () => {
    const project = await json<{ id: number }>("POST", "/api/projects", { title: "Deployed for real" });
    projectId = project.id;
    const topic = await json<{ id: number }>("POST", `/api/projects/${projectId}/topics`, {
      name: "Topic",
      description: "What it is about.",
    });
    const url = `/api/projects/${projectId}/topics/${topic.id}/content`;
    pieceId = (await json<{ id: string }>("POST", url, { title: "A piece" })).id;
    await json("PATCH", `/api/content/${pieceId}`, { outline: "## Alpha\nOne.\n\n## Beta\nTwo." });
    const page = await call("GET", `/projects/${projectId}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Deployed for real");
    expect((await call("GET", "/api/projects/999999")).status).toBe(404);
    expect((await call("GET", "/no-such-page")).status).toBe(404);
  });

  it("streams a text while it is being written", async () => {
    await json("PATCH", "/api/user/settings", {
      openaiApiKey: ai.apiKey,
      wordpressUrl: site.url,
      wordpressUsername: site.username,
      wordpressPassword: site.applicationPassword,
    });
    const answer = await call("POST", `/api/content/${pieceId}/generate-from-outline`, undefined, {
      accept: "text/event-stream",
    });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const at: number[] = [];
    let text = "";
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      at.push(performance.now());
      text += Buffer.from(chunk).toString("utf8");
    }
    expect(text).toMatch(/^event: done$/m);
    // Two sections of 400 ms each: what came last is far behind what came first.
    expect(at.length).toBeGreaterThan(3);
    expect(Number(at.at(-1)) - Number(at[0])).toBeGreaterThan(300);
  });

  it("renders a post in a worker thread and publishes it", async () => {
    await json("POST", `/api/content/${pieceId}/publish`, {});
    expect(site.posts()).toMatchObject([{ status: "publish" }]);
    expect(JSON.stringify(site.posts()[0])).toContain("Alpha");
  });
});

describe("from a function's second request on", () => {
  async function timed(address: string, headers: Record<string, string> = {}) {
    const began = performance.now();
    const answer = await call("GET", address, undefined, headers);
    return { status: answer.status, text: await answer.text(), ms: Math.round(performance.now() - began) };
  }

  it("costs no more with 2,500 cookies of others than without", async () => {
    const others = Array.from({ length: 2_500 }, (_, at) => `${at.toString(36)}=`).join("; ");
    const plain = await timed("/api/projects");
    const many = await timed("/api/projects", { cookie: `${others}; ${cookie}` });
    process.stdout.write(`A list: ${plain.ms} ms; with 2,500 cookies: ${many.ms} ms\n`);
    expect([plain.status, many.status]).toEqual([200, 200]);
    expect(many.ms).toBeLessThan(plain.ms + 500);
  });

  it("refuses an address with too many parameters", async () => {
    const { status, text, ms } = await timed(`/api/projects?${"a&".repeat(5_000)}`);
    process.stdout.write(`5,000 parameters: ${ms} ms\n`);
    expect([status, text]).toEqual([400, expect.stringContaining("too many parameters")]);
  });

  // Asked directly: the test's router would hand calls on too slowly.
  it("lets some calls of a user wait, and refuses those beyond them with a time to wait", async () => {
    const url = `http://127.0.0.1:${await functions.portOf("api/projects")}/api/projects`;
    const headers = { cookie, "x-matched-path": "/api/projects" };
    const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(url, { headers })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("1");
  });

  it("ends a connection that asks and never reads", async () => {
    await json("PATCH", `/api/content/${pieceId}`, { body: "長い文章。".repeat(90_000) });
    const socket = connect(await functions.portOf("api/content/[id]"), "127.0.0.1");
    socket.pause().on("error", () => undefined);
    const head = `GET /api/content/[id]?nxtPid=${pieceId} HTTP/1.1`;
    const asked = [head, "host: x", "x-matched-path: /api/content/[id]", `cookie: ${cookie}`, "", ""].join("\r\n");
    // Each answer has more than a megabyte: together they are more than the kernel keeps for a connection.
    socket.write(asked.repeat(PIPELINED_REQUESTS));
    const began = performance.now();
    // Who does not read does not see an end either: it shows when a write fails.
    for (; !socket.destroyed; await new Promise((resolve) => setTimeout(resolve, 1_000))) socket.write("\r\n");
    const seconds = (performance.now() - began) / 1_000;
    process.stdout.write(`A connection that never reads was ended after ${Math.round(seconds)} s\n`);
    expect(seconds).toBeGreaterThan(60);
  }, 100_000);
});

it("accepts the job engine's signed calls, once, and no others", async () => {
  const body = JSON.stringify({ url: `https://${HOST}/api/inngest` });
  const signed = { "x-inngest-signature": signBody(body, SIGNING_KEY, Date.now()), "x-inngest-sync-kind": "in_band" };
  const synced = await call("PUT", "/api/inngest", body, { ...signed, "x-inngest-server-kind": "cloud" });
  const text = await synced.text();
  expect([synced.status, text]).toEqual([200, expect.stringContaining("content-planner")]);
  expect(text).toContain(`https://${HOST}/api/inngest`);
  const call_ = JSON.stringify({
    event: { name: "x", data: {} },
    events: [],
    steps: {},
    ctx: { run_id: "r", attempt: 0 },
  });
  const unsigned = await call("POST", "/api/inngest?fnId=content-planner-sweep-queues&stepId=step", call_);
  expect(unsigned.status).toBe(401);
  const forged = await call("POST", "/api/inngest?fnId=content-planner-sweep-queues&stepId=step", call_, {
    "x-inngest-signature": signBody(call_, `signkey-prod-${"cd".repeat(32)}`, Date.now()),
  });
  expect(forged.status).toBe(401);
});

it("sends its spans when a request is answered, without waiting for the next batch", async () => {
  const began = performance.now();
  const answer = await call("GET", "/api/projects");
  const requestId = answer.headers.get("x-request-id");
  const isIts = ({ attributes }: { attributes: Record<string, unknown> }) =>
    attributes["planner.request_id"] === requestId;
  while (!collector.spans().some(isIts)) {
    if (performance.now() - began > 3_000) throw new Error(`No span of ${requestId}.\n${functions.printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

it("refuses to run without what a deployment needs, and names it", async () => {
  const bare = runFunctions(output, { ...environment, AUTH_SECRET: "", INNGEST_SIGNING_KEY: "" });
  const refused = await serveOutput(output, bare, HOST);
  try {
    const answer = await fetch(`${refused.url}/api/health`);
    expect(answer.status).toBe(500);
    expect(bare.printed()).toContain("This deployment lacks AUTH_SECRET, INNGEST_SIGNING_KEY.");
  } finally {
    bare.close();
    await refused.close();
  }
});
