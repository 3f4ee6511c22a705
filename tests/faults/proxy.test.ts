import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  bom,
  cutBody,
  delay,
  deliverLater,
  deliverTwice,
  type Fault,
  hold,
  htmlWith200,
  loseAnswer,
  maintenance,
  redirect,
  refuse,
  status,
  unauthorized,
} from "@/tests/faults/faults";
import { type FaultProxy, startFaultProxy } from "@/tests/faults/proxy";

// The upstream counts what it does, so that a test can tell "done but unanswered" from "not done".

let upstream: Server;
let origin: string;
let done: string[];
let proxy: FaultProxy;

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    done.push(`${request.method} ${request.url} ${body}`.trim());
    response.setHeader("Link", `<${origin}/api/>; rel="api"`);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ host: request.headers.host, link: `${origin}/x` }).replaceAll("/", "\\/"));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => upstream.close(resolve)));
beforeEach(async () => {
  done = [];
  proxy = await startFaultProxy({ upstream: origin });
});
afterEach(() => proxy.close());

const post = (signal?: AbortSignal) => fetch(`${proxy.origin}/posts?a=1`, { method: "POST", body: "text", signal });
const use = (fault: Fault) => {
  proxy.rule = ({ method }) => (method === "POST" ? fault : undefined);
};
const DONE = ["POST /posts?a=1 text"];

it("passes requests on, and names itself where the upstream names itself", async () => {
  const answer = await post();
  expect(done).toEqual(DONE);
  expect(answer.headers.get("link")).toBe(`<${proxy.origin}/api/>; rel="api"`);
  const text = await answer.text();
  expect(text).toContain(`${proxy.origin.replaceAll("/", "\\/")}\\/x`);
  expect(JSON.parse(text)).toEqual({ host: new URL(origin).host, link: `${proxy.origin}/x` });
});

it("can give the upstream another name, and be reached by another one", async () => {
  const alias = await startFaultProxy({ upstream: origin, host: "127.0.0.2", publicOrigin: proxy.origin });
  const answer = (await (await fetch(alias.origin)).json()) as { link: string };
  expect([new URL(alias.origin).hostname, answer.link]).toEqual(["127.0.0.2", `${proxy.origin}/x`]);
  await alias.close();
});

it("shows a rule each request with its number", async () => {
  const seen: unknown[] = [];
  proxy.rule = ({ method, path, body, count }) => {
    seen.push([method, path, body, count]);
    return count === 2 ? unauthorized() : undefined;
  };
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([200, 401, 200]);
  expect(seen).toEqual([1, 2, 3].map((count) => ["POST", "/posts?a=1", "text", count]));
  expect(proxy.requests).toHaveLength(3);
});

it.each([
  ["a lost answer", loseAnswer()],
  ["a body cut off", cutBody(5)],
])("breaks the connection for %s after the upstream did it", async (_name, fault) => {
  use(fault);
  await expect(post().then((answer) => answer.text())).rejects.toThrow();
  expect(done).toEqual(DONE);
});

it("keeps the connection open without an answer, until it closes", async () => {
  use(loseAnswer("hang"));
  const aborted = post(AbortSignal.timeout(100));
  await expect(aborted).rejects.toMatchObject({ name: "TimeoutError" });
  expect(done).toEqual(DONE);
});

it("delivers a delayed request although the client hung up", async () => {
  use(delay({ before: 300 }));
  await expect(post(AbortSignal.timeout(50))).rejects.toMatchObject({ name: "TimeoutError" });
  expect(done).toEqual([]);
  await proxy.settled();
  expect(done).toEqual(DONE);
});

it("delays the answer of what is done", async () => {
  use(delay({ after: 300 }));
  await expect(post(AbortSignal.timeout(150))).rejects.toMatchObject({ name: "TimeoutError" });
  expect(done).toEqual(DONE);
});

it.each([
  ["before", []],
  ["after", DONE],
] as const)("holds a request %s it is done, until the test lets it go", async (when, meanwhile) => {
  let release = () => {};
  const reached = new Promise<void>((resolve) => {
    use((exchange) => {
      const held = hold(when, new Promise((open) => (release = open)))(exchange);
      setTimeout(resolve, 50);
      return held;
    });
  });
  const answer = post();
  await reached;
  expect(done).toEqual(meanwhile);
  release();
  expect((await answer).status).toBe(200);
  expect(done).toEqual(DONE);
});

it("delivers a request long after its connection broke", async () => {
  let release = () => {};
  use(
    deliverLater(
      new Promise((open) => {
        release = open;
      }),
    ),
  );
  await expect(post()).rejects.toThrow();
  expect(done).toEqual([]);
  release();
  await proxy.settled();
  expect(done).toEqual(DONE);
});

it.each(["in sequence", "at once"] as const)("delivers twice, %s", async (how) => {
  use(deliverTwice(how));
  expect((await post()).status).toBe(200);
  await proxy.settled();
  expect(done).toEqual([...DONE, ...DONE]);
});

it("answers with an error or a page after the upstream did it", async () => {
  use(status(500));
  expect((await post()).status).toBe(500);
  use(htmlWith200());
  const answer = await post();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(done).toEqual([...DONE, ...DONE]);
});

it("puts a byte order mark before the body", async () => {
  use(bom());
  const bytes = new Uint8Array(await (await post()).arrayBuffer());
  expect([...bytes.slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, "{".charCodeAt(0)]);
});

it("answers in the upstream's place without passing it on", async () => {
  use(refuse());
  await expect(post()).rejects.toThrow();
  use(maintenance());
  const closed = await post();
  expect([closed.status, closed.headers.get("retry-after")]).toEqual([503, "600"]);
  use(unauthorized('{"code":"no"}'));
  expect(await (await post()).json()).toEqual({ code: "no" });
  use(htmlWith200("not done"));
  expect((await post()).status).toBe(200);
  for (const code of [301, 302, 307] as const) {
    use(redirect("http://127.0.0.1:9/there", code));
    const answer = await fetch(`${proxy.origin}/`, { method: "POST", redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([code, "http://127.0.0.1:9/there"]);
  }
  expect(done).toEqual([]);
});

it("breaks the connection when the upstream is gone", async () => {
  const orphan = await startFaultProxy({ upstream: "http://127.0.0.1:9" });
  await expect(fetch(orphan.origin)).rejects.toThrow();
  await orphan.close();
});
