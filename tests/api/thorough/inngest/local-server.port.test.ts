import http from "node:http";
import { MAX_REQUEST_BYTES } from "@/inngest/local-server/protocol";
import { ECHO, harnessPerTest } from "@/tests/support/inngest-contract";

// Who may call the embedded engine, and how much of a request it reads.
jest.setTimeout(15_000);

const own = harnessPerTest();

const paths = ["GET /", "GET /dev", "GET /fn/register", "POST /fn/register", "GET /v1/events/e/runs", "GET /v1/runs/r"];
const calls = [
  ...paths,
  "DELETE /v1/runs/r",
  "POST /e/another-key",
  "POST /e",
  "OPTIONS /e/x",
  "GET /nowhere",
  "GET /%ff",
];

function request(call: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = "", path = ""] = call.split(" ");
  const body = method === "POST" ? JSON.stringify({ name: "go", data: {}, functions: [] }) : undefined;
  return fetch(`${own.harness?.url}${path}`, { method, headers, ...(body ? { body } : {}) });
}

it.each(calls)("refuses %s without its key", async (call) => {
  const { engine, logged } = await own.start(ECHO);
  const before = engine().status();
  const answer = await request(call);
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain("contract-");
  expect(engine().status()).toEqual(before);
  expect(logged.join()).not.toContain("another-key");
});

it.each(["https://stranger.example", "http://localhost:3000", "null"])(
  "refuses a page's request from %s, even with the keys",
  async (origin) => {
    const { engine, eventKey, signingKey } = await own.start(ECHO);
    const before = engine().status();
    const headers = { origin, authorization: `Bearer ${signingKey}` };
    for (const call of [...paths, `POST /e/${eventKey}`, `OPTIONS /e/${eventKey}`]) {
      const answer = await request(call, headers);
      expect(answer.status).toBe(403);
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(engine().status()).toEqual(before);
  },
);

it("refuses a page's request without an origin, such as an image", async () => {
  const { signingKey } = await own.start(ECHO);
  const headers = { "sec-fetch-site": "cross-site", authorization: `Bearer ${signingKey}` };
  expect((await request("GET /", headers)).status).toBe(403);
});

it("shows its status to callers with the key", async () => {
  const { signingKey } = await own.start(ECHO);
  const answer = await request("GET /", { authorization: `Bearer ${signingKey}` });
  expect(await answer.json()).toMatchObject({ kind: "local-inngest-engine", waiting: 0 });
});

it.each([
  ["a stranger", "/e/another-key", 401],
  ["a sender with the key", "/e/contract-event-key", 400],
])("stops reading when %s sends without end", async (_who, path, status) => {
  await own.start(ECHO);
  const { answered, sent } = await sendWithoutEnd(`${own.harness?.url}${path}`);
  // A sender that is cut off may miss the response.
  expect([status, undefined]).toContain(answered);
  expect(sent).toBeLessThan(4 * MAX_REQUEST_BYTES);
});

/** Sends for as long as the server reads, at most 200 MB. */
function sendWithoutEnd(url: string): Promise<{ answered: number | undefined; sent: number }> {
  return new Promise((resolve) => {
    let sent = 0;
    let answered: number | undefined;
    const request = http.request(url, { method: "POST" }, (response) => {
      answered = response.statusCode;
      response.resume();
    });
    const chunk = Buffer.alloc(65_536, 0x20);
    const push = () => {
      while (!request.destroyed && sent < 200 * 1_048_576) {
        sent += chunk.length;
        if (!request.write(chunk)) return request.once("drain", push);
      }
      return request.end();
    };
    request.on("error", () => undefined);
    request.once("close", () => resolve({ answered, sent }));
    push();
  });
}
