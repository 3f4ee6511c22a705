/** @jest-environment node */
import { EventEmitter, once } from "node:events";
import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { CALLS_EACH, PARAMETERS, PIPELINED_REQUESTS, PLACES, PLACES_EACH, WAITING_EACH } from "@/lib/limits/bounds";
import { openStream, requestCounts, whileAway } from "@/lib/limits/place";
import { MAX_CONTENT_BODY } from "@/lib/transport/body";
import { SECURITY_HEADERS } from "@/lib/transport/security-headers";
import { guardServer } from "@/lib/transport/server/guard";

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Pending = { cookie: string | undefined; finish: () => void };

/** For all clients without an address of their own, as these are. */
const AT_WORK = CALLS_EACH * (PLACES / PLACES_EACH - 1);

const signals = new EventEmitter();
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
let port: number;
/** Requests that have reached the app behind the guard, until they are finished. */
let pending: Pending[] = [];
/** Lets go of those that wait outside the app. */
let release: () => void = () => undefined;

const app: RequestListener = (request, response) => {
  const { cookie } = request.headers;
  if (request.url === "/read") return text(request).then((read) => response.end(String(read.length)));
  if (request.url === "/echo") return response.end(JSON.stringify({ cookie: cookie ?? null }));
  // Like Next's listener, which returns a promise of the whole work.
  if (request.url !== "/outside") {
    return new Promise<void>((resolve) => {
      const finish = () => {
        response.end("done");
        resolve();
      };
      pending.push({ cookie, finish });
    });
  }
  const outside = new Promise<void>((resolve) => {
    release = resolve;
  });
  pending.push({ cookie, finish: () => undefined });
  return whileAway(() => outside).then(() => response.end("done"));
};

const server = createServer((request, response) => app(request, response));
server.on("upgrade", (_request, socket) => socket.destroy());
const other = createServer((_request, response) => response.end("not ours"));

beforeAll(async () => {
  guardServer({ signals });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (let tries = 0; pending.length > 0 && tries < 50; tries++) await finishAll();
});
afterAll(() => {
  agent.destroy();
  server.close();
  other.close();
});

function send(path: string, headers: Record<string, string> = {}, to = port, method = "GET") {
  const call = httpRequest({ port: to, path, headers, agent, method });
  const answer = new Promise<Answer>((resolve, reject) => {
    call.on("error", reject);
    call.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((text) => resolve({ status, headers, text }), reject);
    });
  });
  call.end();
  return { answer, hangUp: () => call.destroy() };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 2_000) throw new Error(`It is not so: ${pending.length} requests are pending.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function finishAll(): Promise<void> {
  for (const { finish } of pending.splice(0)) finish();
  await new Promise((resolve) => setTimeout(resolve, 5));
}

async function cookieSeenBy(cookie: string): Promise<string | null> {
  const { text } = await send("/echo", { cookie }).answer;
  return (JSON.parse(text) as { cookie: string | null }).cookie;
}

describe("cookies", () => {
  it.each([
    ["unknown names", (at: number) => `${at.toString(36)}=`],
    ["parts of next-auth's", (at: number) => `next-auth.${at}=`],
    ["parts of a session", (at: number) => `session.${at}=`],
    ["names that begin or end like ours", (at: number) => (at % 2 ? `theme${at}=` : `${at}theme=`)],
  ])("of no use do not pass: %s", async (_what, pair) => {
    const many = Array.from({ length: 900 }, (_, at) => pair(at)).join(";");
    expect(await cookieSeenBy(`${many}; theme=dark`)).toBe("theme=dark");
    expect(await cookieSeenBy(many)).toBeNull();
  });

  it("pass with two different values of a name, so that a planted session is still noticed", async () => {
    const sessions = Array.from({ length: 900 }, (_, at) => `session=${at % 300}`).join("; ");
    expect(await cookieSeenBy(`${sessions}; theme=dark`)).toBe("session=0; session=1; theme=dark");
    expect(await cookieSeenBy("session=mine; session=mine")).toBe("session=mine");
  });

  it("do not pass with a request to upgrade either, which is answered like any other", async () => {
    const upgrade = { connection: "upgrade", upgrade: "websocket" };
    const { status, text } = await send("/echo", { ...upgrade, cookie: "other=1; theme=dark" }).answer;
    expect([status, text]).toEqual([200, '{"cookie":"theme=dark"}']);
  });

  it("are untouched on a server that is not the app's", async () => {
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { text } = await send("/", {}, (other.address() as AddressInfo).port).answer;
    expect(text).toBe("not ours");
  });
});

describe("an address with too many parameters", () => {
  const query = (count: number) => `?${Array.from({ length: count }, (_, at) => `p${at}=1`).join("&")}`;

  it.each(["/api/content", "/content"])("is refused before the app sees it: %s", async (path) => {
    const { status, text, headers } = await send(path + query(PARAMETERS + 2)).answer;
    const sentence = "This address has too many parameters. Send at most 50.";
    expect(status).toBe(400);
    expect(headers).toMatchObject(SECURITY_HEADERS);
    if (path === "/content") expect(text).toBe(sentence);
    else {
      const { "x-request-id": requestId } = headers;
      expect(JSON.parse(text)).toEqual({ error: sentence, type: "VALIDATION_ERROR", requestId });
    }
    expect(pending).toEqual([]);
  });

  it("is let in with as many as allowed", async () => {
    const { answer } = send(`/content${query(PARAMETERS + 1)}`);
    await until(() => pending.length === 1);
    await finishAll();
    expect((await answer).status).toBe(200);
  });
});

describe("the gate", () => {
  it("lets twelve calls of strangers work at once, and the next when one has its answer", async () => {
    const calls = Array.from({ length: AT_WORK + 1 }, () => send("/page"));
    await until(() => pending.length === AT_WORK);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(pending).toHaveLength(AT_WORK);
    pending.shift()?.finish();
    await until(() => pending.length === AT_WORK);
    await finishAll();
    const answers = await Promise.all(calls.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_WORK + 1).fill(200));
  });

  it("does not count what waits outside, nor health checks", async () => {
    const outside = send("/outside");
    await until(() => pending.length === 1);
    pending = [];
    const full = Array.from({ length: AT_WORK }, () => send("/page"));
    await until(() => pending.length === AT_WORK);
    const health = send("/api/health");
    await until(() => pending.length === AT_WORK + 1);
    release();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await finishAll();
    for (const { answer } of [outside, health, ...full]) expect((await answer).status).toBe(200);
  });

  it("refuses what a crowd of strangers has waiting beyond its bound, with a time to wait", async () => {
    const calls = Array.from({ length: AT_WORK + 10 * WAITING_EACH }, () => send("/page"));
    await until(() => pending.length === AT_WORK);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const page = await send("/page").answer;
    expect([page.status, page.headers["retry-after"], page.text]).toEqual([
      429,
      "1",
      "You have too many requests under way. Wait a second, then try again.",
    ]);
    const api = await send("/api/content").answer;
    expect(JSON.parse(api.text)).toMatchObject({ type: "RATE_LIMITED", error: page.text });
    for (const { hangUp, answer } of calls) {
      answer.catch(() => undefined);
      hangUp();
    }
  });

  it("forgets calls whose client goes while they wait, and keeps the place of one that works", async () => {
    const full = Array.from({ length: AT_WORK }, () => send("/page"));
    await until(() => pending.length === AT_WORK);
    const waiting = send("/page", { cookie: "theme=waiting" });
    const next = send("/page", { cookie: "theme=next" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const gone of [waiting, full[0]]) {
      gone?.answer.catch(() => undefined);
      gone?.hangUp();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    // The work of the client that has gone is still going on.
    expect(pending).toHaveLength(AT_WORK);
    pending[1]?.finish();
    await until(() => pending.length === AT_WORK + 1);
    expect(pending.at(-1)?.cookie).toBe("theme=next");
    await finishAll();
    expect((await next.answer).status).toBe(200);
  });
});

describe("pipelined requests", () => {
  function pipeline(count: number) {
    const client = connect({ port, host: "127.0.0.1" });
    client.write("GET /page HTTP/1.1\r\nhost: x\r\n\r\n".repeat(count));
    return client;
  }

  it("are handled one at a time, in order", async () => {
    const client = pipeline(3);
    let answers = 0;
    client.on("data", (data) => {
      answers += String(data).split("HTTP/1.1 200").length - 1;
    });
    for (let answered = 0; answered < 3; answered++) {
      await until(() => pending.length === 1 && answers === answered);
      expect(requestCounts()).toEqual({ working: 1, waiting: 0 });
      await finishAll();
    }
    await until(() => answers === 3);
    client.destroy();
  });

  it("leave nothing behind when their client goes", async () => {
    const client = pipeline(PIPELINED_REQUESTS);
    await until(() => pending.length === 1);
    client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await finishAll();
    await until(() => requestCounts().working === 0);
    expect(pending).toEqual([]);
  });

  it("end the connection when there are too many", async () => {
    await once(
      pipeline(PIPELINED_REQUESTS + 1).on("error", () => undefined),
      "close",
    );
    await finishAll();
    await until(() => requestCounts().working === 0);
  });
});

describe("a body", () => {
  /** A request with a body of which nothing has arrived yet. */
  function begin(path: string, length: number) {
    const client = connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
    let answer = "";
    client.on("data", (data) => {
      answer += String(data);
    });
    client.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
    return { client, answer: () => answer };
  }

  it("takes no place until it is complete", async () => {
    const slow = Array.from({ length: 3 * AT_WORK }, () => begin("/read", 20));
    for (const { client } of slow) client.write("half of it");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(requestCounts()).toEqual({ working: 0, waiting: 0 });
    expect((await send("/echo").answer).status).toBe(200);
    for (const { client } of slow) client.write(" and rest!");
    await until(() => slow.every(({ answer }) => answer().endsWith("\r\n\r\n20")));
    for (const { client } of slow) client.destroy();
  });

  it("arrives whole, however it is sent", async () => {
    const call = httpRequest({ port, path: "/read", method: "POST", agent });
    for (let part = 0; part < 100; part++) call.write("x".repeat(10_000));
    call.end("end");
    const [answer] = await once(call, "response");
    expect(await text(answer)).toBe("1000003");
  });

  it.each([
    ["says", { "content-length": String(MAX_CONTENT_BODY + 1) }],
    ["turns out", {}],
  ])("is refused when it %s to be larger than any may be", async (_how, headers) => {
    const call = httpRequest({ port, path: "/read", method: "POST", headers }).on("error", () => undefined);
    const answered = once(call, "response");
    if ("content-length" in headers) call.flushHeaders();
    else call.write(Buffer.alloc(MAX_CONTENT_BODY + 1, "x"));
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    call.destroy();
  });

  it("does not wait as a prefetch, whatever its headers say", async () => {
    const full = Array.from({ length: AT_WORK }, () => send("/page"));
    await until(() => pending.length === AT_WORK);
    const posted = send("/page", { purpose: "prefetch", cookie: "theme=posted" }, port, "POST");
    await until(() => requestCounts().waiting === 1);
    const read = send("/page");
    await until(() => requestCounts().waiting === 2);
    pending.shift()?.finish();
    await until(() => pending.length === AT_WORK);
    expect(pending.at(-1)?.cookie).toBe("theme=posted");
    await finishAll();
    await finishAll();
    await Promise.all([...full, posted, read].map(({ answer }) => answer));
  });

  it("sent to a path that is exempt takes its turn like others", async () => {
    const call = send("/api/health", {}, port, "POST");
    await until(() => requestCounts().working === 1);
    await finishAll();
    await call.answer;
  });
});

describe("during shutdown", () => {
  it("keeps connections alive until then, and closes each with its response from then on", async () => {
    const before = await send("/echo").answer;
    expect(before.headers.connection).toBe("keep-alive");
    const call = send("/page");
    await until(() => pending.length === 1);
    const endStream = jest.fn();
    openStream("maren", endStream);
    signals.emit("SIGTERM");
    // Its reader comes back to another process.
    expect(endStream).toHaveBeenCalled();
    await finishAll();
    expect((await call.answer).headers.connection).toBe("close");
    expect((await send("/echo").answer).headers.connection).toBe("close");
  });

  it("handles no request that is pipelined behind the last answer", async () => {
    const client = connect({ port, host: "127.0.0.1" }).resume();
    const closed = once(client, "close");
    client.write("GET /page HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2));
    await until(() => pending.length === 1);
    await finishAll();
    await closed;
    expect(pending).toEqual([]);
  });
});
